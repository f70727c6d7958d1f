/*
 * diff - what a comparison says, in every format.
 *
 *     struct diff *d = diff_new(inputs, n, &options);
 *     diff_report(d, &shown, out);
 *
 * Text and Markdown say which side is BEFORE and which AFTER in the lines
 * above the rows and in the rows' headings; a change is AFTER minus BEFORE.
 * Rows without a real change are shown only when they might be relevant, or
 * with `all`. JSON is topfn.diff/1.
 */
#ifndef TOPFN_REPORT_DIFF_H
#define TOPFN_REPORT_DIFF_H

#include "engine/diff/diff.h"
#include "report/report.h"

struct diff_shown {
    enum format format;
    size_t width, rows; /* 0: no limit, all */
    size_t explain;     /* how many of the real changes to explain */
    bool all;           /* rows without a change too */
};

void diff_report(const struct diff *d, const struct diff_shown *shown,
                 struct out *out);

/* What the files of this report share. */
size_t diff_rows_shown(const struct diff *d, const struct diff_shown *shown,
                       size_t *total);
void diff_table(const struct diff *d, const struct diff_shown *shown,
                size_t rows, size_t total, struct out *out);
void diff_json(const struct diff *d, const struct diff_shown *shown,
               size_t rows, size_t total, struct out *out);
void diff_text_pairs(const struct diff *d, const struct diff_shown *shown,
                     struct out *out);
void diff_text_explain(const struct diff *d, const struct diff_shown *shown,
                       struct out *out);

/* Whether a side's samples are of threads that may wait, so that rows of
 * functions that only do that are marked (engine/waits.h). */
bool diff_measures_waits(const struct diff *d);

/* "main;work;leaf" of a row of paths, else its name. The arena's. */
const char *diff_label(const struct diff *d, const struct diff_row *row,
                       struct arena *arena);

/* The stacks of all inputs, `stack BEFORE AFTER` on a line, as difffolded
 * writes them for flame graph tools. */
void diff_folded(const struct diff_input *inputs, size_t count,
                 struct out *out);

#endif
