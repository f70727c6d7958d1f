/*
 * filter - which samples a report is about.
 *
 * A filter names what to keep; a selection is the result: for every stack
 * and every thread the number of selected samples, and their totals. Samples
 * are looked at once; reports then work on distinct stacks.
 *
 *     struct filter filter = {.include_idle = true};
 *     algebra_apply(profile, &filter, NULL);
 *     struct selection *sel = selection_new(profile, &filter);
 *     ...
 *     selection_free(sel);
 */
#ifndef TOPFN_FILTER_H
#define TOPFN_FILTER_H

#include "engine/model/profile.h"

/* Words of a person; those of lists live elsewhere, the lists are the
 * filter's own. */
struct words {
    const char **data;
    size_t len, cap;
};

struct cpu_range {
    uint16_t from, to; /* to: the last one */
};

/* A process or thread is chosen by its id or by a pattern of its name
 * (pattern.h): any of the words, and none of those behind a "!". */
enum waits_choice { WAITS_COUNTED, WAITS_LEFT_OUT, WAITS_ALONE };

struct filter {
    bool has_time;
    bool in_percent; /* from and to are hundredths of a percent of the trace */
    int64_t from, to; /* keep from <= time < to */
    struct words processes, threads; /* empty: all */
    VEC(struct cpu_range) cpus;      /* any of them; empty: all */
    bool include_idle;
    uint8_t waits; /* enum waits_choice, of samples that waiting_mark marked */
    uint8_t types; /* SAMPLE_EXTERNAL, SAMPLE_MANAGED or both; 0: all */
    /* Questions about stacks, which algebra.h explains: answered once, before
     * samples are selected. */
    struct words mine, groups, folds, focus, ignore, leaves, modules, show_from,
        to_any;
    /* Not empty: only samples in the profile's `between`, which is what these
     * words mean in its trace. */
    struct words between;
    uint32_t fold_percent; /* hundredths of a percent; 0: nothing */
    uint8_t kinds;         /* 1 << enum leaf_kind; 0: all */
    uint8_t tiers;         /* 1 << enum code_tier; 0: all */
};

struct selection {
    uint64_t *stack_counts;  /* by stack id */
    uint64_t *thread_counts; /* by thread id */
    uint64_t *location_counts; /* by location id, as the innermost one */
    uint64_t samples;          /* the sum of each of them */
    /* Sums of the samples' periods; NULL if they have none. */
    uint64_t *stack_periods, *thread_periods;
    uint64_t period;
    uint64_t whole;          /* without any filter; idle ones as it says */
    uint64_t idle;           /* idle samples left out, otherwise matching */
    uint64_t waiting;        /* matching samples of waiting threads, left out
                                or not */
    uint64_t by_class[4];    /* by enum stack_class */
    uint64_t by_end[STACK_ENDS];
    uint64_t unresolved;     /* innermost frame without a function name */
    uint64_t by_cause[CAUSE_KINDS];
    struct filter filter;  /* as given, its times as such; its lists and
                              strings are the caller's */
    bool *threads_refused; /* by thread; NULL: none */
};

/* True if the word means a process or thread of this id and name. */
bool filter_word_is(const char *word, uint32_t id, const char *name);

/* By process: whether the filter keeps it; NULL: it keeps all. To be freed. */
bool *filter_wanted_processes(const struct profile *p,
                              const struct filter *filter);

/* True if samples of waiting threads match, but are left out. */
bool selection_leaves_waiting(const struct selection *sel);

/* True if the filter asks anything that algebra.h does. */
bool filter_asks_stacks(const struct filter *filter);

/* True if the filter asks nothing but to count idle samples. */
bool filter_is_empty(const struct filter *filter);

/* True if a filter needs no more of idle samples than their number. */
bool filter_only_counts_idle(const struct filter *filter);

/* True if it needs each sample's time or processor. */
bool filter_needs_times(const struct filter *filter);

void filter_release(struct filter *filter);

/* Percent become times of a trace that is so long, ns. */
void filter_set_length(struct filter *filter, int64_t length);

/* Everything but idle samples, when `filter` is NULL. */
struct selection *selection_new(const struct profile *p,
                                const struct filter *filter);
void selection_free(struct selection *sel);

/* The length of the recording that the filter's times select, in ns. */
int64_t selection_duration(const struct profile *p,
                           const struct selection *sel);

/* True if this row of the samples is selected; for reports that need more of
 * a sample than its stack or thread. */
bool selection_has(const struct profile *p, const struct selection *sel,
                   size_t sample);

/* The number of samples that row `sample` stands for. */
static inline uint64_t sample_weight(const struct profile *p, size_t sample)
{
    return p->samples.weight ? p->samples.weight[sample] : 1;
}

/* ---- the distinct stacks of each process or thread ---- */

/* The same stack occurs in several of them, as images and the kernel are
 * shared. */
struct owned_stack {
    uint32_t owner;       /* process or thread */
    uint32_t stack;       /* may be 0: without frames */
    uint64_t rows, count; /* samples in the trace; their weight */
};

typedef VEC(struct owned_stack) owned_stacks;

/* Adds those of all selected samples to an empty list, in the order in which
 * they were met. `threads`: by thread, not by process. */
void owned_stacks_count(owned_stacks *list, const struct profile *p,
                        const struct selection *sel, bool threads);

/* By owner, and those of one by stack: parents come first. */
void owned_stacks_sort(owned_stacks *list);

#endif
