#include "engine/diff/stats.h"

#include <math.h>
#include <stdbool.h>

#include "tests/support/suite.h"

static bool near(double a, double b, double within)
{
    return fabs(a - b) <= within;
}

/* Tables of Student's distribution: quantiles at 0.975. */
static const struct {
    double df, quantile;
} student_rows[] = {
    {1, 12.7062}, {2, 4.30265}, {5, 2.57058}, {10, 2.22814},
    {30, 2.04227}, {100, 1.98397}, {1e9, 1.95996},
};

TEST(student_is_as_in_tables)
{
    size_t n = COUNT(student_rows);

    for (size_t i = 0; i < n; i++) {
        double df = student_rows[i].df, t = student_rows[i].quantile;

        ck_assert(near(student_tail(t, df), 0.025, 1e-6));
        ck_assert(near(student_quantile(0.975, df), t, 5e-4 * t));
    }
    ck_assert(near(student_tail(0, 7), 0.5, 1e-12));
    ck_assert(student_tail(60, 300) < 1e-100);
}

TEST(normal_is_as_in_tables)
{
    ck_assert(near(normal_quantile(0.975), 1.959964, 1e-6));
    ck_assert(near(normal_quantile(0.5), 0, 1e-9));
    ck_assert(near(normal_quantile(1e-12), -7.034484, 1e-5));
    ck_assert(near(normal_quantile(0.2), -normal_quantile(0.8), 1e-9));
}

/* The example of Benjamini and Hochberg (1995), section 3: fifteen p-values,
 * four of which are rejected at 0.05. */
TEST(false_discovery_rate)
{
    static const double p[] = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201,
                               0.0278, 0.0298, 0.0344, 0.0459, 0.3240,
                               0.4262, 0.5719, 0.6528, 0.7590, 1.0};
    double q[15];
    unsigned rejected = 0;

    stats_false_discovery(p, q, 15);
    for (size_t i = 0; i < 15; i++) {
        rejected += q[i] <= 0.05;
        ck_assert(q[i] >= p[i] && (!i || q[i] >= q[i - 1]));
    }
    ck_assert_uint_eq(rejected, 4);
    ck_assert(near(q[0], 0.0015, 1e-12));
}

/* Newcombe (1998), example (a): 56/70 and 48/80, method 10. */
TEST(intervals_of_newcombe)
{
    struct interval a = wilson_interval(48, 80, 1, 1.959964);
    struct interval b = wilson_interval(56, 70, 1, 1.959964);
    struct interval d;

    a.low /= 80, a.high /= 80, b.low /= 70, b.high /= 70;
    d = newcombe_interval(48.0 / 80, a, 56.0 / 70, b);
    ck_assert(near(d.low, 0.0524, 1e-4));
    ck_assert(near(d.high, 0.3339, 1e-4));
}

TEST(a_count_of_zero_has_an_interval)
{
    struct interval i = wilson_interval(0, 0, 1, 1.96);

    ck_assert(i.low == 0);
    ck_assert(near(i.high, 1.96 * 1.96, 1e-9));
}
