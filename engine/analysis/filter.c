#include "engine/analysis/filter.h"

#include <stdio.h>
#include <string.h>

#include "engine/base/text.h"

bool filter_word_is(const char *word, uint32_t id, const char *name)
{
    char number[16], hex[16];

    snprintf(number, sizeof(number), "%u", (unsigned)id);
    snprintf(hex, sizeof(hex), "0x%x", (unsigned)id);
    return !strcmp(word, number) || ascii_same(word, hex) ||
           glob_match(word, name);
}

static bool is_any(const char *const *words, size_t n, uint32_t id,
                   const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (filter_word_is(words[i], id, name))
            return true;
    return !n;
}

static bool thread_wanted(const struct profile *p, const struct filter *f,
                          const struct thread *t)
{
    const struct process *process = &p->processes.data[t->process];

    if (f->has_tid && t->tid != f->tid)
        return false;
    if (f->has_pid && process->pid != f->pid)
        return false;
    return is_any(f->processes.data, f->processes.len, process->pid,
                  strings_get(p->strings, process->name)) &&
           is_any(f->threads.data, f->threads.len, t->tid,
                  strings_get(p->strings, t->name));
}

static bool *refuse_threads(const struct profile *p, const struct filter *f)
{
    bool *refused;

    if (!f->has_tid && !f->has_pid && !f->processes.len && !f->threads.len)
        return NULL;
    refused = mem_new(p->threads.len, sizeof(*refused));
    for (size_t i = 0; i < p->threads.len; i++)
        refused[i] = !thread_wanted(p, f, &p->threads.data[i]);
    return refused;
}

/* The innermost frame of a location. */
static const struct function *innermost(const struct profile *p,
                                        size_t location)
{
    uint32_t frame = p->frame_start.data[location];

    return &p->functions.data[p->frames.data[frame].function];
}

static bool *refuse_locations(const struct profile *p, const struct filter *f)
{
    bool *refused;

    if (!f->module)
        return NULL;
    refused = mem_new(p->locations.len, sizeof(*refused));
    for (size_t i = 0; i < p->locations.len; i++) {
        const char *image = profile_location_module(p, (uint32_t)i);
        const char *shown =
            strings_get(p->strings, innermost(p, i)->module);

        refused[i] =
            !glob_match(f->module, image) && !glob_match(f->module, shown);
    }
    return refused;
}

/* Everything the filter says but the idle rule. */
static bool matches(const struct profile *p, const struct selection *sel,
                    size_t i)
{
    const struct samples *s = &p->samples;

    if (sel->filter.types && !(s->flags[i] & sel->filter.types))
        return false;
    if (sel->threads_refused && sel->threads_refused[s->thread[i]])
        return false;
    if (sel->locations_refused &&
        sel->locations_refused[p->stacks.data[s->stack[i]].location])
        return false;
    return !sel->filter.has_time || (s->time[i] >= sel->filter.from &&
                                     s->time[i] < sel->filter.to);
}

static bool left_out_as_idle(const struct profile *p,
                             const struct selection *sel, size_t i)
{
    return (p->samples.flags[i] & SAMPLE_IDLE) && !sel->filter.include_idle;
}

bool selection_has(const struct profile *p, const struct selection *sel,
                   size_t sample)
{
    return !left_out_as_idle(p, sel, sample) && matches(p, sel, sample);
}

static void count_samples(const struct profile *p, struct selection *sel)
{
    const struct samples *s = &p->samples;

    for (size_t i = 0; i < s->len; i++) {
        uint32_t weight = sample_weight(p, i);

        if (!matches(p, sel, i))
            continue;
        if (left_out_as_idle(p, sel, i)) {
            sel->idle += weight;
            continue;
        }
        sel->stack_counts[s->stack[i]] += weight;
        sel->thread_counts[s->thread[i]] += weight;
        sel->by_class[stack_class(s->flags[i])] += weight;
        sel->samples += weight;
    }
}

/* By location: a function may stand for unnamed code of several causes. */
static void count_causes(const struct profile *p, struct selection *sel)
{
    for (size_t i = 1; i < p->stacks.len; i++) {
        uint32_t location = p->stacks.data[i].location;
        enum name_cause cause = CAUSE_NONE;

        if (!sel->stack_counts[i])
            continue;
        if (innermost(p, location)->cause != CAUSE_NONE)
            cause = p->locations.data[location].cause;
        sel->by_cause[cause] += sel->stack_counts[i];
        if (cause != CAUSE_NONE)
            sel->unresolved += sel->stack_counts[i];
    }
}

bool filter_only_counts_idle(const struct filter *f)
{
    return !f->include_idle && !f->processes.len && !f->threads.len &&
           !f->module && !f->has_pid && !f->has_tid && !f->has_time;
}

struct selection *selection_new(const struct profile *p,
                                const struct filter *filter)
{
    struct selection *sel = mem_new(1, sizeof(*sel));

    if (filter)
        sel->filter = *filter;
    sel->stack_counts = mem_new(p->stacks.len, sizeof(uint64_t));
    sel->thread_counts = mem_new(p->threads.len, sizeof(uint64_t));
    sel->threads_refused = refuse_threads(p, &sel->filter);
    sel->locations_refused = refuse_locations(p, &sel->filter);
    sel->idle = p->trace.idle_not_kept;
    count_samples(p, sel);
    count_causes(p, sel);
    return sel;
}

void selection_free(struct selection *sel)
{
    if (!sel)
        return;
    free(sel->stack_counts);
    free(sel->thread_counts);
    free(sel->threads_refused);
    free(sel->locations_refused);
    free(sel);
}

/* A parent's id is smaller, so one pass from the end adds up every subtree. */
uint64_t *selection_inclusive(const struct profile *p,
                              const struct selection *sel)
{
    uint64_t *inclusive = mem_new(p->stacks.len, sizeof(*inclusive));

    for (size_t i = p->stacks.len; i-- > 1;) {
        inclusive[i] += sel->stack_counts[i];
        inclusive[p->stacks.data[i].parent] += inclusive[i];
    }
    return inclusive;
}
