/*
 * change_points - where a series of values stops being like it was.
 *
 *     struct split split = split_best(values, n);
 *     double p = split_significance(values, n, &split, 1999);
 *
 * Energy statistics (E-divisive; Matteson and James 2014): a split is the
 * better the farther the values before it are from those behind it, beyond
 * how far values of either part are from each other. No distribution is
 * assumed. How often a shuffled series has a split as good tells how
 * significant one is. Shuffles are drawn from a fixed seed: equal input gives
 * equal output.
 */
#ifndef TOPFN_CHANGE_POINTS_H
#define TOPFN_CHANGE_POINTS_H

#include <stddef.h>

enum { SPLIT_LEAST = 2 /* values on either side of a split */ };

struct split {
    size_t at;     /* the first value behind it; 0: too few values */
    double energy; /* 0 where all values are equal */
};

/* O(n * n). */
struct split split_best(const double *values, size_t n);

/* The share of shuffled series, and of this one, with a split as good. Where
 * more than one in ten of the first has, the rest is not tried. */
double split_significance(const double *values, size_t n,
                          const struct split *split, unsigned shuffles);

#endif
