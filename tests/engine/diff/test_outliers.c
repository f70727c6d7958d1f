#include "engine/diff/stats.h"

#include <math.h>

#include "tests/support/suite.h"

enum { RUNS = 40 };

/* Shares of 10 % that vary by what 1,000 samples do, in turn up and down. */
static void make_usual(struct share *shares)
{
    for (unsigned i = 0; i < RUNS; i++)
        shares[i] =
            (struct share){.part = 91 + i % 2 * 18 - i % 3, .whole = 1000};
}

static size_t standing_out(const struct share *shares, size_t n)
{
    size_t out = 0;

    for (size_t i = 0; i < n; i++)
        out += shares[i].stands_out;
    return out;
}

START_TEST(alike_none_stands_out)
{
    struct share shares[RUNS];
    double usual;

    make_usual(shares);
    usual = outliers_find(shares, RUNS);
    ck_assert(fabs(usual - 0.099) < 0.005);
    ck_assert_uint_eq(standing_out(shares, RUNS), 0);
}
END_TEST

START_TEST(those_apart_stand_out_whichever_way)
{
    struct share shares[RUNS];

    make_usual(shares);
    shares[7].part = 200;
    shares[30].part = 10;
    outliers_find(shares, RUNS);
    ck_assert_uint_eq(standing_out(shares, RUNS), 2);
    ck_assert(shares[7].stands_out && shares[7].apart > 5);
    ck_assert(shares[30].stands_out && shares[30].apart < -5);
}
END_TEST

/* Half of the samples say little where there are six of them. */
START_TEST(few_samples_are_far_away_by_chance)
{
    struct share shares[RUNS];

    make_usual(shares);
    shares[3] = (struct share){.part = 3, .whole = 6};
    shares[4] = (struct share){.part = 0, .whole = 0};
    outliers_find(shares, RUNS);
    ck_assert_uint_eq(standing_out(shares, RUNS), 0);
    ck_assert(shares[4].apart == 0);
}
END_TEST

/* What most do not have at all. */
START_TEST(one_that_has_it_stands_out)
{
    struct share shares[RUNS] = {{.whole = 0}};

    for (size_t i = 0; i < RUNS; i++)
        shares[i].whole = 1000;
    shares[5].part = 1;
    shares[6].part = 50;
    ck_assert(outliers_find(shares, RUNS) == 0);
    ck_assert_uint_eq(standing_out(shares, RUNS), 1);
    ck_assert(shares[6].stands_out);
    ck_assert(shares[5].apart < 2);
}
END_TEST

START_TEST(of_few_none_stands_out)
{
    struct share shares[] = {{.part = 1, .whole = 1000},
                             {.part = 1, .whole = 1000},
                             {.part = 1, .whole = 1000},
                             {.part = 900, .whole = 1000}};

    outliers_find(shares, 4);
    ck_assert_uint_eq(standing_out(shares, 4), 0);
    ck_assert(outliers_find(NULL, 0) == 0);
}
END_TEST

/* All of it everywhere: no spread at all. */
START_TEST(all_of_it_is_usual)
{
    struct share shares[RUNS];

    for (size_t i = 0; i < RUNS; i++)
        shares[i] = (struct share){.part = 1000, .whole = 1000};
    ck_assert(outliers_find(shares, RUNS) == 1);
    ck_assert_uint_eq(standing_out(shares, RUNS), 0);
    ck_assert(shares[0].apart == 0);
}
END_TEST

/* Without a spread of their own shares are apart in what drawing so many
 * samples spreads: by hand sqrt(s (1 - s) / n). */
START_TEST(distances_are_as_defined)
{
    static const struct {
        uint64_t usual, part, whole;
        double apart;
    } cases[] = {
        {100, 200, 1000, 10.5409255339}, /* 0.1 over sqrt(0.1 * 0.9 / 1000) */
        {100, 60, 1000, -4.2163702136},
        {100, 10, 100, 0},
        {0, 50, 1000, 50.0250187650},    /* 0.05, 1 of 1000 */
        {1000, 500, 1000, -500},         /* -0.5, 1 of 1000 */
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct share shares[RUNS];

        for (size_t k = 0; k < RUNS; k++)
            shares[k] = (struct share){.part = cases[i].usual, .whole = 1000};
        shares[9].part = cases[i].part;
        shares[9].whole = cases[i].whole;
        outliers_find(shares, RUNS);
        ck_assert_msg(fabs(shares[9].apart - cases[i].apart) < 1e-6,
                      "row %zu: %.10f", i, shares[9].apart);
    }
}
END_TEST

/* In distances from the median: half of them are as near as one standard
 * deviation over 1.4826, where more samples than anyone takes were drawn. */
START_TEST(distances_are_by_their_median)
{
    static const struct {
        size_t n;
        unsigned percent[6];
        double usual, distance;
    } cases[] = {
        {5, {10, 11, 30, 50, 51}, 0.3, 0.2},
        {5, {51, 30, 11, 50, 10}, 0.3, 0.2},
        {6, {10, 20, 30, 40, 60, 90}, 0.35, 0.2},
        {6, {10, 20, 30, 40, 50, 60}, 0.35, 0.15},
    };
    const uint64_t hundredth = UINT64_C(10000000000000000);

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct share shares[6] = {{.whole = 0}};

        for (size_t k = 0; k < cases[i].n; k++)
            shares[k] = (struct share){.part = cases[i].percent[k] * hundredth,
                                       .whole = 100 * hundredth};
        ck_assert(fabs(outliers_find(shares, cases[i].n) - cases[i].usual) <
                  1e-9);
        for (size_t k = 0; k < cases[i].n; k++)
            ck_assert(fabs(shares[k].apart -
                           (cases[i].percent[k] / 100.0 - cases[i].usual) /
                               (1.4826 * cases[i].distance)) < 1e-6);
    }
}
END_TEST

/* Five recordings can tell; nothing nearer than 3.5, or than the normal
 * quantile of 1 - 0.025 / n where that is more. */
START_TEST(limits_are_as_defined)
{
    static const struct {
        size_t runs;
        double apart;
        bool stands_out;
    } cases[] = {
        {4, 9, false},      {5, 3.51, true},    {5, 3.49, false},
        {200, 3.65, false}, {200, 3.67, true},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const double whole = 1e9, spread = sqrt(0.1 * 0.9 / whole);
        struct share shares[200];

        for (size_t k = 0; k < 200; k++)
            shares[k] = (struct share){.part = 100000000, .whole = 1000000000};
        shares[2].part += (uint64_t)(cases[i].apart * spread * whole);
        outliers_find(shares, cases[i].runs);
        ck_assert_msg(shares[2].stands_out == cases[i].stands_out, "row %zu",
                      i);
    }
}
END_TEST

SUITE
{
    return suite_run(
        "outliers", alike_none_stands_out, those_apart_stand_out_whichever_way,
        few_samples_are_far_away_by_chance, one_that_has_it_stands_out,
        of_few_none_stands_out, all_of_it_is_usual,
        distances_are_as_defined, distances_are_by_their_median,
        limits_are_as_defined);
}
