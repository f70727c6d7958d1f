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

/* The verdict in one sentence without an end: "2 regressions, 1 improvement;
 * total +7 % CPU time per run (0 to +15 %)". */
void diff_print_summary(const struct diff *d, struct out *out);

/* "+7 % CPU time per run (0 to +15 %), 3,418 → 3,674 ms". */
void diff_print_total_change(const struct diff *d, struct out *out);

/* True if a larger share need not be more time: few functions are common to
 * both sides, or the total changed by more than a third. */
bool diff_shares_mislead(const struct diff *d);

/* The heading of a run's amounts where these must be compared, too: a screen
 * never drops this column. */
const char *diff_per_run_name(const struct diff *d);

/*
 * amounts - changes in percent of before, and how much a run has of what is
 * measured: milliseconds where the time of a sample is known, else bytes,
 * objects, samples.
 *
 *     struct diff_amounts a = diff_amounts_of(d, row);
 *     diff_print_amounts(d, &a, diff_amounts_most(&a), 0, out);
 */

/* A row's change and its interval in percent of before. */
struct diff_growth {
    bool known; /* before is not 0 */
    double change, low, high;
    unsigned decimals; /* enough to print these */
};

struct diff_growth diff_growth_of(const struct diff_row *row);

/* "+33 to +57 %" */
void diff_print_interval(const struct diff_growth *g, struct out *out);

struct diff_amounts {
    double value[2]; /* before, after */
    bool is_ms;
};

/* The average amounts of a run. */
struct diff_amounts diff_amounts_of(const struct diff *d,
                                    const struct diff_row *row);
double diff_amounts_most(const struct diff_amounts *a);

/* "3,418 → 3,674 ms", in a unit for numbers as large as `most`, the first
 * number padded to `width`. */
void diff_print_amounts(const struct diff *d, const struct diff_amounts *a,
                        double most, size_t width, struct out *out);

/* The total in its own unit: "1.2 GB → 120 GB". */
void diff_print_total_amounts(const struct diff *d, struct out *out);

/* "exclusive samples, % of the total", without an end. */
void diff_print_unit(const struct diff *d, struct out *out);

/* The number of rows that are written; sets *total to the number that there
 * are. */
size_t diff_rows_shown(const struct diff *d, const struct report_options *shown,
                       size_t *total);

/* True if columns are left out that the others imply: a change that its
 * interval is around, and what only waits, which a line below says. */
void diff_json(const struct subject *subject, struct out *out);
void diff_text_pairs(const struct diff *d, const struct report_options *shown,
                     struct out *out);
void diff_text_explain(const struct diff *d, const struct report_options *shown,
                       struct out *out);

/* "main;work;leaf" of a row of paths, in names or labels, unnamed code behind
 * its module: "main;app.dll [no symbols]". For other rows, the name or label.
 * The arena's. */
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
