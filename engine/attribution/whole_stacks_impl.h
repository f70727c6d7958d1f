/*
 * whole_stacks_impl - what the making of shares of stacks and their joining
 * have in common.
 */
#ifndef TOPFN_WHOLE_STACKS_IMPL_H
#define TOPFN_WHOLE_STACKS_IMPL_H

#include "engine/attribution/whole_stacks.h"

enum { MOST_SHARES = 256 };

/*
 * One pair in its share. Its stack goes on from one that was known; what is
 * new lies in sequence, here as in the joint table, and is the inner end of
 * its rows: so the table of a share is not kept.
 */
struct made {
    uint32_t pair;
    uint32_t known, known_by; /* and the pair in the share that made that */
    uint32_t first, len;      /* new ones, in the table of the share */
    uint32_t deep;            /* from here on no other share has them */
    uint32_t roots; /* the share's before this, of those that others may have */
    uint32_t end;   /* of the new ones, in the joint table */
};

struct share {
    struct row_pair *pairs; /* in the order they came in */
    size_t count;
    struct made *made;   /* by pair */
    size_t joined;       /* pairs */
    VEC(uint32_t) roots; /* what others may have, in the joint table */
    size_t stacks;       /* how many it has */
};

struct making {
    const struct location_row *rows;
    size_t row_count;
    uint16_t *share_of_row, *share_of; /* by row, by pair */
    struct row_pair *pairs;            /* all of them, share by share */
    uint32_t *outer_stacks; /* by row, in the table of its share; 0: not yet */
    struct stack_table *joint;
    uint32_t *stacks;             /* in that, by pair */
    struct workplace *workplaces; /* by worker; of whole_stacks.c */
    struct share shares[MOST_SHARES];
    size_t count; /* of shares, a power of two */
};

/* Rows lie anywhere: this one is needed soon. */
static inline void location_row_fetch(const struct location_row *row)
{
    enum { A_LINE = 16 }; /* locations */

    for (uint32_t i = 0; i < row->count; i += A_LINE)
        __builtin_prefetch(&row->locations[i]);
}

/* Joins shares that are made, in the order of all pairs, and frees what was
 * made of them. */
void whole_stacks_join(struct making *m, size_t pairs, struct threads *pool);

#endif
