#include "engine/diff/gate.h"

#include "tests/support/compare_two.h"
#include "tests/support/drawn_profile.h"
#include "tests/support/suite.h"

/* Function 2 becomes slower by a third; the rest keeps its proportions. */
static struct comparison *slower_by_a_third(unsigned samples,
                                            struct profile *profiles[2])
{
    struct program program = program_new(12, 1);

    profiles[0] = program_record(&program, samples, 1);
    program.weight[2] *= 4 / 3.0;
    profiles[1] = program_record(&program, samples, 2);
    return compare_two(profiles[0], profiles[1], NULL);
}

static const struct {
    unsigned samples;
    const char *glob;
    double max;
    enum gate_outcome outcome;
} rows[] = {
    {40000, "work2", 10, GATE_FAIL},
    {40000, "work2", 60, GATE_PASS},
    {40000, "WORK2*", 10, GATE_FAIL},
    {40000, "ork2", 10, GATE_FAIL},
    {40000, "ork2*", 10, GATE_INCONCLUSIVE},
    {40000, "work0", 20, GATE_PASS},
    {300, "work2", 10, GATE_PASS},
    {40000, "nothing", 10, GATE_INCONCLUSIVE},
};

TEST(limits_are_judged)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct profile *profiles[2];
        struct comparison *c = slower_by_a_third(rows[i].samples, profiles);
        struct gate_rules rules = {.single = true};
        struct gate *gate;

        *vec_add(&rules.limits) =
            (struct gate_limit){rows[i].glob, rows[i].max};
        gate = gate_new(c->diff, &rules);
        ck_assert_msg(gate->outcome == rows[i].outcome, "row %zu: %s", i,
                      gate_outcome_name(gate->outcome));
        gate_free(gate);
        gate_rules_release(&rules);
        comparison_free(c);
        profile_free(profiles[0]);
        profile_free(profiles[1]);
    }
}

/* Runs that vary in length say nothing of a fifth more. */
TEST(runs_bound_the_total)
{
    static const unsigned lengths[] = {8000, 12000, 10000,
                                       9500, 14500, 12000};
    struct program program = program_new(12, 1);
    const struct profile *runs[6];
    struct diff_options o = DIFF_DEFAULTS;
    struct comparison *c;

    o.normalize = DIFF_NONE;
    for (uint32_t i = 0; i < 6; i++)
        runs[i] = program_record(&program, lengths[i], i);
    c = compare_runs(runs, 3, runs + 3, 3, &o);
    ck_assert_int_eq(c->diff->total.verdict, DIFF_CANNOT_TELL);
    comparison_free(c);
    for (uint32_t i = 0; i < 6; i++)
        profile_free((struct profile *)runs[i]);
}

TEST(the_first_rule_that_matches_counts)
{
    struct profile *profiles[2];
    struct comparison *c = slower_by_a_third(40000, profiles);
    struct gate_rules rules = {.has_max = true, .max = 30, .single = true};
    struct gate *gate;

    c->diff->options.relevant = 1;
    *vec_add(&rules.limits) = (struct gate_limit){"work2", 60};
    *vec_add(&rules.limits) = (struct gate_limit){"work*", 1};
    gate = gate_new(c->diff, &rules);
    for (size_t i = 0; i < gate->findings.len; i++)
        ck_assert_str_ne(gate->findings.data[i].row->name, "work2");
    gate_free(gate);
    gate_rules_release(&rules);
    comparison_free(c);
    profile_free(profiles[0]);
    profile_free(profiles[1]);
}

/* 95 % of one side is less than the upper end of 95 % of both. */
TEST(a_pass_needs_one_bound)
{
    struct profile *profiles[2];
    struct comparison *c = slower_by_a_third(40000, profiles);
    const struct diff_row *row = comparison_row(c, "work5");
    double between = (row->most + row->high) / 2;
    struct gate_rules rules = {.single = true, .require_power = true};
    struct gate *gate;

    ck_assert(row->change < row->most && row->most < row->high);
    ck_assert(row->most - row->change > 0.8 * (row->high - row->change));
    *vec_add(&rules.limits) =
        (struct gate_limit){"work5", 100 * between / row->value[0]};
    gate = gate_new(c->diff, &rules);
    ck_assert_int_eq(gate->outcome, GATE_PASS);
    ck_assert_ptr_eq(gate->missed, row);
    ck_assert(gate->runs_to_tell == 0);
    gate_free(gate);
    gate_rules_release(&rules);
    comparison_free(c);
    profile_free(profiles[0]);
    profile_free(profiles[1]);
}

/* Four times as many halve the interval. */
TEST(it_says_how_many_runs_would_tell)
{
    struct program program = program_new(30, 1);
    struct profile *p[6];
    const struct profile *const *all = (const struct profile *const *)p;
    struct gate_rules rules = {
        .has_max = true, .max = 3, .require_power = true};
    const struct diff_row *row;
    struct comparison *c;
    struct gate *gate;
    double wide, allowed;

    for (uint32_t i = 0; i < 6; i++)
        p[i] = program_record(&program, 3000, i);
    c = compare_runs(all, 3, all + 3, 3, NULL);
    gate = gate_new(c->diff, &rules);
    ck_assert_int_eq(gate->outcome, GATE_INCONCLUSIVE);
    ck_assert(gate->runs_to_tell > 3);
    for (size_t i = 0; i < c->diff->len; i++) {
        row = &c->diff->rows[i];
        allowed = row->value[0] * 0.03;
        if (allowed < 0.1)
            allowed = diff_relevant(c->diff);
        wide = 1.43 * (row->high - row->change) / fabs(allowed - row->change);
        if (row->most > allowed)
            ck_assert(gate->runs_to_tell + 1e-6 >= 3 * wide * wide);
    }
    gate_free(gate);
    comparison_free(c);
    for (uint32_t i = 0; i < 6; i++)
        profile_free(p[i]);
}

/* A function that takes half the time makes no other slower. */
TEST(the_innocent_pass)
{
    struct program slow = program_new(30, 1), fast = slow;
    struct gate_rules rules = {.has_max = true, .max = 10, .single = true};

    slow.weight[0] *= 2;
    for (uint32_t i = 0; i < 10; i++) {
        struct profile *a = program_record(&slow, 40000, 2 * i);
        struct profile *b = program_record(&fast, 40000, 2 * i + 1);
        struct comparison *c = compare_two(a, b, NULL);
        struct gate *gate;

        c->diff->options.relevant = 0.5;
        gate = gate_new(c->diff, &rules);
        ck_assert_uint_eq(gate->counts[GATE_FAIL], 0);
        gate_free(gate);
        comparison_free(c);
        profile_free(a);
        profile_free(b);
    }
}
