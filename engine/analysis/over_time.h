/*
 * over_time - when the rows of a ranking ran.
 *
 *     struct over_time t = {.buckets = 32};
 *     over_time_count(&t, p, sel, ranking, RANK_FUNCTION, shown);
 *     t.inclusive[row * t.buckets + bucket]
 *     over_time_release(&t);
 *
 * The selected time is cut into parts of equal length, the first of which may
 * be a nanosecond longer than the last. A sample counts in the part that its
 * time is in, once for a row however often that recurs on the stack.
 */
#ifndef TOPFN_OVER_TIME_H
#define TOPFN_OVER_TIME_H

#include "engine/analysis/rank.h"

enum { BUCKETS_MOST = 10000 };

struct over_time {
    size_t buckets;                  /* to be set */
    bool exclusive_only;             /* `inclusive` is not asked for, and 0 */
    int64_t from, to;                /* the time that is cut */
    uint64_t *exclusive, *inclusive; /* by row and bucket */
    uint64_t *all;                   /* by bucket */
};

/* Of the first `rows` of the ranking, which is one of `by`. */
void over_time_count(struct over_time *t, const struct profile *p,
                     const struct selection *sel, const struct ranking *ranking,
                     enum rank_by by, size_t rows);
void over_time_release(struct over_time *t);

/* Where a bucket begins; that behind the last is `to`. */
int64_t over_time_start(const struct over_time *t, size_t bucket);

#endif
