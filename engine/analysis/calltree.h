/*
 * calltree - CallTreeSampling: who called whom, with counts.
 *
 *     struct selection *sel = selection_new(p, &filter);
 *     struct calltree *tree = calltree_new(p, sel, CALLTREE_TOP_DOWN, 0);
 *     for (size_t i = 1; i < tree->len; i++)
 *         show(&tree->nodes[i]);
 *     calltree_free(tree);
 *
 * Node 0 is the root: no function, inclusive = all selected samples. A node's
 * parent has a smaller index. Siblings are linked in order of inclusive
 * count, largest first, then by name: the order of every printed tree. Every
 * sample is on one path, so subtrees side by side share no sample.
 */
#ifndef TOPFN_CALLTREE_H
#define TOPFN_CALLTREE_H

#include "engine/model/profile.h"
#include "engine/analysis/filter.h"

enum calltree_direction {
    CALLTREE_TOP_DOWN, /* children are callees; root at outermost callers */
    CALLTREE_BOTTOM_UP /* children are callers; root at sampled functions */
};

enum calltree_kind {
    CALLTREE_CODE, /* a function */
    CALLTREE_ROOT,
    CALLTREE_PROCESS,
    CALLTREE_THREAD,
    CALLTREE_STARTUP /* frames that were folded (startup.h) */
};

struct calltree_node {
    uint32_t parent;
    uint32_t function; /* or process or thread; NO_ID for other kinds */
    uint32_t first_child, next_sibling; /* 0: none */
    uint32_t depth; /* the longest run of this function, where recursion is
                       folded; else 1 */
    uint8_t kind;
    uint64_t inclusive;
};

/* Samples in which a node's function was inlined at this place. */
struct calltree_inlined {
    uint64_t exclusive, inclusive;
};

struct calltree {
    struct calltree_node *nodes;
    size_t len;
    struct calltree_inlined *inlined; /* by node; NULL: nothing is */
    enum calltree_direction direction;
    bool rooted;          /* it has the option `root` */
    VEC(uint32_t) folded; /* modules of start-up frames, outermost first */
    size_t steps; /* frames that were gone over, of a bottom-up tree */
};

struct calltree_options {
    enum calltree_direction direction;
    uint64_t least; /* see calltree_new; processes and threads, too */
    size_t deepest; /* levels below which a bottom-up tree may end; 0: none */
    /* A function that calls itself is one node for the whole run; inclusive
     * counts a sample once, exclusive those in any of the calls. So are
     * frames without names that follow one another in a module, once
     * unnamed_fold has made them one function. */
    bool fold_recursion;
    /* By function: stacks begin at the outermost of these, others are left
     * out; NULL: at their beginning. From there it goes down, or up to the
     * callers, and then no node has exclusive samples. */
    const bool *root;
    /* By function: others are no nodes of a tree from the outermost callers
     * down, their callers have their samples; NULL: all are nodes. */
    const bool *only;
    /* The rest is about trees from the outermost callers down. */
    bool processes, threads; /* levels above code; a process with one thread
                                alone has no thread below it */
    bool fold_startup;       /* is a node CALLTREE_STARTUP */
};

/* For a bottom-up tree `inclusive` of a node counts the samples whose stack
 * ends (innermost) with the path from the node to the root; `exclusive` is
 * that number for the first level and 0 below. Nodes of fewer than `least`
 * samples may be without children: a bottom-up tree repeats the callers of
 * every sampled function, and few of them are ever looked at. */
struct calltree *calltree_new(const struct profile *p,
                              const struct selection *sel,
                              enum calltree_direction direction,
                              uint64_t least);

/* Costs time in proportion to the distinct pairs of a stack and a process or
 * thread, whichever is the lowest level. */
struct calltree *calltree_build(const struct profile *p,
                                const struct selection *sel,
                                const struct calltree_options *options);
void calltree_free(struct calltree *tree);

/* Samples that were taken in a node itself: those that none of its children
 * has. In time linear in these. */
uint64_t calltree_exclusive(const struct calltree *tree, uint32_t node);

/* 0 of both where nothing is inlined. */
struct calltree_inlined calltree_inlined(const struct calltree *tree,
                                         uint32_t node);

#endif
