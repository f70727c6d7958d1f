/*
 * store_tree - the call tree and its calls as tables.
 *
 *     struct store_tree t;
 *     store_tree_init(&t, tree);
 *     result = store_tree_write(&t, fill);
 *     store_tree_count_calls(&t, p->functions.len);  // may go on meanwhile
 *     result = store_tree_write_calls(&t, fill);
 *     store_tree_release(&t);
 *
 * Nodes are numbered in the order in which the tree is printed, calls in that
 * of their first node. Results are SQLite's.
 */
#ifndef TOPFN_STORE_TREE_H
#define TOPFN_STORE_TREE_H

#include "engine/analysis/calltree.h"
#include "engine/store/fill.h"

/* A node, in the order of the tree. */
struct tree_place {
    uint32_t node, depth;
};

/* One caller and callee: a sample counts once however often the pair is on
 * its stack. */
struct tree_call {
    uint32_t caller, callee;
    uint64_t samples;
};

struct store_tree {
    const struct calltree *tree;
    struct tree_place *places; /* of all nodes */
    VEC(struct tree_call) calls;
};

/* The tree stays the caller's, and must live as long. */
void store_tree_init(struct store_tree *t, const struct calltree *tree);
void store_tree_release(struct store_tree *t);

int store_tree_write(const struct store_tree *t, const struct store_fill *fill);

/* Reads the tree and its order alone; its functions are below that number. */
void store_tree_count_calls(struct store_tree *t, size_t functions);
int store_tree_write_calls(const struct store_tree *t,
                           const struct store_fill *fill);

#endif
