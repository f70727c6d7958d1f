/*
 * diff - prints a comparison, in every format.
 *
 * Text and Markdown begin with the answer: how many rows changed, and the
 * total; then modules, then functions by what their change is at least. BEFORE
 * and AFTER are said there and in the rows' headings; a change is AFTER minus
 * BEFORE. Rows without a real change are shown only when their interval
 * excludes 0, or with `all`; how a comparison was made, with `verbose`. JSON is
 * topfn.diff/1. This header declares what the files of the report share.
 */
#ifndef TOPFN_REPORT_DIFF_H
#define TOPFN_REPORT_DIFF_H

#include "engine/diff/diff.h"
#include "engine/diff/gate.h"
#include "report/report.h"

/* The lines above the rows. */
void diff_print_head(const struct diff *d, const struct report_options *shown,
                     struct out *out);

/* "249 → 708 ms CPU a run" with this word between; "+184 % (+180 to +188)", if
 * there was any before; both in a line. */
void diff_print_total_values(const struct diff *d, const char *between,
                             struct out *out);
void diff_print_total_change(const struct diff *d, struct out *out);
void diff_print_total(const struct diff *d, struct out *out);

/* "exclusive samples, % of the total", without an end. */
void diff_print_unit(const struct diff *d, struct out *out);

/* How many are written of `total` that there are to see. */
size_t diff_rows_shown(const struct diff *d, const struct report_options *shown,
                       size_t *total);

/* True if columns are left out that the others imply: a change that its
 * interval is around, and what only waits, which a line below says. */
void diff_json(const struct subject *subject, struct out *out);
void diff_text_pairs(const struct diff *d, const struct report_options *shown,
                     struct out *out);
void diff_text_explain(const struct diff *d, const struct report_options *shown,
                       struct out *out);

/* True if a side's samples are of threads that may wait, so that rows of
 * functions that only do that are marked (engine/model/waits.h). */
bool diff_measures_waits(const struct diff *d);

/* "main;work;leaf" of a row of paths, in names or labels, unnamed code behind
 * its module: "main;app.dll [no symbols]". Else the name or label. The
 * arena's. */
const char *diff_path_text(const struct diff *d, const struct diff_row *row,
                           bool labels, struct arena *arena);

/*
 * gate - the verdict of a gate, for people and for build servers.
 *
 * Text is one line a reason and one for the outcome; Markdown is a table below
 * the outcome. JUnit XML has a test case for every finding and one for all that
 * passed; SARIF 2.1.0 has a result for every failure (error) and for every
 * inconclusive limit (note).
 */

/* The files of `--junit` and `--sarif`. */
report_writer gate_junit, gate_sarif;

#endif
