/*
 * tree_rows - the nodes of a call tree that are shown, in order, and how they
 * hang together.
 *
 *     struct tree_rows rows = {.p = p, .tree = tree, .least = 5};
 *     tree_rows_collect(&rows);
 *     for (size_t i = 0; i < rows.rows.len; i++)
 *         use(&rows.rows.data[i]);
 *     tree_rows_release(&rows);
 *
 * Branches are drawn with lines; the only child of a node stands right below
 * it without another step to the right, so that long chains stay readable. A
 * step has three columns, or two or one where branches are too many for the
 * width. Children left out have a row "… 3 more below 0.5 %", the last, if
 * they are as many samples as a row needs: the rows below a function add up to
 * its inclusive count less its exclusive one but for less than that.
 */
#ifndef TOPFN_REPORT_TREE_ROWS_H
#define TOPFN_REPORT_TREE_ROWS_H

#include "engine/analysis/calltree.h"
#include "engine/base/arena.h"
#include "report/report.h"

struct tree_row {
    uint32_t node;    /* NO_ID: others */
    uint32_t parent;  /* row, or NO_ID at the top */
    uint32_t depth;   /* 1 at the top */
    uint64_t others;  /* samples of such a row */
    const char *name; /* as recorded; NULL: not a function */
    const char *label;
    const char *draw; /* before its label */
    const struct tree_line *line; /* tree_rows.c draws these */
    uint32_t levels;
    uint8_t mark;
};

/* Whole branches left out. They share no sample, so their counts add up. */
struct tree_cut {
    uint64_t branches, samples;
};

struct tree_rows {
    const struct profile *p;
    const struct calltree *tree;
    uint64_t samples; /* 100 % */
    uint64_t least;   /* samples a row needs */
    uint32_t min;     /* the same in hundredths of a percent */
    size_t depth;     /* 0: no limit */
    size_t indent;    /* columns for lines; the innermost levels show */
    bool others;      /* rows of what is left out */
    VEC(struct tree_row) rows;
    struct tree_cut small, deep;
    struct arena arena;
};

/* "worker (3708)", "thread 3708". */
const char *tree_thread_label(struct tree_rows *rows, uint32_t thread);

/* The smallest count that is at least `min` hundredths of a percent of
 * `samples`, and never 0. */
uint64_t tree_rows_least(uint32_t min, uint64_t samples);

/* For a report's subject; `samples` are 100 %. */
struct tree_rows tree_rows_of(const struct subject *subject, size_t depth,
                              uint64_t samples);
void tree_rows_collect(struct tree_rows *rows);
void tree_rows_release(struct tree_rows *rows);

/* Columns of `tree`, `callers` and `wakers`; their rows are a struct
 * tree_rows. */
struct value tree_id(const void *rows, size_t row);
struct value tree_parent(const void *rows, size_t row);
struct value tree_depth(const void *rows, size_t row);
struct value tree_inclusive(const void *rows, size_t row);
struct value tree_inclusive_percent(const void *rows, size_t row);
struct value tree_module(const void *rows, size_t row);
struct value tree_label(const void *rows, size_t row);

#endif
