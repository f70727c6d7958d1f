/*
 * page_tree - the distinct stacks of one or two sides, as a page has them.
 *
 *     struct page_stacks stacks = {0};
 *     struct page_tree tree = {0};
 *
 *     page_stacks_add(&stacks, &(struct page_side){.p = p, .sel = sel});
 *     page_tree_make(&tree, &stacks, 200000);
 *     use(tree.nodes.data, tree.nodes.len);
 *     page_tree_release(&tree);
 *     page_stacks_release(&stacks);
 *
 * A node is a function below those that called it, in any process; inlined
 * calls are nodes of their own. In the tree parents come before what they
 * called and siblings in order of their names, whatever the order of samples
 * was. Of more nodes than asked for those with fewest samples go: what they
 * had is in a node "[other]" of the nearest caller that stayed.
 */
#ifndef TOPFN_PAGE_TREE_H
#define TOPFN_PAGE_TREE_H

#include "engine/analysis/filter.h"
#include "engine/base/arena.h"
#include "engine/base/map.h"
#include "engine/diff/pair.h"

struct page_function {
    const char *label, *name, *module; /* as text for a person */
    uint8_t kind;                      /* enum code_kind */
    bool nameless, waits, mine, runtime; /* as --group means the last two */
    uint32_t id; /* the profile's function, or the unit of the pairs */
};

struct page_node {
    uint32_t parent, function;
    uint32_t depth; /* of the root 0 */
    bool inlined;
    uint64_t count[2]; /* samples that end here, of each side */
};

/* What is added: a profile's selected samples. */
struct page_side {
    const struct profile *p;
    const struct selection *sel;
    bool after;
    const struct diff_pairs *pairs; /* NULL: functions are the profile's */
    const uint32_t *unit_of;        /* of `pairs`, by function */
};

/* As they come. */
struct page_stacks {
    VEC(struct page_function) functions;
    VEC(struct page_node) nodes; /* the first is the root */
    struct map node_ids, unit_ids;
    uint32_t *node_of; /* by stack, of the side added last: its node; 0: none */
    struct arena arena; /* texts */
};

struct page_tree {
    VEC(struct page_function) functions;
    VEC(struct page_node) nodes;
    uint32_t *place; /* by node as they came: its node, or "[other]" */
    size_t left_out; /* nodes */
    uint64_t left_out_samples;
};

void page_stacks_add(struct page_stacks *stacks, const struct page_side *side);
void page_stacks_release(struct page_stacks *stacks);

/* At most about `most` nodes, and an "[other]" where some were left out. The
 * stacks must outlive it. */
void page_tree_make(struct page_tree *tree, const struct page_stacks *stacks,
                    size_t most);
void page_tree_release(struct page_tree *tree);

#endif
