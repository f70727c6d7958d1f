/*
 * gamma - derivatives of the logarithm of the gamma function.
 *
 *     double d0 = 2 * trigamma_inverse(spread_of_log_variances);
 *
 * By these the moments of log variances tell how variances differ (Smyth
 * 2004, "limma", section 6.2). Arguments are above 0; results are exact to
 * about ten digits.
 */
#ifndef TOPFN_GAMMA_H
#define TOPFN_GAMMA_H

/* The first derivative of log gamma. */
double digamma(double x);

/* The second. */
double trigamma(double x);

/* x with trigamma(x) = y. */
double trigamma_inverse(double y);

#endif
