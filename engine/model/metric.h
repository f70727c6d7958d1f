/*
 * metric - what the samples of a profile count.
 *
 * One row for each that means more than its name. Whatever depends on the
 * metric asks its row; a name is compared nowhere else:
 *
 *     if (metric_row(p->trace.metric.id)->wall_clock)
 *         warn_of_waiting_threads();
 *
 * METRIC_EVENTS is the row of all others: events of one kind, which a person
 * asked for by the name that the trace has for them.
 */
#ifndef TOPFN_METRIC_H
#define TOPFN_METRIC_H

#include <stdbool.h>

enum metric_id {
    METRIC_EVENTS,
    METRIC_CPU_SAMPLES,
    METRIC_EVENT_SAMPLES,
    METRIC_THREAD_SAMPLES,
    METRIC_THREAD_TIME, /* until the thread's next sample, as dotnet-trace
                           report weighs it */
    METRIC_WAIT_TIME,   /* waited for a lock */
    METRIC_CPU_TIME,
    METRIC_TIME, /* of what, its recorder does not say */
    METRIC_CONTEXT_SWITCHES,
    METRIC_PAGE_FAULTS,
    METRIC_ALLOCATIONS,
    METRIC_EXCEPTIONS,
    METRIC_CONTENTIONS,
    METRIC_ALLOCATED,  /* bytes, of the .NET heap */
    METRIC_HEAP,       /* bytes, of a heap of the system */
    METRIC_RESERVED,   /* bytes of address space */
    METRIC_FAULT_TIME, /* waited for pages that were read */
    METRIC_COUNTER,    /* of the processor: "pmc", or "pmc:" and its name */
    METRIC_PERIODS,    /* events that samples stand for: "period:" and their
                          name, "period:cycles" */
    METRICS            /* how many */
};

struct metric {
    const char *word;    /* "cpu-samples"; of METRIC_EVENTS "" */
    const char *meaning; /* "CPU samples"; NULL: the word says it */
    const char *unit;    /* of weights, unless a reader says another
                            (weight_unit.h); NULL: samples */
    bool wall_clock; /* of threads that run or wait, not of work */
    /* The innermost address of a stack is one that a call returns to, too:
     * the recorder stops threads there, or a call wrote the event. */
    bool leaves_return;
};

const struct metric *metric_row(enum metric_id id);

/* The metric of this word, METRIC_EVENTS if it has no row of its own. */
enum metric_id metric_by_word(const char *word);

/* What weights of this metric are where nothing else is said: "samples". */
const char *metric_unit(const char *word);

#endif
