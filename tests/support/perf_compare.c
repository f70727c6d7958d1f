#include "tests/support/perf_compare.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- samples as `perf script` prints them ---- */

/* For -F comm,tid,time,period,event,ip,sym,dso; lines of inlined functions are
 * left out. It shares nothing with the reader of such text that topfn has. */
struct perf_frame {
    uint64_t address; /* an offset in the file, else where it is */
    char file[256];
};

struct perf_sample {
    uint32_t tid;
    uint64_t us; /* time */
    char event[100];
    struct perf_frame frames[1200]; /* the innermost first */
    size_t count;
};

struct perf_text {
    FILE *file;
    bool has_line; /* the first of a sample, not taken yet */
    char line[4096];
};

enum {
    MOST = sizeof(((struct perf_sample *)0)->frames) / sizeof(struct perf_frame)
};

/* The digits before `at`, of which `*from` is the first. */
static uint64_t number_before(const char *line, const char *at,
                              const char **from)
{
    const char *first = at;

    while (first > line && (isdigit((unsigned char)first[-1]) ||
                            (first[-1] == '-' && first < at)))
        first--;
    *from = first;
    return strtoull(first, NULL, 10);
}

/* Where the time ends: names of threads may have colons and blanks, but the
 * time has a point before and six digits behind. */
static const char *find_time(const char *line)
{
    const char *colon = line, *from;

    while ((colon = strchr(colon, ':'))) {
        number_before(line, colon, &from);
        if (colon - from == 6 && from > line && from[-1] == '.')
            return colon;
        colon++;
    }
    return NULL;
}

/* "   address symbol (file)" */
static bool take_frame(const char *line, struct perf_sample *s)
{
    struct perf_frame *f = &s->frames[s->count];
    const char *open = strrchr(line, '('), *close = strrchr(line, ')');

    if (strstr(line, "(inlined)"))
        return true;
    if (s->count == MOST)
        return false;
    /* "(/memfd:doublemapper (deleted))" */
    if (open && open > line && !strncmp(open, "(deleted)", 9))
        for (open--; open > line && *open != '(';)
            open--;
    f->address = strtoull(line, NULL, 16);
    /* perf's last word on a stack deeper than what was copied: the byte
     * before address 0. */
    if (f->address == UINT64_MAX)
        return true;
    *f->file = 0;
    if (open && close > open)
        snprintf(f->file, sizeof(f->file), "%.*s", (int)(close - open - 1),
                 open + 1);
    s->count++;
    return true;
}

/* "comm  pid/tid  [cpu]  12.345678:   period event: ", behind which is the
 * one frame of a sample that has no stack. */
static bool take_head(const char *line, struct perf_sample *s)
{
    const char *colon = find_time(line), *at, *end;

    if (!colon)
        return false;
    s->us = number_before(line, colon, &at);
    s->us += number_before(line, at - 1, &at) * 1000000;
    while (at > line && at[-1] == ' ')
        at--;
    s->tid = (uint32_t)number_before(line, at, &at);
    s->count = 0;
    at = colon + 1 + strspn(colon + 1, " 0123456789");
    end = strstr(at, ": ");
    if (!end)
        end = at + strcspn(at, "\n") - 1;
    snprintf(s->event, sizeof(s->event), "%.*s", (int)(end - at), at);
    return !strchr(end, '(') || take_frame(end + 1, s);
}

static bool next_line(struct perf_text *t)
{
    if (!t->has_line)
        t->has_line = fgets(t->line, sizeof(t->line), t->file);
    return t->has_line;
}

/* False at the end, or when a stack has no end. */
static bool perf_text_next(struct perf_text *t, struct perf_sample *s)
{
    bool begun = false;

    while (next_line(t)) {
        if (*t->line == '\t') {
            if (begun && !take_frame(t->line, s))
                return false;
        } else if (begun) {
            return true;
        } else if (*t->line != '\n' && *t->line != '#') {
            begun = take_head(t->line, s);
        }
        t->has_line = false;
    }
    return begun;
}

/* ---- what a caller's address on a stack must look like ---- */

/* Callers are where calls return to: right behind a call instruction. A walk
 * that lost its way finds other addresses, but for the one in some hundred
 * whose bytes before look like a call. */
enum { LONGEST_CALL = 7 }; /* bytes of a call */

/* `call` to where a register or memory says: FF /2, of `length` bytes from
 * there on, the operand's bytes being what the second one asks for. */
static bool is_indirect(const uint8_t *at, unsigned length)
{
    unsigned mode = at[1] >> 6, base = at[1] & 7, size = 2;

    if (at[0] != 0xff || (at[1] >> 3 & 7) != 2)
        return false;
    if (mode != 3 && base == 4 && length > size) {
        base = at[2] & 7;
        size++;
    }
    if (mode == 1)
        size += 1;
    else if (mode == 2 || (mode == 0 && base == 5))
        size += 4;
    return size == length;
}

/* True at the return address of a signal handler, which no call precedes: the
 * end of the signal by system call 15. */
static bool ends_signal(int file, uint64_t at)
{
    static const uint8_t code[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
    uint8_t there[sizeof(code)];

    return pread(file, there, sizeof(there), (off_t)at) ==
               (ssize_t)sizeof(there) &&
           !memcmp(there, code, sizeof(code));
}

/* `at` is an offset in the file; x64. Also true of what signal handlers return
 * to, and of what cannot be read, as [vdso]; false where there is no file at
 * all, the path being empty. */
static bool is_call_site(const char *path, uint64_t at)
{
    uint8_t before[LONGEST_CALL];
    bool called = false;
    ssize_t got;
    int file;

    if (*path != '/')
        return *path == '[' && strcmp(path, "[unknown]") != 0;
    file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return true;
    called = ends_signal(file, at);
    got = at < LONGEST_CALL ? 0 : pread(file, before, LONGEST_CALL, (off_t)at - LONGEST_CALL);
    close(file);
    if (got != LONGEST_CALL)
        return false;
    for (unsigned length = 2; length <= LONGEST_CALL; length++)
        called |= is_indirect(before + LONGEST_CALL - length, length);
    return called || before[LONGEST_CALL - 5] == 0xe8;
}

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

/* True if perf shows `address` in another mapping than `before`, or in none: in
 * a mapping that begins there, or in the rest of one that `before` replaced. */
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

/* True if a stack on which both agree ends there, too: where programs and
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
