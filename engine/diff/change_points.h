/*
 * change_points - the segment of a series that differs most from the rest.
 *
 *     struct rank_tables tables = {.all = {0}};
 *     struct segment s = segment_find(&tables, values, n);
 *     if (s.p <= 0.05)
 *         use(s.from, s.to);
 *     rank_tables_release(&tables);
 *
 * Values are replaced by their ranks, and a segment is scored by the sum of its
 * ranks (Wilcoxon 1945). A segment that starts or ends the series is a step,
 * one in the middle is a bump. Ranks of all series of one length are alike, so
 * one table of permutations tells how often chance gives such a score. Its seed
 * is fixed: equal input gives equal output. Ties make p larger than it is.
 */
#ifndef TOPFN_DIFF_CHANGE_POINTS_H
#define TOPFN_DIFF_CHANGE_POINTS_H

#include <stdbool.h>

#include "engine/base/vec.h"

enum { SEGMENT_LEAST = 3 /* values in a segment, and before and behind it */ };

/* Scores of permuted ranks, the highest first. */
struct rank_table {
    size_t n, len;
    double *scores;
};

/* The tables made so far, by length of series. */
struct rank_tables {
    VEC(struct rank_table) all;
};

void rank_tables_release(struct rank_tables *tables);

/* The chance that a series of `n` values without a change has such a score.
 * Beyond the table it is extrapolated. */
double rank_tables_tail(struct rank_tables *tables, size_t n, double score);

struct segment {
    size_t from, to; /* the first value of it, and the first behind it */
    double score;    /* 0: too few values, or all are equal */
    double p;
};

/* O(n * n). */
struct segment segment_find(struct rank_tables *tables, const double *values,
                            size_t n);

/* The first and last place at which a step explains the values nearly as well
 * as at the best: about 95 of 100 ranges hold the true place. */
struct step_range {
    size_t first, last;
};
struct step_range step_range(const double *values, size_t n, size_t at);

/* A least-squares line through values at 0, 1, 2, ... */
struct trend {
    double start, slope;
    double squares;   /* of the residuals */
    bool significant; /* by rank correlation, at 5 % */
};
struct trend trend_of(const double *values, size_t n);

/* Squared deviations from the mean. */
double squares_about_mean(const double *values, size_t n);

#endif
