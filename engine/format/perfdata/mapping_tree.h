/*
 * mapping_tree - which mapping each address of a process belongs to, while
 * mappings come one after the other and processes fork.
 *
 *     struct pd_mapping_tree t = {.most = 1 << 20};
 *     uint32_t owner = ++t.owners, root = NO_ID;
 *
 *     root = pd_mapping_tree_set(&t, root, owner, base, size, mapping);
 *     mapping = pd_mapping_tree_find(&t, root, address);
 *     pd_mapping_tree_release(&t);
 *
 * A mapping hides what was mapped there before, byte by byte: several may
 * share a page. A child begins with the root of its parent; both get a new
 * owner then, and each copies what it changes.
 *
 * It is a treap whose priorities nobody can foresee: paths are short whatever
 * a file maps.
 */
#ifndef TOPFN_PERFDATA_MAPPING_TREE_H
#define TOPFN_PERFDATA_MAPPING_TREE_H

#include <stdbool.h>

#include "engine/base/vec.h"

struct pd_mapping_node {
    uint64_t from, last; /* addresses */
    uint32_t mapping;
    uint32_t left, right; /* nodes, or NO_ID */
    uint32_t owner;       /* who may change it */
    uint32_t priority;    /* no child has a higher one */
};

struct pd_mapping_tree {
    VEC(struct pd_mapping_node) nodes;
    size_t most;     /* nodes */
    uint32_t owners; /* address spaces added */
    bool full;       /* what came later is left out */
};

uint32_t pd_mapping_tree_set(struct pd_mapping_tree *t, uint32_t root,
                             uint32_t owner, uint64_t base, uint64_t size,
                             uint32_t mapping);
/* NO_ID: none is there. */
uint32_t pd_mapping_tree_find(const struct pd_mapping_tree *t, uint32_t root,
                              uint64_t address);
void pd_mapping_tree_release(struct pd_mapping_tree *t);

#endif
