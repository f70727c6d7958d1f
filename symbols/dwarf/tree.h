/*
 * tree - the functions and inlined calls of one unit, flattened.
 *
 *     struct tree *tree = tree_new(unit);
 *     for (n = tree_find(tree, address); n != TREE_NONE;
 *          n = tree->nodes.data[n].parent)
 *         ...                       // innermost first
 *     tree_free(tree);
 *
 * Also the unit's namespaces and classes, after which plain names are
 * qualified. One walk over the entries, without recursion.
 */
#ifndef TOPFN_DWARF_TREE_H
#define TOPFN_DWARF_TREE_H

#include "symbols/dwarf/spans.h"
#include "symbols/dwarf/unit.h"

#define TREE_NONE SPAN_NONE

struct node {
    uint32_t entry;     /* of the function, from the start of the unit */
    uint32_t parent;    /* what it is inlined into; TREE_NONE: a function */
    uint32_t call_file; /* of an inlined call */
    uint32_t call_line;
    const char *name; /* once looked up */
    bool plain;       /* the name is no linkage name */
};

struct scope {
    uint64_t start, end; /* entries inside, in .debug_info */
    uint32_t parent;     /* TREE_NONE: the unit */
};

struct tree {
    VEC(struct node) nodes;
    VEC(struct scope) scopes; /* sorted by start */
    struct spans spans;       /* addresses to nodes */
};

struct tree *tree_new(struct unit *unit);
void tree_free(struct tree *tree);

/* The innermost node that covers the address. */
uint32_t tree_find(const struct tree *tree, uint64_t address);

/* The innermost scope that holds the entry at `offset`. */
uint32_t tree_scope(const struct tree *tree, uint64_t offset);

#endif
