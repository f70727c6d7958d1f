/*
 * metric - what the samples of a profile count.
 *
 * One row for each that means more than its name. Whatever depends on the
 * metric asks its row; a name is compared nowhere else:
 *
 *     if (profile_metric(p)->wall_clock)
 *         warn_of_waiting_threads();
 *
 * METRIC_EVENTS is the row of all others: events of one kind, which a person
 * asked for by the name that the trace has for them.
 */
#ifndef TOPFN_METRIC_H
#define TOPFN_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/out.h"

struct profile;

enum metric_id {
    METRIC_EVENTS,
    METRIC_CPU_SAMPLES,
    METRIC_EVENT_SAMPLES,
    METRIC_THREAD_SAMPLES,
    METRIC_THREAD_TIME, /* until the thread's next sample, as dotnet-trace
                           report weighs it */
    METRIC_LIFETIME, /* of threads, divided by context switches: all of it, or
                        what they ran, were ready, were blocked */
    METRIC_RUNNING_TIME,
    METRIC_READY_TIME,
    METRIC_BLOCKED_TIME,
    METRIC_WAKER_TIME, /* blocked, with the threads that ended it */
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
                            (below); NULL: samples */
    bool wall_clock; /* of threads that run or wait, not of work */
    /* The innermost address of a stack is one that a call returns to, too:
     * the recorder stops threads there, or a call wrote the event. */
    bool leaves_return;
};

/* The metric of this word, METRIC_EVENTS if it has no row of its own. */
enum metric_id metric_by_word(const char *word);

struct recorded_metric {
    enum metric_id id;
    uint32_t word; /* string: that of the row, or the events' own name */
    uint32_t unit; /* string: what weights are, as the input says: "samples",
                      "bytes", "milliseconds", "objects" */
    uint32_t decimals; /* of a weight, which is a whole number: 1500 is 1.5
                          units where these are 3 */
};

/* States the metric, by its id or, for events and in a database, by its
 * word. Weights have the unit of its row until profile_set_unit is called. */
void profile_set_metric(struct profile *p, enum metric_id id);
void profile_set_metric_word(struct profile *p, const char *word);
void profile_set_unit(struct profile *p, const char *unit, uint32_t decimals);

/* Its row, and its word: "" where no metric was stated. */
const struct metric *profile_metric(const struct profile *p);
const char *profile_metric_word(const struct profile *p);

/* True where the innermost address of a stack is one that a call returns to. */
bool profile_leaves_return(const struct profile *p);

/* ---- units of weights ---- */

/* The unit is the word that the input has for it, and weights are its numbers:
 * nothing is converted when a file is read or exported. Numbers with a fraction
 * are whole numbers with a count of decimals (struct recorded_metric). Two profiles
 * are compared or merged in the finer unit of both. */

/* Decimals that a reader keeps at most. */
enum { WEIGHT_DECIMALS_MOST = 9 };

/* Nanoseconds in a unit of time, "milliseconds" or "ms"; 0: it is none. */
uint64_t unit_nanoseconds(const char *unit);

/* The length of a fraction that a unit begins with, and how many decimals that
 * makes: 6 and 3 of "0.001 samples". 0: there is none. */
size_t unit_fraction(const char *unit, uint32_t *decimals);

/* The metric with its unit where the metric alone does not tell that:
 * "alloc_space, bytes", "samples, 0.001 samples". */
void out_metric(struct out *out, const struct profile *p);
void profile_set_metric_text(struct profile *p, const char *text);

/* The word of the unit, as the input says it; "samples" if it says none. */
const char *profile_unit(const struct profile *p);

/* The unit of `n` weights, for a person: "sample", "samples", "byte", "cycles",
 * "alloc_objects"; "units" where the input's word is no plain text. */
const char *profile_unit_text(const struct profile *p, uint64_t n);

bool profile_counts_time(const struct profile *p);
bool profile_counts_bytes(const struct profile *p);
bool profile_counts_samples(const struct profile *p);

/* True if samples stand for time: they are taken at an interval, or weigh it.
 */
bool profile_knows_time(const struct profile *p);

/* The time of a weight; 0 if the unit is no time, UINT64_MAX if it is more. */
uint64_t profile_nanoseconds(const struct profile *p, uint64_t weight);

/* 1000 for three decimals. */
uint64_t power_of_ten(uint32_t decimals);

/* True if two profiles count the same thing, perhaps in different time units.
 */
bool profile_same_metric(const struct profile *a, const struct profile *b);

/* For messages about profiles that count different things: the metric's word,
 * or the unit where both have the same word. */
const char *profile_metric_beside(const struct profile *p,
                                  const struct profile *other);

/* A unit in which the weights of several profiles are whole numbers. */
struct weight_scale {
    const char *unit;
    uint32_t decimals;
};

/* The coarsest one of profiles with the same metric. */
struct weight_scale weight_scale_of(const struct profile *const *profiles,
                                    size_t count);

/* A weight of the profile in that unit; WEIGHTS_MOST if it is more. */
uint64_t weight_in(const struct profile *p, const struct weight_scale *to,
                   uint64_t weight);

/* Converts all weights. Call before samples are selected. */
void profile_scale_weights(struct profile *p, const struct weight_scale *to);

/* Converts those of all profiles to one unit, unless metrics differ. */
void profiles_in_one_unit(struct profile *const *profiles, size_t count);

#endif
