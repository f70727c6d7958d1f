/*
 * series - where functions changed from one recording to the next.
 *
 *     struct series *s = series_new(inputs, n, 0.5, 0);
 *     for (size_t i = 0; i < s->len; i++)
 *         use(&s->points[i]);
 *     series_free(s);
 *
 * Inputs are recordings of one program in order. The value of a function in
 * each is its exclusive share, by what did not change (diff/size_factors.h)
 * where enough functions are common to both halves. Bytes, objects and times
 * are values in their own unit. A point is kept when it is
 * significant (diff/change_points.h): chance names a function in one of twenty
 * series. Parts are split as strictly. A function whose values a
 * line explains better than steps drifts, and has one point.
 *
 * A cost that only moved to a caller or callee is marked: that one changed
 * the other way by about as much, and their sum did not (as cost shifts in
 * FBDetect, SOSP 2024).
 */
#ifndef TOPFN_DIFF_SERIES_H
#define TOPFN_DIFF_SERIES_H

#include "engine/diff/diff.h"

struct series_point {
    uint32_t function; /* unit of the pairs */
    uint32_t moved;    /* the function that its cost came from or went to;
                          NO_ID: none */
    size_t from, to;   /* the parts that it lies between: the first recording,
                          and the first behind them */
    size_t at;         /* the first recording of the second part */
    size_t range[2];   /* the first and last that it may be as well */
    bool drifts;       /* from range[0] to range[1]: no step */
    double value[2];   /* means of the parts, or ends of the line */
    double p;
};

struct series {
    struct series_point *points; /* largest change first */
    size_t len;
    size_t functions; /* that were looked at */
    size_t changed;   /* that have a point */
    enum diff_normalize normalize;
    struct diff_pairs *pairs;
};

enum { SERIES_LEAST = 8 /* recordings that can show anything at all */ };

/* The halves are sides for pairing: `after` of the inputs is set. A function
 * is looked at that has `relevant` percent of some recording. */
struct series *series_new(struct diff_input *inputs, size_t count,
                          double relevant, unsigned threads);
void series_free(struct series *series);

#endif
