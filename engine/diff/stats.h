/*
 * stats - the few functions of mathematical statistics that diff needs.
 *
 *     double p = 2 * student_tail(t, df);
 *     double t = student_quantile(0.975, df);
 *     stats_false_discovery(p, q, n);
 *
 * No random numbers anywhere: equal input gives equal bits. Arguments are
 * the caller's own; out of range is a bug, not an error.
 */
#ifndef TOPFN_STATS_H
#define TOPFN_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* P(T > t) of Student's t with `df` > 0 degrees of freedom, t >= 0. */
double student_tail(double t, double df);

/* The chance that Fisher's F with these degrees of freedom exceeds f >= 0. */
double fisher_tail(double f, double df1, double df2);

/* x with P(X <= x) = p, 0 < p < 1. */
double normal_quantile(double p);
double student_quantile(double p, double df);

/* q-values of Benjamini and Hochberg (1995), in the order of `p`: the rate
 * of false discoveries among all whose p is as small. */
void stats_false_discovery(const double *p, double *q, size_t n);

/* An interval for a count: Wilson's (1927) score interval for `n` of
 * `total`, whose binomial variance is larger by the factor `dispersion`;
 * total 0 stands for no bound (a Poisson count). */
struct interval {
    double low, high;
};
struct interval wilson_interval(double n, double total, double dispersion,
                                double quantile);

/* An interval for the difference b - a from one for each (Newcombe 1998,
 * method 10): well-behaved where a count is small or zero. */
struct interval newcombe_interval(double a, struct interval of_a, double b,
                                  struct interval of_b);

/*
 * gamma - derivatives of the logarithm of the gamma function.
 *
 *     double d0 = 2 * trigamma_inverse(spread_of_log_variances);
 *
 * By these the moments of log variances tell how variances differ (Smyth
 * 2004, "limma", section 6.2). Arguments are above 0; results are exact to
 * about ten digits.
 */

/* The first derivative of log gamma. */
double digamma(double x);

/* The second. */
double trigamma(double x);

/* x with trigamma(x) = y. */
double trigamma_inverse(double y);

#endif
