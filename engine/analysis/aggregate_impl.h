/*
 * Shared by the two files of aggregate: aggregate.c groups frames, and
 * aggregate_tree.c counts the groups in the tree of stacks.
 */
#ifndef TOPFN_AGGREGATE_IMPL_H
#define TOPFN_AGGREGATE_IMPL_H

#include "engine/analysis/aggregate.h"
#include "engine/base/threads.h"

/* Frames as groups. Inlined code of a group is counted as that of another one
 * as well, whose number is as much higher as there are groups. */
struct grouped {
    const struct profile *p;
    const uint32_t *of_location; /* see aggregate_by_location */
    const uint32_t *of_frame;
    uint32_t inlined; /* added to a group; 0: not counted */
    size_t count;     /* of both kinds */
};

/* By group; of inlined code behind those of all, if it is counted. */
struct aggregate_counts {
    uint64_t *exclusive, *inclusive;
};

/* How many tasks it is to count the stacks of a profile. */
size_t aggregate_tree_tasks(const struct profile *p);

/* Adds samples, by stack, to the counts of all workers, each to its own. */
void aggregate_tree_count(const struct grouped *g, const uint64_t *samples,
                          const struct aggregate_counts *of_workers,
                          struct threads *pool);

#endif
