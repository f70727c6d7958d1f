#include "engine/diff/diff.h"

#include <math.h>

#include "engine/diff/explain.h"
#include "tests/support/compare_two.h"
#include "tests/support/drawn_profile.h"
#include "tests/support/profile_builder.h"
#include "tests/support/random_profile.h"
#include "tests/support/suite.h"

enum { SEEDS = 40 };

/* All combinations of what is counted and how. */
static struct diff_options variant(uint32_t i)
{
    struct diff_options o = DIFF_DEFAULTS;

    o.inclusive = i & 1;
    o.paths = i & 2;
    o.normalize = (enum diff_normalize)(i / 4 % DIFF_NORMALIZATIONS);
    return o;
}

TEST(a_profile_does_not_differ_from_itself)
{
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        struct profile *p = random_profile(seed);
        struct diff_options o = variant(seed);
        struct comparison *c = compare_two(p, p, &o);

        for (size_t i = 0; i < c->diff->len; i++) {
            ck_assert(c->diff->rows[i].change == 0);
            ck_assert(!diff_is_real(&c->diff->rows[i]));
            ck_assert_int_eq(c->diff->rows[i].rule, DIFF_EXACT);
        }
        comparison_free(c);
        profile_free(p);
    }
}

/* The row of the same names and path on the other side of the mirror, the
 * same to the last bit. */
static const struct diff_row *mirrored(const struct diff *d,
                                       const struct diff_row *row)
{
    for (size_t i = 0; i < d->len; i++) {
        const struct diff_row *r = &d->rows[i];

        if (r->samples[0] == row->samples[1] &&
            r->samples[1] == row->samples[0] && r->change == -row->change &&
            r->low == -row->high && r->high == -row->low && r->p == row->p &&
            r->q == row->q && r->detectable == row->detectable &&
            !strcmp(r->name, row->name) &&
            !strcmp(r->module, row->module))
            return r;
    }
    return NULL;
}

static void assert_mirror(const struct profile *a, const struct profile *b,
                          const struct diff_options *o)
{
    static const enum diff_verdict other[DIFF_VERDICTS] = {
        [DIFF_SLOWER] = DIFF_FASTER,         [DIFF_FASTER] = DIFF_SLOWER,
        [DIFF_NEW] = DIFF_GONE,              [DIFF_GONE] = DIFF_NEW,
        [DIFF_CANNOT_TELL] = DIFF_CANNOT_TELL,
        [DIFF_UNCHANGED] = DIFF_UNCHANGED,
    };
    struct comparison *there = compare_two(a, b, o);
    struct comparison *back = compare_two(b, a, o);

    ck_assert_uint_eq(there->diff->len, back->diff->len);
    for (size_t i = 0; i < there->diff->len; i++) {
        const struct diff_row *row = &there->diff->rows[i];
        const struct diff_row *m = mirrored(back->diff, row);

        ck_assert_msg(m, "%s has no mirror", row->name);
        ck_assert_int_eq(m->verdict, other[row->verdict]);
    }
    comparison_free(there);
    comparison_free(back);
}

TEST(exchanging_sides_mirrors)
{
    struct program program = program_new(40, 5);

    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        struct profile *a = random_profile(seed);
        struct profile *b = random_profile(seed + 1000);
        struct diff_options o = variant(seed);

        assert_mirror(a, b, &o);
        profile_free(a);
        profile_free(b);
    }
    for (uint32_t i = 0; i < 4; i++) {
        struct profile *a = program_record(&program, 4000, i);
        struct diff_options o = variant(i);
        struct profile *b;

        program.weight[2] *= 1.5;
        b = program_record(&program, 3000, i + 10);
        assert_mirror(a, b, &o);
        profile_free(a);
        profile_free(b);
    }
}

/* Exclusive shares add up to all, so their changes add up to nothing. */
TEST(exclusive_changes_add_up)
{
    for (uint32_t seed = 1; seed < SEEDS; seed++) {
        struct profile *a = random_profile(seed);
        struct profile *b = random_profile(seed + 500);
        struct comparison *c = compare_two(a, b, NULL);
        double value[2] = {0, 0}, change = 0;

        for (size_t i = 0; i < c->diff->len; i++) {
            value[0] += c->diff->rows[i].value[0];
            value[1] += c->diff->rows[i].value[1];
            change += c->diff->rows[i].change;
        }
        ck_assert(fabs(value[0] - c->diff->whole[0]) < 1e-9);
        ck_assert(fabs(value[1] - c->diff->whole[1]) < 1e-9);
        ck_assert(fabs(change - (value[1] - value[0])) < 1e-9);
        comparison_free(c);
        profile_free(a);
        profile_free(b);
    }
}

static void assert_explained(const struct diff *d, const struct diff_row *row,
                             enum diff_direction direction)
{
    struct diff_explanation e = {0};
    double change = 0, value[2] = {0, 0};

    diff_explain(&e, d, row, direction);
    for (size_t i = 0; i < e.parts.len; i++) {
        change += e.parts.data[i].change;
        value[0] += e.parts.data[i].value[0];
        value[1] += e.parts.data[i].value[1];
    }
    ck_assert_msg(fabs(change - row->change) < 1e-9, "%s: %f, not %f",
                  row->name, change, row->change);
    ck_assert(fabs(value[0] - row->value[0]) < 1e-9);
    ck_assert(fabs(value[1] - row->value[1]) < 1e-9);
    diff_explanation_release(&e);
}

TEST(explanations_add_up)
{
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        struct profile *a = random_profile(seed);
        struct profile *b = random_profile(seed + 99);
        struct diff_options o = variant(seed & 1);
        struct comparison *c = compare_two(a, b, &o);

        for (size_t i = 0; i < c->diff->len; i++) {
            const struct diff_row *row = &c->diff->rows[i];

            assert_explained(c->diff, row, DIFF_FROM_CALLERS);
            if (o.inclusive)
                assert_explained(c->diff, row, DIFF_INSIDE);
        }
        comparison_free(c);
        profile_free(a);
        profile_free(b);
    }
}

TEST(an_explanation_names_the_edge)
{
    struct builder *b = builder_new("a.etl");
    uint32_t t = builder_thread(b, 1, "a", 1);
    struct diff_explanation e = {0};
    struct profile *before, *after;
    struct comparison *c;

    builder_samples(b, t, 100, "a!main;a!x;a!work");
    builder_samples(b, t, 100, "a!main;a!y;a!work");
    builder_samples(b, t, 800, "a!main;a!rest");
    before = builder_finish(b);
    b = builder_new("b.etl");
    t = builder_thread(b, 1, "a", 1);
    builder_samples(b, t, 100, "a!main;a!x;a!work");
    builder_samples(b, t, 400, "a!main;a!y;a!work");
    builder_samples(b, t, 500, "a!main;a!rest");
    after = builder_finish(b);
    c = compare_two(before, after, NULL);
    diff_explain(&e, c->diff, comparison_row(c, "work"), DIFF_FROM_CALLERS);
    ck_assert_uint_eq(e.parts.len, 2);
    ck_assert_int_eq(e.parts.data[0].kind, DIFF_PART_CALLER);
    ck_assert_str_eq(
        c->diff->pairs->names.data[e.parts.data[0].function].name, "y");
    ck_assert(fabs(e.parts.data[0].change - 30) < 1e-9);
    diff_explanation_release(&e);
    comparison_free(c);
    profile_free(before);
    profile_free(after);
}

static unsigned real_rows(const struct diff *d)
{
    unsigned n = 0;

    for (size_t i = 0; i < d->len; i++)
        n += diff_is_real(&d->rows[i]);
    return n;
}

/* With 40 pairs of which at most 5 % may have a false verdict, more than 6
 * come up once in 150 sets of seeds; these seeds have fewer. */
TEST(no_change_is_found_where_there_is_none)
{
    static const struct {
        double burst;
        uint32_t heaviest;
    } kinds[] = {{1, 0}, {10, 0}, {1, 50000}, {10, 50000}};

    for (size_t i = 0; i < COUNT(kinds); i++) {
        struct program program = program_new(60, kinds[i].burst);
        unsigned wrong = 0;

        program.heaviest = kinds[i].heaviest;
        for (uint32_t seed = 0; seed < 40; seed++) {
            struct profile *a = program_record(&program, 6000, 2 * seed);
            struct profile *b = program_record(&program, 6000, 2 * seed + 1);
            struct comparison *c = compare_two(a, b, NULL);

            wrong += real_rows(c->diff) > 0;
            comparison_free(c);
            profile_free(a);
            profile_free(b);
        }
        ck_assert_uint_le(wrong, 6);
    }
}

static struct profile *weighing_all(struct profile *p, uint32_t weight)
{
    p->samples.weight = mem_new(p->samples.len, sizeof(uint64_t));
    for (size_t i = 0; i < p->samples.len; i++)
        p->samples.weight[i] = weight;
    return p;
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

static void check_same_verdicts(const struct diff *d, const struct diff *e)
{
    ck_assert_uint_eq(d->len, e->len);
    ck_assert_uint_eq(d->tested, e->tested);
    for (size_t i = 0; i < d->len; i++) {
        const struct diff_row *a = &d->rows[i], *b = &e->rows[i];

        ck_assert_str_eq(a->name, b->name);
        ck_assert_uint_eq(a->samples[0] * 1000, b->samples[0]);
        ck_assert_int_eq(a->verdict, b->verdict);
        ck_assert(near(a->p, b->p) && near(a->q, b->q));
    }
}

/* Microseconds say no more than the samples they come from. */
TEST(equal_weights_change_no_verdict)
{
    struct program before = program_new(60, 3), after = before;

    after.weight[4] *= 1.3;
    for (uint32_t i = 0; i < 12; i++) {
        struct diff_options o = variant(i);
        struct comparison *plain, *heavy;
        struct profile *p[4];

        for (uint32_t j = 0; j < 4; j++)
            p[j] = program_record(j % 2 ? &after : &before, 8000, j % 2);
        plain = compare_two(p[0], p[1], &o);
        heavy = compare_two(weighing_all(p[2], 1000),
                            weighing_all(p[3], 1000), &o);
        check_same_verdicts(plain->diff, heavy->diff);
        comparison_free(plain);
        comparison_free(heavy);
        for (uint32_t j = 0; j < 4; j++)
            profile_free(p[j]);
    }
}

/* Half weigh 1 and half 3: W^2 / Q of them tell as much, of Q / W each. */
TEST(weights_are_worth_what_they_tell)
{
    struct program program = program_new(1, 1);
    struct profile *p = weighing_all(program_record(&program, 1000, 1), 1);
    const struct diff_weights *w;
    struct comparison *c;

    for (size_t i = 0; i < p->samples.len; i += 2)
        p->samples.weight[i] = 3;
    c = compare_two(p, p, NULL);
    w = &c->diff->sides[0].weights;
    ck_assert_uint_eq(c->diff->sides[0].total, 2000);
    ck_assert(near(w->mean_grain, 2.5));
    for (size_t i = 0; i < c->diff->len; i++) {
        ck_assert(near(w->worth[c->diff->rows[i].unit], 800));
        ck_assert(near(w->grain[c->diff->rows[i].unit], 2.5));
    }
    comparison_free(c);
    profile_free(p);
}

/* One sample that waited long is no change of what waits. */
TEST(one_heavy_sample_is_no_change)
{
    struct program program = program_new(20, 1);
    struct profile *a = program_record(&program, 4000, 1);
    struct profile *b = program_record(&program, 4000, 2);
    struct comparison *c;

    weighing_all(a, 10);
    weighing_all(b, 10)->samples.weight[2000] = 20000;
    c = compare_two(a, b, NULL);
    ck_assert_uint_eq(real_rows(c->diff), 0);
    comparison_free(c);
    profile_free(a);
    profile_free(b);
}

TEST(a_change_is_found_and_held_by_its_interval)
{
    struct program program = program_new(60, 1);
    unsigned found = 0, held = 0;

    for (uint32_t seed = 0; seed < 20; seed++) {
        struct program changed = program;
        struct profile *a = program_record(&program, 20000, 2 * seed);
        struct comparison *c;
        struct profile *b;
        const struct diff_row *row;
        double truth;

        changed.weight[4] *= 1.2;
        truth = program_share(&changed, 4) - program_share(&program, 4);
        b = program_record(&changed, 20000, 2 * seed + 1);
        c = compare_two(a, b, NULL);
        row = comparison_row(c, "work4");
        found += row->verdict == DIFF_SLOWER;
        held += row->low <= truth && row->high >= truth;
        ck_assert_int_ne(row->verdict, DIFF_FASTER);
        comparison_free(c);
        profile_free(a);
        profile_free(b);
    }
    ck_assert_uint_ge(found, 5);
    ck_assert_uint_ge(held, 17);
}

/* What one recording takes for a change is how runs differ. */
TEST(runs_show_what_one_recording_cannot)
{
    struct program before = program_new(30, 1), after;
    struct profile *a[3], *b[3];
    struct comparison *one, *all;

    for (uint32_t i = 0; i < 3; i++) {
        after = before;
        before.weight[1] = i == 0 ? 0.5 : i == 1 ? 0.8 : 0.6;
        after.weight[1] = i == 0 ? 0.75 : i == 1 ? 0.55 : 0.65;
        a[i] = program_record(&before, 20000, i);
        b[i] = program_record(&after, 20000, 10 + i);
    }
    one = compare_two(a[0], b[0], NULL);
    all = compare_runs((const struct profile *const *)a, 3,
                       (const struct profile *const *)b, 3, NULL);
    ck_assert_int_eq(comparison_row(one, "work1")->verdict, DIFF_SLOWER);
    ck_assert_int_eq(comparison_row(all, "work1")->verdict,
                     DIFF_CANNOT_TELL);
    ck_assert_uint_eq(all->diff->sides[0].runs, 3);
    comparison_free(one);
    comparison_free(all);
    for (uint32_t i = 0; i < 3; i++) {
        profile_free(a[i]);
        profile_free(b[i]);
    }
}

TEST(too_few_samples_tell_nothing)
{
    for (unsigned n = 0; n < 6; n++) {
        struct builder *b = builder_new("a.etl");
        uint32_t t = builder_thread(b, 1, "a", 1);
        struct profile *empty = builder_finish(builder_new("b.etl")), *p;
        struct comparison *c;

        builder_samples(b, t, n, "a!main");
        p = builder_finish(b);
        for (uint32_t i = 0; i < 20; i++) {
            struct diff_options o = variant(i);

            c = compare_two(p, empty, &o);
            ck_assert_uint_eq(real_rows(c->diff), 0);
            comparison_free(c);
        }
        profile_free(p);
        profile_free(empty);
    }
}
