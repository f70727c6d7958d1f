/*
 * diff - what a comparison says, in every format.
 *
 * Text and Markdown say which side is BEFORE and which AFTER in the lines
 * above the rows and in the rows' headings; a change is AFTER minus BEFORE.
 * Rows without a real change are shown only when they might be relevant, or
 * with `all`. JSON is topfn.diff/1. What the files of this report share is
 * here.
 */
#ifndef TOPFN_REPORT_DIFF_H
#define TOPFN_REPORT_DIFF_H

#include "engine/diff/diff.h"
#include "report/report.h"

/* How many are written of `total` that there are to see. */
size_t diff_rows_shown(const struct diff *d, const struct report_options *shown,
                       size_t *total);
void diff_table(const struct diff *d, const struct report_options *shown,
                size_t rows, size_t total, struct out *out);
void diff_json(const struct subject *subject, struct out *out);
void diff_text_pairs(const struct diff *d, const struct report_options *shown,
                     struct out *out);
void diff_text_explain(const struct diff *d, const struct report_options *shown,
                       struct out *out);

/* Whether a side's samples are of threads that may wait, so that rows of
 * functions that only do that are marked (engine/analysis/waits.h). */
bool diff_measures_waits(const struct diff *d);

/* "main;work;leaf" of a row of paths, in names or labels, unnamed code behind
 * its module: "main;app.dll [no symbols]". Else the name or label. The
 * arena's. */
const char *diff_path_text(const struct diff *d, const struct diff_row *row,
                           bool labels, struct arena *arena);

#endif
