/*
 * aggregate - exclusive and inclusive counts of code, grouped.
 *
 *     struct aggregate groups = {0};
 *     aggregate_count(&groups, p, sel, RANK_MODULE);
 *     for (size_t i = 0; i < groups.first.len; i++)
 *         use(groups.exclusive[i], groups.inclusive[i]);
 *     aggregate_release(&groups);
 *
 * The counting behind rank.h, without names and order. Callers that group
 * frames in another way fill in `first` and `of_frame` and call
 * aggregate_add_up.
 */
#ifndef TOPFN_AGGREGATE_H
#define TOPFN_AGGREGATE_H

#include "engine/analysis/filter.h"

enum rank_by {
    RANK_FUNCTION,
    RANK_MODULE, /* image or code area, without regard to ASCII case */
    RANK_PROCESS,
    RANK_THREAD,
    RANK_FILE,
    RANK_LINE,
    RANK_ADDRESS, /* locations of equal profile_location_name are one row */
    RANK_KIND,
    RANK_WAIT,  /* running, ready, blocked and why: of thread time */
    RANK_LABEL, /* inputs of a joined profile, such as a fleet's versions */
    RANK_VALUE, /* of the field of events that was asked for */
    RANK_GROUPINGS /* how many */
};

/* The frame a group was first met in, in order of locations. */
struct aggregate_first {
    uint32_t location, frame;
};

struct aggregate {
    VEC(struct aggregate_first) first; /* by group */
    uint64_t *exclusive;           /* by group */
    uint64_t *inclusive;           /* by group; 0: not in the selection */
    /* The part of these in which the group's code was inlined; NULL if nothing
     * was inlined. They are in the same allocation. */
    uint64_t *inlined_exclusive, *inlined_inclusive;
    /* Sums of the samples' periods; NULL if they have none. */
    uint64_t *exclusive_period, *inclusive_period;
    uint32_t *of_frame; /* group by frame id; NO_ID: in none */
};

/* The groups, not counted yet. Not for processes, threads and inputs, which are
 * no property of a frame. */
void aggregate_group(struct aggregate *groups, const struct profile *p,
                     enum rank_by by);
/* The same, and counts them. */
void aggregate_count(struct aggregate *groups, const struct profile *p,
                     const struct selection *sel, enum rank_by by);
/* Counts groups that are there already; again, where they were counted. */
void aggregate_add_up(struct aggregate *groups, const struct profile *p,
                      const struct selection *sel);
void aggregate_release(struct aggregate *groups);

#endif
