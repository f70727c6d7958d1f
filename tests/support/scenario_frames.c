/*
 * What the frames of a script mean, and the answer counted from it.  The rules
 * a reader has to get right are stated here in the script's own terms, and
 * scripts that say one thing and write another are refused.
 */
#include "tests/support/scenario_impl.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *scenario_base_name(const char *path)
{
    const char *slash = strrchr(path, '\\');

    return slash ? slash + 1 : path;
}

static bool covers(uint64_t start, uint64_t size, uint64_t address)
{
    return address >= start && address - start < size;
}

static const struct image *image_at(const struct scenario *s, int process,
                                    int64_t at, uint64_t address)
{
    for (size_t i = 0; i < s->images.count; i++) {
        const struct image *m = &s->images.items[i];
        if ((m->process == process || m->process == KERNEL) &&
            at >= m->load && at < m->unload &&
            covers(m->base, m->size, address))
            return m;
    }
    return NULL;
}

static const struct method *method_at(const struct scenario *s, int process,
                                      int64_t at, uint64_t address)
{
    for (size_t i = 0; i < s->methods.count; i++) {
        const struct method *m = &s->methods.items[i];
        if (m->process == process && at >= m->load && at < m->unload &&
            covers(m->start, m->size, address))
            return m;
    }
    return NULL;
}

/* Class.Name(args): the signature counts from its first parenthesis. */
static void method_name(const struct method *m, char *out, size_t room)
{
    const char *args = m->signature ? strchr(m->signature, '(') : NULL;

    snprintf(out, room, "%s%s%s%s", m->class_name ? m->class_name : "",
             m->class_name ? "." : "", m->name, args ? args : "");
}

static bool method_frame(struct scenario *s, int line, int process,
                         int64_t at, const char *alias, size_t n,
                         uint64_t offset, struct meaning *out)
{
    const struct method *m = NULL;
    const struct image *image;

    for (size_t i = 0; i < s->methods.count; i++)
        if (strlen(s->methods.items[i].alias) == n &&
            memcmp(s->methods.items[i].alias, alias, n) == 0)
            m = &s->methods.items[i];
    if (!m || m->process != process)
        return scenario_fail(s, line, "no method %.*s in this process",
                             (int)n, alias);
    out->address = m->start + offset;
    if (offset >= m->size || method_at(s, process, at, out->address) != m)
        return scenario_fail(s, line, "method %s is not there at that time",
                             m->alias);
    method_name(m, out->function, sizeof(out->function));
    image = image_at(s, process, at, out->address);
    if (image)
        out->module = scenario_base_name(image->name);
    else
        out->module = m->kind == METHOD_SCRIPT ? "[script]" : "[jit]";
    return true;
}

static bool image_frame(struct scenario *s, int line, int process, int64_t at,
                        const char *name, size_t n, uint64_t offset,
                        struct meaning *out)
{
    for (size_t i = 0; i < s->images.count; i++) {
        const struct image *m = &s->images.items[i];
        const char *base = scenario_base_name(m->name);
        if (strlen(base) != n || memcmp(base, name, n) != 0 ||
            (m->process != process && m->process != KERNEL) ||
            at < m->load || at >= m->unload || offset >= m->size)
            continue;
        out->address = m->base + offset;
        out->module = base;
        snprintf(out->function, sizeof(out->function), "%s!+0x%" PRIx64,
                 base, offset);
        return true;
    }
    return scenario_fail(s, line, "no image %.*s there at that time", (int)n,
                         name);
}

static bool bare_frame(struct scenario *s, int line, int process, int64_t at,
                       uint64_t address, struct meaning *out)
{
    if (image_at(s, process, at, address) ||
        method_at(s, process, at, address))
        return scenario_fail(s, line, "0x%" PRIx64 " is covered by a name",
                             address);
    out->address = address;
    out->module = "[unknown]";
    snprintf(out->function, sizeof(out->function), "0x%" PRIx64, address);
    return true;
}

bool scenario_frame(struct scenario *s, int line, int process, int64_t at,
                    const char *text, struct meaning *out)
{
    const char *plus = strrchr(text, '+');
    size_t n = plus ? (size_t)(plus - text) : strlen(text);
    uint64_t offset = plus ? strtoull(plus + 1, NULL, 0) : 0;

    if (strncmp(text, "method:", 7) == 0)
        return method_frame(s, line, process, at, text + 7, n - 7, offset,
                            out);
    if (strncmp(text, "0x", 2) == 0)
        return bare_frame(s, line, process, at, strtoull(text, NULL, 16),
                          out);
    return image_frame(s, line, process, at, text, n, offset, out);
}

static int process_index(const struct scenario *s, const struct shot *h)
{
    return s->threads.items[h->thread].process;
}

size_t scenario_addresses(struct scenario *s, const struct shot *h, int stack,
                          uint64_t out[MAX_FRAMES])
{
    const struct stack *k = &s->stacks.items[stack];
    struct meaning m = { 0 };

    for (size_t i = 0; i < k->count; i++) {
        scenario_frame(s, h->line, process_index(s, h), h->at, k->frames[i],
                       &m);
        out[i] = m.address;
    }
    return k->count;
}

static bool add_meaning(struct scenario *s, const struct shot *h,
                        const char *frame, struct answer *answer,
                        uint32_t *out)
{
    struct meaning m = {0};

    if (!scenario_frame(s, h->line, process_index(s, h), h->at, frame, &m))
        return false;
    *out = answer_frame(answer, m.function, m.module);
    return true;
}

static bool add_stack(struct scenario *s, const struct shot *h, int stack,
                      struct answer *answer, uint32_t *out, size_t *n)
{
    const struct stack *k = &s->stacks.items[stack];

    for (size_t i = 0; i < k->count; i++)
        if (!add_meaning(s, h, k->frames[i], answer, &out[(*n)++]))
            return false;
    return true;
}

static int64_t user_fragment_time(const struct shot *h)
{
    return h->late != NEVER ? h->late : h->at + USER_DELAY;
}

/* Does another shot's user fragment end the stay that h belongs to? */
static const struct shot *stay_of(const struct scenario *s,
                                  const struct shot *h)
{
    for (size_t i = 0; i < s->shots.count; i++) {
        const struct shot *o = &s->shots.items[i];
        if (o != h && o->thread == h->thread && o->user >= 0 && !o->shared &&
            o->via != VIA_LOST && o->at <= h->at &&
            user_fragment_time(o) > h->at + KERNEL_DELAY)
            return o;
    }
    return NULL;
}

static bool check_stay(struct scenario *s, const struct shot *h)
{
    const struct shot *stay = stay_of(s, h);
    uint32_t pid = s->processes.items[process_index(s, h)].pid;

    if (h->shared && (!stay || stay->user != h->user || h->kernel < 0))
        return scenario_fail(s, h->line, "shared, but no earlier sample of "
                             "this stay writes that user stack later");
    if (h->user < 0 && h->kernel >= 0 && stay && pid != 0 && pid != 4)
        return scenario_fail(s, h->line, "this kernel stack would get the "
                             "user part of line %d: say shared", stay->line);
    return true;
}

/* (stamp, thread) is what a stack names its event by. */
static bool check_unique(struct scenario *s, const struct shot *h)
{
    for (const struct shot *o = s->shots.items; o < h; o++)
        if (o->at == h->at && o->thread == h->thread && h->thread)
            return scenario_fail(s, h->line, "line %d samples this thread "
                                 "at the same time", o->line);
    return true;
}

static bool check_life(struct scenario *s, const struct shot *h)
{
    const struct thread *t = &s->threads.items[h->thread];

    if (h->at < t->start || h->at >= t->end)
        return scenario_fail(s, h->line, "thread %s is not there at that "
                             "time", t->alias);
    if (h->late != NEVER && h->late < h->at + USER_DELAY)
        return scenario_fail(s, h->line, "late is too early");
    return true;
}

/* A never defined key is no stack: its frames must not be counted. */
static bool user_counts(const struct shot *h)
{
    return h->user >= 0 && h->via != VIA_LOST;
}

static enum answer_stack stack_class(const struct shot *h)
{
    if (user_counts(h))
        return h->kernel >= 0 ? ANSWER_FULL : ANSWER_USER_ONLY;
    return h->kernel >= 0 ? ANSWER_KERNEL_ONLY : ANSWER_NONE;
}

/* The frames that count, leaf first; without a stack the IP alone. */
static bool counted_frames(struct scenario *s, const struct shot *h,
                           struct answer *answer, uint32_t *out, size_t *n)
{
    if (h->kernel >= 0 && !add_stack(s, h, h->kernel, answer, out, n))
        return false;
    if (user_counts(h))
        return add_stack(s, h, h->user, answer, out, n);
    if (h->kernel >= 0)
        return true;
    *n = 1;
    return add_meaning(s, h, h->ip ? h->ip
                                   : s->stacks.items[h->user].frames[0],
                       answer, out);
}

bool scenario_count(struct scenario *s, const struct shot *h,
                    struct answer *answer)
{
    const struct thread *t = &s->threads.items[h->thread];
    const struct process *p = &s->processes.items[t->process];
    uint32_t frames[2 * MAX_FRAMES];
    size_t n = 0;

    if (!check_life(s, h) || !check_unique(s, h) || !check_stay(s, h) ||
        !counted_frames(s, h, answer, frames, &n))
        return false;
    if (h->fault)
        return true;
    if (t->tid == 0 && h->bits == 0) {
        answer_idle(answer, 1);
        return true;
    }
    answer_sample(answer, answer_process(answer, p->pid, p->name),
                  answer_thread(answer, p->pid, t->tid), stack_class(h),
                  frames, n);
    return true;
}
