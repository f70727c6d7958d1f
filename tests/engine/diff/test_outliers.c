#include "engine/diff/outliers.h"

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

int main(void)
{
    return suite_run(
        "outliers", alike_none_stands_out, those_apart_stand_out_whichever_way,
        few_samples_are_far_away_by_chance, one_that_has_it_stands_out,
        of_few_none_stands_out, all_of_it_is_usual);
}
