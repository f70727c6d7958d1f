#include "engine/diff/stats.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "engine/base/mem.h"

/* The continued fraction of the incomplete beta function (DLMF 8.17.22),
 * evaluated as Lentz does (Numerical Recipes, 6.4). */
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1), h;

    d = 1 / (fabs(d) < tiny ? tiny : d);
    h = d;
    for (int m = 1; m < 500; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd =
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double step;

        d = 1 + even * d, c = 1 + even / c;
        d = 1 / (fabs(d) < tiny ? tiny : d), c = fabs(c) < tiny ? tiny : c;
        h *= d * c;
        d = 1 + odd * d, c = 1 + odd / c;
        d = 1 / (fabs(d) < tiny ? tiny : d), c = fabs(c) < tiny ? tiny : c;
        step = d * c;
        h *= step;
        if (fabs(step - 1) < 1e-14)
            break;
    }
    return h;
}

/* log gamma without lgamma's global sign, which threads would share. */
static double log_gamma(double x)
{
    double shift = 0;

    while (x < 8)
        shift -= log(x++);
    return shift + (x - 0.5) * log(x) - x + 0.91893853320467274178 +
           (1.0 / 12 - (1.0 / 360 - 1.0 / (1260 * x * x)) / (x * x)) / x;
}

static double incomplete_beta(double a, double b, double x)
{
    double front;

    if (x <= 0 || x >= 1)
        return x <= 0 ? 0 : 1;
    front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) +
                b * log1p(-x));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_tail(double t, double df)
{
    assert(t >= 0 && df > 0);
    if (df > 1e6)
        return erfc(t * M_SQRT1_2) / 2;
    return incomplete_beta(df / 2, 0.5, df / (df + t * t)) / 2;
}

double fisher_tail(double f, double df1, double df2)
{
    return incomplete_beta(df2 / 2, df1 / 2, df2 / (df2 + df1 * f));
}

/* Wichura's AS 241 (1988), the seven-digit version. */
double normal_quantile(double p)
{
    double q = p - 0.5, r;

    assert(p > 0 && p < 1);
    if (fabs(q) <= 0.425) {
        r = 0.180625 - q * q;
        return q *
               (((5.9109374720e1 * r + 1.5929113202e2) * r + 5.0434271938e1) *
                    r +
                3.3871327179) /
               (((6.7187563600e1 * r + 7.8757757664e1) * r + 1.7895169469e1) *
                    r +
                1);
    }
    r = sqrt(-log(q < 0 ? p : 1 - p));
    if (r <= 5) {
        r -= 1.6;
        r = (((1.7023821103e-1 * r + 1.3067284816) * r + 2.7568153900) * r +
             1.4234372777) /
            ((1.2021132975e-1 * r + 7.3700164250e-1) * r + 1);
    } else {
        r -= 5;
        r = (((1.7337203997e-2 * r + 4.2868294337e-1) * r + 3.0812263860) *
                 r +
             6.6579051150) /
            ((1.2258202635e-2 * r + 2.4197894225e-1) * r + 1);
    }
    return q < 0 ? -r : r;
}

/* Cornish and Fisher's expansion (Abramowitz and Stegun 26.7.5); below two
 * degrees of freedom the exact forms are used. */
double student_quantile(double p, double df)
{
    double z, z2, a, b, c, d;

    if (df <= 1)
        return tan(M_PI * (p - 0.5));
    if (df <= 2)
        return (2 * p - 1) / sqrt(2 * p * (1 - p));
    z = normal_quantile(p);
    z2 = z * z;
    a = z * (z2 + 1) / 4;
    b = z * ((5 * z2 + 16) * z2 + 3) / 96;
    c = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
    d = z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
    return z + (a + (b + (c + d / df) / df) / df) / df;
}

struct ordered {
    double p;
    size_t index;
};

static int by_p(const void *x, const void *y)
{
    const struct ordered *a = x, *b = y;

    if (a->p != b->p)
        return a->p < b->p ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

void stats_false_discovery(const double *p, double *q, size_t n)
{
    struct ordered *order = mem_new(n, sizeof(*order));
    double least = 1;

    for (size_t i = 0; i < n; i++)
        order[i] = (struct ordered){p[i], i};
    if (n)
        qsort(order, n, sizeof(*order), by_p);
    for (size_t i = n; i-- > 0;) {
        least = fmin(least, order[i].p * (double)n / (double)(i + 1));
        q[order[i].index] = least;
    }
    free(order);
}

struct interval wilson_interval(double n, double total, double dispersion,
                                double quantile)
{
    double a = dispersion * quantile * quantile;
    double rest = total > 0 ? 1 - n / total : 1;
    double shrink = total > 0 ? 1 / (1 + a / total) : 1;
    double middle = shrink * (n + a / 2);
    double half = shrink * sqrt(a * n * fmax(rest, 0) + a * a / 4);

    return (struct interval){fmax(middle - half, 0), middle + half};
}

struct interval newcombe_interval(double a, struct interval of_a, double b,
                                  struct interval of_b)
{
    double down = hypot(b - of_b.low, of_a.high - a);
    double up = hypot(of_b.high - b, a - of_a.low);

    return (struct interval){b - a - down, b - a + up};
}

/* By recurrence up to where the asymptotic series are exact enough (DLMF
 * 5.11.2 and 5.15.8). */
enum { SERIES_FROM = 8 };

double digamma(double x)
{
    double sum = 0, square;

    assert(x > 0);
    while (x < SERIES_FROM)
        sum -= 1 / x++;
    square = 1 / (x * x);
    return sum + log(x) - 1 / (2 * x) -
           square * (1.0 / 12 - square * (1.0 / 120 -
                                          square * (1.0 / 252 - square / 240)));
}

double trigamma(double x)
{
    double sum = 0, square;

    assert(x > 0);
    while (x < SERIES_FROM) {
        sum += 1 / (x * x);
        x++;
    }
    square = 1 / (x * x);
    return sum + 1 / x + square / 2 +
           square / x *
               (1.0 / 6 -
                square * (1.0 / 30 - square * (1.0 / 42 - square / 30)));
}

/* trigamma(x) is above 1 / x, and below what 1 / (x - 1/2) is: the inverse lies
 * between 1 / y and half more. */
double trigamma_inverse(double y)
{
    double low = 1 / y, high = low + 0.5;

    assert(y > 0);
    while (high - low > 1e-11 * high) {
        double middle = (low + high) / 2;

        if (trigamma(middle) > y)
            low = middle;
        else
            high = middle;
    }
    return high;
}
