/*
 * folded_tree - distinct stacks of names, and the lines they make.
 *
 *     struct folded_tree tree = {0};
 *     struct folded_lines lines = {.tree = &tree};
 *
 *     folded_tree_add(&tree, p, sel, false);
 *     while (folded_lines_next(&lines))
 *         printf("%s %llu\n", lines.text, lines.node->count);
 *     folded_lines_release(&lines);
 *     folded_tree_release(&tree);
 *
 * A node is a name below the names that called it, so memory grows with the
 * tree and not with the text of the lines, of which there is one at a time.
 * Lines come in order of their bytes. Names are strings of the first profile,
 * which most of them are already: it must stay until the tree is released.
 */
#ifndef TOPFN_REPORT_FOLDED_H
#define TOPFN_REPORT_FOLDED_H

#include "engine/analysis/filter.h"
#include "engine/base/map.h"
#include "engine/base/out.h"
#include "engine/base/vec.h"
#include "report/export/frames.h"
#include "report/report.h"

struct folded_node {
    uint32_t name; /* in the tree's strings */
    uint32_t first_child, next_sibling; /* 0: none */
    uint8_t kind; /* enum code_kind of the code it was made for */
    bool inlined; /* there */
    bool function; /* that has a name: no process, no unnamed code */
    uint64_t count; /* samples that end here */
};

/* The names above stacks. */
enum folded_processes {
    FOLDED_NAMES, /* "app.exe" */
    FOLDED_IDS,   /* "app.exe (3644)" */
    FOLDED_BARE,  /* nothing */
};

struct folded_tree {
    /* Said before the first is added: */
    struct frame_style style;
    enum folded_processes processes;
    bool threads; /* "main (3645)" above the stacks of each */
    const struct profile *p;       /* the first one */
    struct strings *names;         /* its */
    VEC(struct folded_node) nodes; /* the first is the root */
    VEC(uint64_t) after; /* second side's counts, of nodes as far as it goes */
    const uint32_t *unit_of; /* by function of what is added next, or NULL */
    VEC(uint32_t) units; /* + 1, by node as far as it goes; 0: none */
    struct map ids; /* (parent, name) -> node, but for first children */
    size_t lines;                  /* nodes with samples */
    size_t steps;                  /* frames that were laid down */
};

/* Adds process;outermost;...;innermost of all selected samples. Unnamed code
 * goes by its module, once it is folded: "clr.dll [no symbols]". In names `;`
 * becomes `:` and control characters become spaces, as the format has no way
 * to quote them. */
void folded_tree_add(struct folded_tree *tree, const struct profile *p,
                     const struct selection *sel, bool after);
/* The samples of a report, or of its two sides, styled as its options say. */
struct folded_tree folded_tree_of(const struct subject *subject);
void folded_tree_release(struct folded_tree *tree);

/* The second side's samples that end there. */
static inline uint64_t folded_tree_after(const struct folded_tree *tree,
                                         size_t node)
{
    return node < tree->after.len ? tree->after.data[node] : 0;
}

/* A node in the order of its siblings: as the end of a line, or with what is
 * below it. */
struct folded_turn {
    uint32_t node;
    bool below;
    size_t prefix; /* length of the text before its name */
};

struct folded_lines {
    const struct folded_tree *tree;
    const struct folded_node *node; /* of the line */
    const char *text;               /* until the next one */
    VEC(struct folded_turn) turns;  /* what is still to come, last first */
    VEC(char) buffer;
    bool begun;
};

/* The next line; false at the end. */
bool folded_lines_next(struct folded_lines *lines);
void folded_lines_release(struct folded_lines *lines);

#endif
