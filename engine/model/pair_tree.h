/*
 * pair_tree - where the stacks of pairs of rows part from each other.
 *
 * The frames of a pair are a path from the root: those of its outer row, then
 * those of its inner one. Pairs are added in the order of their numbers. The
 * first of its frames others have had before; from some frame on all of them
 * are its own. So a stack is named by the pair whose own it is and its depth,
 * and all that is kept of a pair is where it leaves the others.
 *
 *     struct pair_tree tree = {.rows = rows, .pairs = pairs};
 *     struct map turns = {0};
 *     tree.branches = mem_new(n, sizeof(*tree.branches));
 *     for (uint32_t i = 0; i < n; i++)
 *         pair_tree_add(&tree, &turns, i, (struct pair_frame){NO_ID, 0});
 *     use(tree.branches[0].known);
 */
#ifndef TOPFN_PAIR_TREE_H
#define TOPFN_PAIR_TREE_H

#include "engine/model/profile.h"

struct pair_branch {
    uint32_t from;  /* the pair whose own the last known frame is, or NO_ID */
    uint16_t known; /* frames that pairs before it have */
    uint16_t depth; /* all of them */
};

/* A frame of a pair, counted from the outermost, which is 1. */
struct pair_frame {
    uint32_t pair; /* NO_ID: the root */
    uint32_t depth;
};

struct pair_tree {
    const struct location_row *rows;
    const struct row_pair *pairs;
    struct pair_branch *branches; /* by pair */
};

/* The same stack, named by the pair whose own it is. */
static inline struct pair_frame pair_tree_owned(const struct pair_tree *tree,
                                                struct pair_frame at)
{
    while (at.pair != NO_ID && tree->branches[at.pair].known >= at.depth)
        at.pair = tree->branches[at.pair].from;
    return at;
}

/* Adds a pair, which goes on from `at`, an owned one. Where pairs leave
 * others, `turns` leads to them; of several such maps each knows the pairs
 * that were added with it. */
void pair_tree_add(struct pair_tree *tree, struct map *turns, uint32_t pair,
                   struct pair_frame at);

/* Writes the frames that are a pair's own from `first` on, each called by the
 * one before it and the outermost of them by `parent`. */
void pair_tree_write(const struct pair_tree *tree, uint32_t pair,
                     uint32_t parent, struct stack *stacks, uint32_t first);

#endif
