/*
 * tree - the functions and inlined calls of one unit, flattened.
 *
 *     struct tree *tree = tree_at(unit, address, &n);
 *     for (; n != TREE_NONE; n = tree->nodes.data[n].parent)
 *         ...                       // innermost first
 *     tree_free(tree);
 *
 * Also the unit's namespaces and classes, after which plain names are
 * qualified. Without recursion: one walk over the entries, which leaves out
 * what is in functions and classes where it can be passed over, and one over
 * each function, and each call in it, that an address in it is asked of.
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
    bool unread;      /* calls inlined into it are not known yet */
    uint32_t inside;  /* index in `insides`, and 1; 0: none */
};

struct scope {
    uint64_t start, end; /* entries inside, in .debug_info */
    uint32_t parent;     /* TREE_NONE: the unit */
    const char *name;    /* once looked up */
};

/* Entries that were passed over: those in a class or a function. There are
 * very many: places count from the start of the unit. */
struct passed {
    uint32_t start, end;
    uint32_t entry;        /* what they are in */
    uint32_t scope;        /* and what that is in; TREE_NONE: the unit */
    uint32_t first, count; /* scopes in it, itself one; TREE_NONE: unread */
};

struct tree {
    struct unit *unit;
    VEC(struct node) nodes;
    VEC(struct scope) scopes;  /* sorted by start, but for later ones */
    size_t outer;              /* scopes that are not in what was passed */
    VEC(struct passed) passed; /* sorted by start */
    struct spans spans;        /* addresses to nodes */
    VEC(struct spans) insides; /* the same in what was read of nodes */
};

/* The tree of the unit that has the address, and the innermost node there. It
 * is the unit's and lives as long. */
struct tree *tree_at(struct unit *unit, uint64_t address, uint32_t *node);
void tree_free(struct tree *tree);

/* The innermost scope that holds the entry at `offset`, of the unit's tree. */
struct tree *tree_scope(struct unit *unit, uint64_t offset, uint32_t *scope);

/* Adds the ranges of an entry that its unit's cursor has just read. */
void ranges_add(struct unit *unit, const struct die *die, struct spans *spans,
                uint32_t value);

/* True when the entry has addresses, be they dropped code. */
bool ranges_any(const struct die *die);

#endif
