/*
 * Of aggregate's own files: aggregate.c groups frames, aggregate_tree.c and
 * aggregate_rows.c count them in stacks of either kind.
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

/* What is counted. */
struct counted {
    const uint64_t *samples;      /* by stack */
    const struct row_count *rows; /* the same of rows, if stacks are rows */
};

/* Stacks of one kind. */
struct aggregate_stacks {
    /* How many tasks it is to count them. */
    size_t (*tasks)(const struct profile *p);
    /* Adds to the counts of all workers, each to its own. */
    void (*count)(const struct grouped *g, const struct counted *counted,
                  const struct aggregate_counts *of_workers,
                  struct threads *pool);
};

extern const struct aggregate_stacks aggregate_tree, aggregate_rows;

#endif
