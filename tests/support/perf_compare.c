#include "tests/support/perf_compare.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/call_site.h"
#include "tests/support/perf_text.h"

__attribute__((format(printf, 2, 3))) static bool differ(
    struct perf_comparison *c, const char *format, ...)
{
    va_list arguments;
    int n = snprintf(c->differs, sizeof(c->differs), "sample %zu", c->samples);

    va_start(arguments, format);
    vsnprintf(c->differs + n, sizeof(c->differs) - (size_t)n, format,
              arguments);
    va_end(arguments);
    return false;
}

/* ---- one frame ---- */

static const char *path_of(const struct profile *p, const struct location *l)
{
    return l->module == NO_ID
               ? ""
               : strings_get(p->strings, p->modules.data[l->module].path);
}

static bool is_file(const struct profile *p, const struct location *l,
                    const char *file)
{
    const char *path = path_of(p, l);

    /* perf's words for it, in mappings of data and of code. */
    if (!strcmp(path, "[anon]"))
        return !strcmp(file, "//anon") || !strncmp(file, "/tmp/perf-", 10);
    if (!strcmp(path, "[bpf]") || (!*path && l->method != NO_ID))
        return *file == '[' || *file == '/' || !*file;
    /* To perf a memfd is a file; to us it is memory that a runtime fills. */
    if (!*path)
        return !*file || !strcmp(file, "[unknown]") ||
               !strncmp(file, "/memfd:", 7);
    return !strncmp(file, path, strlen(path)) || strstr(path, file);
}

/* As perf shows an address: an offset in a file, else where it is. */
static bool is_shown(const struct profile *p, const struct location *l,
                     uint64_t shown, const char *file)
{
    uint64_t address = l->address;

    if (l->module == NO_ID && l->method != NO_ID)
        address += methods_get(&p->methods, l->method).start;
    if (shown == address)
        return true;
    if (!strncmp(file, "/memfd:", 7))
        return l->module == NO_ID && !((shown ^ address) & 0xfff);
    /* perf 6.5 and later show where files are, too. */
    for (size_t i = 0; l->module != NO_ID && i < p->mappings.len; i++) {
        const struct mapping *m = &p->mappings.data[i];

        if (m->module == l->module && shown == address - m->rva + m->base)
            return true;
    }
    return false;
}

/* Whether perf shows `address` as one of another mapping than `before`, or as
 * none: of what begins there, or is left of what `before` was made over. */
static bool is_shown_behind(const struct profile *p, uint32_t process,
                            const struct mapping *before, uint64_t address,
                            const struct perf_frame *f)
{
    if (f->address == address)
        return true;
    for (size_t i = 0; i < p->mappings.len; i++) {
        const struct mapping *m = &p->mappings.data[i];

        if (m->process == process && address - m->base < m->size &&
            address - m->base + m->rva == f->address &&
            (m->base == address ||
             (before && before->base + before->size == address)) &&
            is_file(p, &(struct location){.module = m->module}, f->file))
            return true;
    }
    return false;
}

/*
 * An address that a call returns to is to us one of the file that has the
 * call, a byte before; to perf, which looks for it as it is, one of the file
 * that it is in. Where a mapping begins or ends these are two.
 */
static bool ends_mapping(const struct profile *p, const struct location *l,
                         uint32_t process, const struct perf_frame *f)
{
    if (!l->caller || l->address & 0xfff)
        return false;
    if (l->module == NO_ID)
        return is_shown_behind(p, process, NULL, l->address, f);
    for (size_t i = 0; i < p->mappings.len; i++) {
        const struct mapping *m = &p->mappings.data[i];

        if (m->process == process && m->module == l->module &&
            l->address - 1 - m->rva < m->size &&
            is_shown_behind(p, process, m, l->address - m->rva + m->base, f))
            return true;
    }
    return false;
}

static bool is_same(const struct perf_comparison *c, uint32_t stack,
                    const struct perf_frame *f)
{
    const struct profile *p = c->profile;
    const struct location *l =
        &p->locations.data[p->stacks.data[stack].location];
    uint32_t thread = p->samples.thread[c->samples];
    bool outer = stack != p->samples.stack[c->samples];

    return ((is_shown(p, l, f->address, f->file) ||
             (c->walked && outer && is_shown(p, l, f->address + 1, f->file))) &&
            is_file(p, l, f->file)) ||
           ends_mapping(p, l, p->threads.data[thread].process, f);
}

/* ---- one stack ---- */

/* What is left of our stack has been called, as far as files can tell. */
static bool are_called(struct perf_comparison *c, uint32_t stack, size_t frame)
{
    const struct profile *p = c->profile;

    for (; stack; stack = p->stacks.data[stack].parent, frame++) {
        const struct location *l =
            &p->locations.data[p->stacks.data[stack].location];

        /* Code that a signal interrupted was not called there. */
        if (l->caller && !is_call_site(path_of(p, l), l->address))
            return differ(c,
                          ", frame %zu: not perf's, and no call is before "
                          "0x%llx of %s",
                          frame, (unsigned long long)l->address, path_of(p, l));
    }
    return true;
}

/* perf passed over frames: those it has are ours, further out, up to one that
 * is in no file or that nothing called. */
static bool is_passed_over(const struct perf_comparison *c,
                           const struct perf_sample *s, uint32_t stack,
                           size_t frame)
{
    const struct profile *p = c->profile;

    for (const struct perf_frame *f = s->frames + frame;
         f < s->frames + s->count; f++) {
        while (stack && !is_same(c, stack, f))
            stack = p->stacks.data[stack].parent;
        if (!stack)
            return *f->file != '/' || !is_call_site(f->file, f->address + 1);
        stack = p->stacks.data[stack].parent;
    }
    return true;
}

static uint32_t outermost(const struct profile *p, uint32_t stack)
{
    while (p->stacks.data[stack].parent)
        stack = p->stacks.data[stack].parent;
    return stack;
}

/* Whether a stack on which both agree ends there, too: where programs and
 * threads begin. */
static bool is_known_end(const struct perf_comparison *c, uint32_t stack)
{
    const struct profile *p = c->profile;
    const struct location *l =
        &p->locations.data[p->stacks.data[outermost(p, stack)].location];

    for (size_t i = 0; i < p->locations.len; i++)
        if (c->ends[i] && p->locations.data[i].module == l->module &&
            p->locations.data[i].address == l->address)
            return true;
    return false;
}

/* Of what could not be told from perf's frames. */
static void count_doubtful(struct perf_comparison *c)
{
    for (size_t i = 0; i < c->samples; i++)
        c->doubtful += c->in_doubt[i] &&
                       !is_known_end(c, c->profile->samples.stack[i]);
}

/* Frames, innermost first, as far as both agree. */
static bool compare_frames(struct perf_comparison *c,
                           const struct perf_sample *s)
{
    const struct profile *p = c->profile;
    uint32_t stack = p->samples.stack[c->samples];
    const struct perf_frame *f = s->frames;
    size_t i = 0;

    for (; stack && i < s->count && is_same(c, stack, f); i++, f++)
        stack = p->stacks.data[stack].parent;
    c->frames += i;
    if (!stack && i == s->count) {
        stack = outermost(p, p->samples.stack[c->samples]);
        c->ends[p->stacks.data[stack].location] = true;
        return true;
    }
    if (!c->walked || !i)
        return differ(c, ", frame %zu of %zu: %s; perf: 0x%llx of %s", i,
                      s->count, stack ? "another" : "no more",
                      (unsigned long long)f->address, f->file);
    if (!are_called(c, stack, i))
        return false;
    if (!is_passed_over(c, s, stack, i)) {
        c->in_doubt[c->samples] = true;
        f = &s->frames[s->count - 1];
        if (is_same(c, outermost(p, p->samples.stack[c->samples]), f))
            return differ(c, ", frame %zu of %zu: another, yet both end alike",
                          i, s->count);
    }
    c->parted++;
    return true;
}

/* ---- all ---- */

static bool compare_sample(struct perf_comparison *c,
                           const struct perf_sample *s)
{
    const struct profile *p = c->profile;
    size_t i = c->samples;
    int64_t us;

    if (i == p->samples.len)
        return differ(c, ": perf has one more");
    if (!i)
        c->first_us = s->us;
    us = (int64_t)(s->us - c->first_us) -
         (p->samples.time[i] - p->samples.time[0]) / 1000;
    if (us < -1 || us > 1)
        return differ(c, ": %lld us away from perf's", (long long)us);
    if (p->threads.data[p->samples.thread[i]].tid != s->tid)
        return differ(c, ": of thread %u; perf: %u",
                      p->threads.data[p->samples.thread[i]].tid, s->tid);
    return !s->count || compare_frames(c, s);
}

bool perf_compare(struct perf_comparison *c, FILE *file)
{
    struct perf_text text = {.file = file};
    struct perf_sample *s = calloc(1, sizeof(*s));
    bool same = s;

    c->ends = calloc(c->profile->locations.len + 1, sizeof(*c->ends));
    c->in_doubt = calloc(c->profile->samples.len + 1, sizeof(*c->in_doubt));
    same = same && c->ends && c->in_doubt;
    while (same && perf_text_next(&text, s)) {
        if (c->event && strcmp(s->event, c->event) != 0)
            continue;
        same = compare_sample(c, s);
        c->samples += same;
    }
    free(s);
    if (same && c->samples < c->profile->samples.len)
        same = differ(c, ": perf has no more");
    if (same)
        count_doubtful(c);
    free(c->ends);
    free(c->in_doubt);
    return same;
}
