/*
 * Of aggregate's own files: aggregate.c groups frames, aggregate_walk.c counts.
 */
#ifndef TOPFN_AGGREGATE_IMPL_H
#define TOPFN_AGGREGATE_IMPL_H

#include "engine/analysis/aggregate.h"

/* By group; of inlined code behind those of all, if it is counted. */
struct aggregate_counts {
    uint64_t *exclusive, *inclusive;
};

/* Of `samples`, by stack. To be freed. */
struct aggregate_counts aggregate_stacks(const struct aggregate *groups,
                                         const struct profile *p,
                                         const struct preorder *order,
                                         const uint64_t *samples, bool inlined);

#endif
