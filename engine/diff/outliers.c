#include "engine/diff/outliers.h"

#include <math.h>
#include <stdlib.h>

#include "engine/base/mem.h"
#include "engine/diff/stats.h"

enum { FEWEST = 5 };

/* A standard deviation in median distances, for normal values. */
static const double per_distance = 1.4826;
static const double chance = 0.05, least_apart = 3.5;

static int by_value(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;

    return (a > b) - (a < b);
}

/* Sorts them. */
static double median(double *values, size_t n)
{
    if (!n)
        return 0;
    qsort(values, n, sizeof(*values), by_value);
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

static double ratio(const struct share *s)
{
    return (double)s->part / (double)s->whole;
}

/* Of drawing so many samples; one alone is nothing that stands out. */
static double drawn_spread(double usual, double whole)
{
    double share = fmax(usual, 1 / whole);

    return sqrt(share * fmax(1 - share, 1 / whole) / whole);
}

double outliers_find(struct share *shares, size_t count)
{
    double *values = mem_new(count, sizeof(*values));
    double usual, spread, limit;
    size_t n = 0;

    for (size_t i = 0; i < count; i++)
        if (shares[i].whole)
            values[n++] = ratio(&shares[i]);
    usual = median(values, n);
    for (size_t i = 0; i < n; i++)
        values[i] = fabs(values[i] - usual);
    spread = per_distance * median(values, n);
    free(values);
    limit = n < FEWEST ? INFINITY
                       : fmax(least_apart,
                              normal_quantile(1 - chance / 2 / (double)n));
    for (size_t i = 0; i < count; i++) {
        struct share *s = &shares[i];
        double by_chance;

        if (!s->whole)
            continue;
        by_chance = drawn_spread(usual, (double)s->whole);
        s->apart = (ratio(s) - usual) / fmax(spread, by_chance);
        s->stands_out = fabs(s->apart) >= limit;
    }
    return usual;
}
