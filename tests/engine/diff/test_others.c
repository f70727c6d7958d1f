#include "engine/diff/size_factors.h"

#include <math.h>

#include "tests/support/compare_two.h"
#include "tests/support/drawn_profile.h"
#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

/* What one change does to all shares. */

/* 100 samples of each of so many functions, of the first as many as told. */
static struct profile *counted(unsigned functions, unsigned first)
{
    struct builder *b = builder_new("a.etl");
    uint32_t t = builder_thread(b, 1, "a", 1);

    for (unsigned i = 0; i < functions; i++) {
        char text[40];

        snprintf(text, sizeof(text), "a!main;a!work%u", i);
        builder_samples(b, t, i ? 100 : first, text);
    }
    return builder_finish(b);
}

TEST(shares_are_by_what_did_not_change)
{
    struct profile *a = counted(30, 1000), *b = counted(30, 2000);
    struct comparison *c = compare_two(a, b, NULL);
    const struct diff_row *work = comparison_row(c, "work0");

    ck_assert_int_eq(c->diff->options.normalize, DIFF_OTHERS);
    ck_assert_uint_eq(c->diff->common, 30);
    ck_assert(fabs(work->value[1] / work->value[0] - 2) < 1e-9);
    for (unsigned i = 1; i < 30; i++) {
        char name[20];

        snprintf(name, sizeof(name), "work%u", i);
        ck_assert(fabs(comparison_row(c, name)->change) < 1e-9);
    }
    comparison_free(c);
    profile_free(a);
    profile_free(b);
}

/* Seven functions of 20 grow by about a fifth, the others hardly differ. */
TEST(functions_that_changed_are_outside)
{
    struct builder *before = builder_new("a.etl"), *after = builder_new("b.etl");
    uint32_t t = builder_thread(before, 1, "a", 1);
    uint32_t u = builder_thread(after, 1, "a", 1);
    struct diff_counts *counts;
    struct comparison *c;
    bool outside[21] = {false};

    for (unsigned i = 0; i < 20; i++) {
        char text[40];

        snprintf(text, sizeof(text), "a!work%u", i);
        builder_samples(before, t, 100, text);
        builder_samples(after, u, (i < 7 ? 118 : 98) + i % 5, text);
    }
    c = compare_two(builder_finish(before), builder_finish(after), NULL);
    counts = diff_counts_new(c->diff->pairs, c->inputs, 2);
    diff_others_outside(counts, outside);
    for (uint32_t k = 0; k < counts->units; k++) {
        unsigned i = (unsigned)atoi(counts->pairs->names.data[k].name + 4);

        ck_assert(i >= 7 || outside[k]);
    }
    diff_counts_free(counts);
    for (int i = 0; i < 2; i++)
        profile_free((struct profile *)c->inputs[i].p);
    comparison_free(c);
}

TEST(too_few_functions_leave_the_total)
{
    struct profile *a = counted(7, 1000), *b = counted(7, 2000);
    struct comparison *c = compare_two(a, b, NULL);
    const struct diff_row *work = comparison_row(c, "work0");

    ck_assert_int_eq(c->diff->options.normalize, DIFF_TOTAL);
    ck_assert(c->diff->too_few);
    ck_assert_uint_eq(c->diff->common, 7);
    ck_assert(fabs(work->value[0] - 100.0 * 1000 / 1600) < 1e-9);
    comparison_free(c);
    profile_free(a);
    profile_free(b);
}

/* A sample's weight is not how many samples there are. */
TEST(functions_are_counted_by_samples)
{
    struct program program = program_new(60, 1);
    struct profile *a, *b;
    struct comparison *c, *d;

    program.heaviest = 5000;
    a = program_record(&program, 300, 1);
    b = program_record(&program, 300, 2);
    c = compare_two(a, b, NULL);
    ck_assert(c->diff->too_few);
    ck_assert_uint_lt(c->diff->common, 10);
    comparison_free(c);
    profile_free(b);
    b = program_record(&program, 9000, 3);
    d = compare_two(b, b, NULL);
    ck_assert(!d->diff->too_few);
    comparison_free(d);
    profile_free(a);
    profile_free(b);
}

TEST(a_factor_knows_how_sure_it_is)
{
    struct program program = program_new(100, 1);
    double sum = 0, squares = 0, variance = 0;
    enum { TIMES = 60 };

    for (uint32_t i = 0; i < TIMES; i++) {
        struct profile *a = program_record(&program, 20000, 2 * i);
        struct profile *b = program_record(&program, 20000, 2 * i + 1);
        struct comparison *c = compare_two(a, b, NULL);
        const struct diff_side *s = c->diff->sides;
        double ratio = log(s[1].exposure / s[0].exposure);

        sum += ratio, squares += ratio * ratio;
        variance += (s[0].unsure + s[1].unsure) / TIMES;
        comparison_free(c);
        profile_free(a);
        profile_free(b);
    }
    squares = (squares - sum * sum / TIMES) / (TIMES - 1);
    ck_assert_msg(squares < 1.5 * variance && squares > variance / 3,
                  "%g and %g", squares, variance);
}

TEST(the_mirror_is_exact)
{
    struct program program = program_new(60, 3);
    struct profile *p[5];
    const struct profile *const *all = (const struct profile *const *)p;
    struct comparison *c, *m;

    for (uint32_t i = 0; i < 5; i++) {
        program.weight[1] = i < 2 ? 0.5 : 1;
        p[i] = program_record(&program, 9000 + 1000 * i, i);
    }
    c = compare_runs(all, 2, all + 2, 3, NULL);
    m = compare_runs(all + 2, 3, all, 2, NULL);
    ck_assert(!c->diff->too_few);
    ck_assert_uint_eq(c->diff->len, m->diff->len);
    for (size_t i = 0; i < c->diff->len; i++) {
        const struct diff_row *a = &c->diff->rows[i];
        const struct diff_row *b = comparison_row(m, a->name);

        ck_assert(a->change == -b->change && a->low == -b->high);
        ck_assert(a->p == b->p && a->q == b->q);
    }
    comparison_free(c);
    comparison_free(m);
    for (size_t i = 0; i < 5; i++)
        profile_free(p[i]);
}
