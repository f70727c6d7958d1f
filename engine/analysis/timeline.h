/*
 * timeline - when the rows of a ranking ran.
 *
 *     struct over_time t = {.buckets = 32};
 *     over_time_count(&t, p, sel, ranking, RANK_FUNCTION, shown);
 *     t.inclusive[row * t.buckets + bucket]
 *     over_time_release(&t);
 *
 * The selected time is cut into parts of equal length, the first of which may
 * be a nanosecond longer than the last. A sample counts in the part that its
 * time is in, once for a row however often that recurs on the stack. The time
 * of threads and processes (thread_states.h) goes to the parts that it covers.
 */
#ifndef TOPFN_TIMELINE_H
#define TOPFN_TIMELINE_H

#include "engine/analysis/filter.h"
#include "engine/analysis/rank.h"

enum { BUCKETS_MOST = 10000 };

struct over_time {
    size_t buckets;                  /* to be set */
    bool exclusive_only;             /* `inclusive` is not asked for, and 0 */
    int64_t from, to;                /* the time that is cut */
    uint64_t *exclusive, *inclusive; /* by row and bucket */
    uint64_t *all;                   /* by bucket */
    /* By row, state and bucket: the time of threads that rows are; or NULL. */
    uint64_t *states;
};

/* Counts the first `rows` of the ranking, which is one of `by`. */
void over_time_count(struct over_time *t, const struct profile *p,
                     const struct selection *sel, const struct ranking *ranking,
                     enum rank_by by, size_t rows);
void over_time_release(struct over_time *t);

/* The time at which a bucket begins. The one after the last begins at `to`. */
int64_t over_time_start(const struct over_time *t, size_t bucket);

/*
 * phases - parts of a trace in which other functions ran.
 *
 *     struct phases phases = {.parts = {0}};
 *     phases_find(&phases, p, sel);
 *     for (size_t i = 0; i < phases.parts.len; i++)
 *         use(phases.parts.data[i].from, phases.parts.data[i].to);
 *     phases_release(&phases);
 *
 * The time is cut where the mix of functions that samples were taken in
 * differs most before and after, then each part again. A cut stays if the mix
 * differs by more than it does from one moment to the next anyway (a
 * likelihood ratio, by how much neighbouring moments vary), if a tenth of the
 * samples would have to be another function's, and if each part is at least
 * a 32nd of the time and has 30 samples. One part means that there is no such
 * place.
 */

enum { PHASES_MOST = 12 };

struct phase {
    int64_t from, to; /* the first is open at its beginning: TIME_MIN, the
                         last at its end: TIME_MAX */
    uint64_t samples;
    uint32_t function; /* that most of them were taken in; NO_ID: none */
    uint64_t taken;    /* how many */
};

struct phases {
    VEC(struct phase) parts; /* in order of time */
};

void phases_find(struct phases *phases, const struct profile *p,
                 const struct selection *sel);
void phases_release(struct phases *phases);

#endif
