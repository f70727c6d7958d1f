/*
 * calltree_impl - what both directions of building a call tree share.
 */
#ifndef TOPFN_CALLTREE_IMPL_H
#define TOPFN_CALLTREE_IMPL_H

#include "engine/analysis/calltree.h"

struct calltree_builder {
    const struct profile *p;
    const struct selection *sel;
    const struct calltree_options *options;
    struct calltree *tree;
    struct map ids; /* (kind and parent node, id) to node */
    VEC(struct calltree_node) nodes;
    bool any_inlined;
    VEC(struct calltree_inlined) inlined; /* by node, where there are any */
};

/* The child of a node that stands for this function, process or thread;
 * added if new, without counts. */
uint32_t calltree_child(struct calltree_builder *b, uint32_t parent,
                        enum calltree_kind kind, uint32_t id);

/* Samples that were taken in this frame, at this node. */
static inline void calltree_end(struct calltree_builder *b, uint32_t id,
                                uint32_t frame, uint64_t count)
{
    if (b->p->frames.data[frame].inlined)
        b->inlined.data[id].exclusive += count;
}

void calltree_build_down(struct calltree_builder *b);

#endif
