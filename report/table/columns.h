/*
 * columns - the columns of flat rankings.
 *
 * A new column is one function and one row of the table in columns.c; which
 * groupings show it is a set of bits.
 */
#ifndef TOPFN_REPORT_COLUMNS_H
#define TOPFN_REPORT_COLUMNS_H

#include "report/report.h"

/* The columns' functions get this as their rows. */
struct ranked {
    const struct profile *p;
    const struct ranking *ranking;
    uint64_t samples; /* what percentages are of */
    uint64_t period;  /* what those of periods are of; 0: there are none */
    uint64_t most;    /* exclusive, of any row; 0: no bars are drawn */
    const char *field; /* that the values of RANK_VALUE are of */
    const struct over_time *when; /* NULL: not shown */
    uint64_t *sums;   /* by row, exclusive up to there; NULL: not shown */
    /* Labels of processes and threads by row: "orders.exe (3644)"; `owners` has
     * the processes of threads. */
    const char **labels, **owners;
};

enum { COLUMNS_MAX = 48 };

/* Fills in the columns that rows grouped by `by` have; how many. Functions
 * whose samples are of wall-clock time have a column that marks those that
 * only wait. Text has this column, and that of inlined samples, if one of
 * the first `shown` rows has something in it. */
size_t columns_of(const struct ranked *ranked, enum rank_by by, size_t shown,
                  struct column columns[COLUMNS_MAX]);

/* Fills in the columns that can be chosen by name; how many. Each has the name
 * by which it is found as its member and its header: what stands above it, or
 * else its member. */
size_t columns_all(enum rank_by by, struct column columns[COLUMNS_MAX]);

/* Sets what columns that are chosen by name need: the sums, the series. */
void columns_need(enum rank_by by, const char *names, bool *sums, bool *series);

/* Sets the labels and owners of the first `n` rows, where they are of
 * processes or threads. */
void ranked_label_lives(struct ranked *ranked, enum rank_by by, size_t n,
                        struct arena *scratch);

/* The word of --by: "function", "module", ... */
/* NULL behind the last word of --by; RANK_VALUE has none of its own. */
const char *rank_by_name(int by);

/* The same, or the field that the values of RANK_VALUE are of. */
const char *rank_title(enum rank_by by, const char *field);

#endif
