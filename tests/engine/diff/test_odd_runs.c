#include "engine/diff/odd_runs.h"

#include "tests/support/compare_two.h"
#include "tests/support/drawn_profile.h"
#include "tests/support/suite.h"

enum { RUNS = 10, SIDE = 5 };

static void record(const struct program *usual, const struct program *other,
                   uint32_t seed, struct profile **p)
{
    for (uint32_t i = 0; i < RUNS; i++)
        p[i] = program_record(i == 7 ? other : usual, 4000, seed + i);
}

/* One run of another input is left out, and a change is found all the same. */
TEST(an_odd_run_is_left_out)
{
    struct program before = program_new(30, 1), odd = before;
    struct profile *p[RUNS];
    const struct profile *const *all = (const struct profile *const *)p;
    struct comparison *c;

    for (unsigned i = 0; i < 30; i += 3)
        odd.weight[i] *= 2;
    record(&before, &odd, 1, p);
    c = compare_runs(all, SIDE, all + SIDE, SIDE, NULL);
    ck_assert_uint_eq(c->diff->odd.len, 1);
    ck_assert_ptr_eq(c->diff->odd.data[0].input->p, p[7]);
    ck_assert(c->diff->odd.data[0].distance > 3);
    ck_assert_uint_eq(c->diff->sides[1].runs, SIDE - 1);
    ck_assert_uint_eq(c->diff->by_verdict[DIFF_SLOWER], 0);
    comparison_free(c);
    for (int i = 0; i < RUNS; i++)
        profile_free(p[i]);
}

/* Runs of one program are never odd to each other, in 40 draws of ten. */
TEST(equal_runs_stay)
{
    struct program program = program_new(30, 1);

    for (uint32_t draw = 0; draw < 40; draw++) {
        struct profile *p[RUNS];
        const struct profile *const *all = (const struct profile *const *)p;
        struct comparison *c;

        record(&program, &program, 100 + draw * RUNS, p);
        c = compare_runs(all, SIDE, all + SIDE, SIDE, NULL);
        ck_assert_uint_eq(c->diff->odd.len, 0);
        comparison_free(c);
        for (int i = 0; i < RUNS; i++)
            profile_free(p[i]);
    }
}

/* Three runs cannot tell which of them is odd. */
TEST(three_runs_stay)
{
    struct program program = program_new(30, 1), odd = program;
    struct profile *p[6];
    const struct profile *const *all = (const struct profile *const *)p;
    struct comparison *c;

    for (unsigned i = 0; i < 30; i += 3)
        odd.weight[i] *= 2;
    for (uint32_t i = 0; i < 6; i++)
        p[i] = program_record(i == 4 ? &odd : &program, 4000, i);
    c = compare_runs(all, 3, all + 3, 3, NULL);
    ck_assert_uint_eq(c->diff->odd.len, 0);
    comparison_free(c);
    for (int i = 0; i < 6; i++)
        profile_free(p[i]);
}
