/*
 * filter - which samples a report is about.
 *
 * A filter names what to keep; a selection is the result: for every stack
 * and every thread the number of selected samples, and their totals. Samples
 * are looked at once; reports then work on distinct stacks.
 *
 *     struct filter filter = {.pid = 3644, .has_pid = true};
 *     struct selection *sel = selection_new(profile, &filter);
 *     ...
 *     selection_free(sel);
 */
#ifndef TOPFN_FILTER_H
#define TOPFN_FILTER_H

#include "engine/model/profile.h"

struct filter {
    const char *module; /* glob over the innermost frame's module */
    /* Any of these: an id, a name without regard to case, a glob of it.
     * Empty: all. */
    VEC(const char *) processes, threads;
    bool has_pid, has_tid, has_time;
    uint32_t pid, tid;
    int64_t from, to; /* keep from <= time < to */
    bool include_idle;
    uint8_t types; /* SAMPLE_EXTERNAL, SAMPLE_MANAGED or both; 0: all */
};

struct selection {
    uint64_t *stack_counts;  /* by stack id */
    uint64_t *thread_counts; /* by thread id */
    uint64_t samples;        /* the sum of either */
    uint64_t idle;           /* idle samples left out, otherwise matching */
    uint64_t by_class[4];    /* by enum stack_class */
    uint64_t unresolved;     /* innermost frame without a function name */
    uint64_t by_cause[CAUSE_KINDS];
    struct filter filter; /* as given; its lists and strings are the caller's */
    /* What selection_has looks up. NULL: nothing of this kind is refused. */
    bool *threads_refused, *locations_refused;
};

/* Whether a process or thread of this id and name is one of these words. */
bool filter_word_is(const char *word, uint32_t id, const char *name);

/* Whether a filter needs no more of idle samples than their number. */
bool filter_only_counts_idle(const struct filter *filter);

/* Everything but idle samples, when `filter` is NULL. */
struct selection *selection_new(const struct profile *p,
                                const struct filter *filter);
void selection_free(struct selection *sel);

/* Whether this row of the samples is selected, for reports that need more of
 * a sample than its stack or thread. */
bool selection_has(const struct profile *p, const struct selection *sel,
                   size_t sample);

/* How many samples row `sample` stands for. */
static inline uint32_t sample_weight(const struct profile *p, size_t sample)
{
    return p->samples.weight ? p->samples.weight[sample] : 1;
}

/* By stack id: the selected samples whose stack begins (outermost) with this
 * one. To be freed. */
uint64_t *selection_inclusive(const struct profile *p,
                              const struct selection *sel);

#endif
