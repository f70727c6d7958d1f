#include "engine/diff/side.h"

#include <math.h>

#include "tests/support/compare_two.h"
#include "tests/support/drawn_starts.h"
#include "tests/support/suite.h"

/* What several runs say about how sure counts are. */

static unsigned real_rows(const struct diff *d)
{
    unsigned n = 0;

    for (size_t i = 0; i < d->len; i++)
        n += diff_is_real(&d->rows[i]);
    return n;
}

/* Pairs of 40 with a verdict where nothing changed. */
static unsigned wrong_pairs(const unsigned *samples, size_t runs,
                            double percent)
{
    struct starts starts = starts_new(60, percent, 7);
    struct profile *p[COMPARED_MOST];
    const struct profile *const *all = (const struct profile *const *)p;
    unsigned wrong = 0;
    uint32_t seed = 0;

    for (int i = 0; i < 40; i++) {
        struct comparison *c;

        for (size_t r = 0; r < 2 * runs; r++)
            p[r] = starts_record(&starts, samples[r % runs], seed++);
        c = compare_runs(all, runs, all + runs, runs, NULL);
        wrong += real_rows(c->diff) > 0;
        comparison_free(c);
        for (size_t r = 0; r < 2 * runs; r++)
            profile_free(p[r]);
    }
    return wrong;
}

TEST(unequal_runs_are_as_uncertain_as_equal_ones)
{
    static const unsigned two[] = {9000, 1000}, three[] = {11000, 3000, 1000};
    static const unsigned even[] = {5000, 5000, 5000};

    ck_assert_uint_le(wrong_pairs(two, 2, 20), 2);
    ck_assert_uint_le(wrong_pairs(three, 3, 20), 2);
    ck_assert_uint_le(wrong_pairs(even, 3, 10), 2);
}

/* Both sides have what they know together: a run without samples says
 * nothing, and does not spoil what the other says. */
TEST(an_empty_run_does_no_harm)
{
    struct program program = program_new(30, 1);
    struct profile *p[4];
    const struct profile *const *all = (const struct profile *const *)p;
    struct comparison *c;

    for (uint32_t i = 0; i < 4; i++)
        p[i] = program_record(&program, i % 2 ? 0 : 5000, i);
    c = compare_runs(all, 2, all + 2, 2, NULL);
    ck_assert_uint_eq(real_rows(c->diff), 0);
    for (size_t i = 0; i < c->diff->len; i++) {
        ck_assert(isfinite(c->diff->rows[i].low));
        ck_assert(c->diff->rows[i].p >= 0 && c->diff->rows[i].p <= 1);
    }
    comparison_free(c);
    for (uint32_t i = 0; i < 4; i++)
        profile_free(p[i]);
}

/* Twenty functions run once, for fifteen samples, on one of the sides. */
TEST(one_burst_is_no_change)
{
    struct program program = program_new(80, 1);
    unsigned wrong = 0;

    for (unsigned i = 60; i < 80; i++)
        program.weight[i] = 0;
    for (uint32_t pair = 0; pair < 40; pair++) {
        struct program sides[2] = {program, program};
        struct profile *a, *b;
        struct comparison *c;

        for (unsigned i = 60; i < 80; i++)
            sides[(i + pair) % 2].once[i] = 15;
        a = program_record(&sides[0], 10000, 2 * pair);
        b = program_record(&sides[1], 10000, 2 * pair + 1);
        c = compare_two(a, b, NULL);
        wrong += real_rows(c->diff) > 0;
        comparison_free(c);
        profile_free(a);
        profile_free(b);
    }
    ck_assert_uint_le(wrong, 4);
}

TEST(both_sides_have_one_dispersion)
{
    struct program program = program_new(60, 5);
    struct profile *a = program_record(&program, 8000, 1);
    struct profile *b = program_record(&program, 5000, 2);
    struct comparison *c = compare_two(a, b, NULL);

    for (size_t i = 0; i < c->diff->len; i++) {
        uint32_t u = c->diff->rows[i].unit;
        const struct diff_side *s = c->diff->sides;

        ck_assert(s[0].dispersion[u] == s[1].dispersion[u]);
        ck_assert(s[0].df[u] == s[1].df[u] && s[0].df[u] > 0);
        ck_assert(s[0].dispersion[u] >= 1 && s[0].dispersion[u] < 30);
    }
    comparison_free(c);
    profile_free(a);
    profile_free(b);
}
