/*
 * whole_stacks - the distinct pairs of parts, made into stacks.
 *
 * Samples of equal parts have equal stacks, so those are made per distinct
 * pair: any number of threads find out, each for its share of the pairs, where
 * they part from each other (pair_tree.h), which tells how many stacks of its
 * own a pair has. So stacks are numbered as one thread would, that made the
 * stack of each sample in turn, and lie where they belong at once.
 *
 *     struct whole_stacks whole = {0};
 *     uint32_t id = whole_stacks_add(&whole, outer_row, inner_row);
 *     uint32_t *stacks =
 *         whole_stacks_make(&whole, located.rows.data, located.rows.len,
 *                           &profile->stacks, pool);
 *     use(stacks[id]);
 *     free(stacks);
 */
#ifndef TOPFN_WHOLE_STACKS_H
#define TOPFN_WHOLE_STACKS_H

#include "engine/attribution/located_parts.h"
#include "engine/base/threads.h"

/* Rows of locations: the inner one goes on top, NO_ID if there is none; or
 * parts, before they are rows: then the outer one may be NO_ID, too. */
struct row_pair {
    uint32_t outer, inner;
};

struct whole_stacks {
    VEC(struct row_pair) list;
    VEC(uint32_t) alone; /* by row: its pair without another one, plus one */
    struct map ids;      /* (outer, inner) -> the others */
};

/* The id of this pair, added if new. */
uint32_t whole_stacks_add(struct whole_stacks *whole, uint32_t outer,
                          uint32_t inner);

/* This pair is added soon: where it is looked up is fetched. */
static inline void whole_stacks_soon(const struct whole_stacks *whole,
                                     uint32_t outer, uint32_t inner)
{
    if (inner != NO_ID)
        map_prefetch(&whole->ids, (uint64_t)outer << 32 | inner, 0);
    else if (outer < whole->alone.len)
        mem_fetch(&whole->alone.data[outer]);
}

/* Adds all to `table`, and returns their stacks by id, for the caller to
 * free; none are left. `rows` are those that pairs are of. */
uint32_t *whole_stacks_make(struct whole_stacks *whole,
                            const struct location_row *rows, size_t row_count,
                            struct stack_table *table, struct threads *pool);

#endif
