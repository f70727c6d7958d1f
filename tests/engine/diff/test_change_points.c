#include "engine/diff/change_points.h"

#include <math.h>

#include "tests/support/drawn_profile.h"
#include "tests/support/suite.h"

enum { N = 30 };

/* Of standard deviation 1, as good as normal. */
static void draw_noise(double *values, size_t n, uint64_t *state)
{
    for (size_t i = 0; i < n; i++) {
        values[i] = -6;
        for (int k = 0; k < 12; k++)
            values[i] += drawn_uniform(state);
    }
}

/* By hand: 3 of 8 ranks at one end sum to 3 + 5 + 7 of 168 / 3 * 5 * 3; with
 * ties the three share rank 7. */
TEST(a_step_is_scored_by_its_ranks)
{
    static const double values[] = {1, 2, 3, 4, 5, 9, 8, 7};
    static const double ties[] = {1, 1, 1, 1, 1, 2, 2, 2};
    static const double equal[8] = {5, 5, 5, 5, 5, 5, 5, 5};
    struct rank_tables tables = {.all = {0}};
    double score = -7 * log(1 - 15.0 * 15 * 3 / (5 * 3 * 63));
    struct segment s = segment_find(&tables, ties, 8);

    ck_assert_uint_eq(s.from, 5);
    ck_assert_uint_eq(s.to, 8);
    ck_assert(fabs(s.score - score) < 1e-9);
    s = segment_find(&tables, values, 8);
    ck_assert_uint_eq(s.from, 4);
    ck_assert(s.score > score);
    ck_assert(segment_find(&tables, equal, 8).p == 1);
    ck_assert(segment_find(&tables, values, 5).p == 1);
    rank_tables_release(&tables);
}

/* Steps and bumps of three standard deviations are found in nearly all of 100
 * series, and nearly all ranges hold their place. */
TEST(steps_and_bumps_are_found_where_they_are)
{
    struct rank_tables tables = {.all = {0}};
    uint64_t state = drawn_state(3);

    for (size_t to = 20; to <= N; to += 10) {
        unsigned found = 0, held = 0;

        for (int k = 0; k < 100; k++) {
            double values[N];
            struct segment s;
            struct step_range range;

            draw_noise(values, N, &state);
            for (size_t i = 10; i < to; i++)
                values[i] += 3;
            s = segment_find(&tables, values, N);
            if (s.p > 0.001 || (s.to == N) != (to == N))
                continue;
            range = step_range(values, s.to, s.from);
            found++;
            held += range.first <= 10 && range.last >= 10;
        }
        ck_assert_uint_ge(found, 90);
        ck_assert_uint_ge(held * 10, found * 9);
    }
    rank_tables_release(&tables);
}

/* One in twenty of 400 series without a change shows one. By chance, more than
 * 31 do in one of a hundred sets of seeds. Long series share a table. */
TEST(noise_has_no_segments)
{
    static const size_t lengths[] = {8, 16, N, 75};
    struct rank_tables tables = {.all = {0}};
    uint64_t state = drawn_state(8);

    for (size_t k = 0; k < 4; k++) {
        unsigned wrong = 0;

        for (int i = 0; i < 400; i++) {
            double values[75];

            draw_noise(values, lengths[k], &state);
            wrong += segment_find(&tables, values, lengths[k]).p <= 0.05;
        }
        ck_assert_uint_le(wrong, 31);
    }
    rank_tables_release(&tables);
}

/* A million permutations of 30 ranks have scores of 23.85 and 26.93 in 100 and
 * 32 cases; a table of 40,000 extrapolates to at least these rates, and to less
 * than ten times as much. */
TEST(p_beyond_the_table_is_not_too_small)
{
    static const struct {
        double score, p;
    } wanted[] = {{18.24, 1e-3},
                  {21.09, 3.2e-4},
                  {23.85, 1e-4},
                  {26.93, 3.2e-5},
                  {29.27, 1e-5}};
    struct rank_tables tables = {.all = {0}};

    for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
        double p = rank_tables_tail(&tables, N, wanted[i].score);

        ck_assert_msg(p >= wanted[i].p * 0.9 && p < wanted[i].p * 10, "%g", p);
    }
    rank_tables_release(&tables);
}

TEST(a_line_is_fitted)
{
    static const double values[] = {1, 3, 5, 7, 9, 11, 13, 15};
    static const double noise[] = {1, 9, 3, 7, 2, 8, 4, 6};
    struct trend t = trend_of(values, 8);

    ck_assert(fabs(t.start - 1) < 1e-12 && fabs(t.slope - 2) < 1e-12);
    ck_assert(t.squares < 1e-20 && t.significant);
    ck_assert(!trend_of(noise, 8).significant);
}
