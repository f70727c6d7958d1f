/* What a value's unit is in samples, and the order of inputs and of rows. */
#include <math.h>

#include "tests/support/compare_two.h"
#include "tests/support/profile_builder.h"
#include "tests/support/random_profile.h"
#include "tests/support/suite.h"

enum { MS = 1000000 };

static struct profile *one_stack(const char *stack, unsigned samples)
{
    struct builder *b = builder_new("a.etl");
    uint32_t t = builder_thread(b, 1, "a", 1);

    builder_samples(b, t, samples, stack);
    return builder_finish(b);
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

TEST(samples_of_a_unit)
{
    static const struct {
        enum diff_normalize normalize;
        int64_t interval; /* ns between samples */
        double exposure;
    } cases[] = {
        {DIFF_OTHERS, MS, 2},        {DIFF_TOTAL, MS, 2},
        {DIFF_SAMPLES, MS, 4},       {DIFF_WALL, MS, 0.25},
        {DIFF_WALL, MS / 4, 1},      {DIFF_WALL, 0, 0.25},
        {DIFF_CPU, MS, 1},           {DIFF_CPU, MS / 4, 4},
        {DIFF_CPU, 0, 1},            {DIFF_NONE, MS / 4, 1},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct profile *p = one_stack("a!main", 200);
        struct selection *sel = selection_new(p, NULL);
        const struct diff_input input = {p, sel, false};

        p->trace.interval_ns = cases[i].interval;
        p->trace.duration_ns = 250 * MS;
        ck_assert_msg(near(diff_exposure(&input, cases[i].normalize, 50),
                           cases[i].exposure),
                      "row %zu", i);
        p->trace.duration_ns = 0;
        if (cases[i].normalize == DIFF_WALL)
            ck_assert(near(diff_exposure(&input, DIFF_WALL, 50),
                           cases[i].exposure * 4));
        selection_free(sel);
        profile_free(p);
    }
}

/* Two threads in turn, a millisecond apart: one runs, the other waits. */
TEST(time_of_running_threads)
{
    struct builder *b = builder_new("a.nettrace");
    uint32_t runs = builder_thread(b, 1, "a", 1);
    uint32_t waits = builder_thread(b, 1, "a", 2);
    struct diff_input input = {.after = false};
    struct profile *p;

    for (int i = 0; i < 10; i++) {
        builder_sample(b, runs, 0, "a!main");
        builder_sample(b, waits, SAMPLE_WAITS, "a!main");
    }
    p = builder_finish(b);
    p->trace.interval_ns = 0;
    profile_set_metric(p, METRIC_THREAD_SAMPLES);
    input.p = p;
    input.sel = selection_new(p, NULL);
    ck_assert(near(diff_exposure(&input, DIFF_CPU, 1), 0.5));
    ck_assert(near(diff_total_per_ms(&input), 1));
    selection_free((struct selection *)input.sel);
    profile_free(p);
}

/* The fewer samples a run of either side has on average, at least one. */
TEST(reference_of_samples)
{
    static const struct {
        unsigned before[2], after;
        double reference;
    } cases[] = {{{10, 30}, 50, 20}, {{10, 30}, 15, 15}, {{0, 0}, 50, 1}};

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct profile *p[3] = {one_stack("a!main", cases[i].before[0]),
                                one_stack("a!main", cases[i].before[1]),
                                one_stack("a!main", cases[i].after)};
        struct diff_input inputs[3];

        for (size_t j = 0; j < 3; j++)
            inputs[j] = (struct diff_input){p[j], selection_new(p[j], NULL),
                                            j == 2};
        ck_assert(near(diff_reference(inputs, 3), cases[i].reference));
        for (size_t j = 0; j < 3; j++) {
            selection_free((struct selection *)inputs[j].sel);
            profile_free(p[j]);
        }
    }
}

/* What a real change is at least: its bound that is nearer to 0. */
static double weight_of(const struct diff_row *r)
{
    double least = r->change;

    if (diff_is_real(r))
        least = r->low <= 0 && r->high >= 0
                    ? 0
                    : fmin(fabs(r->low), fabs(r->high));
    return round(fabs(least) * 1e6);
}

static int order_of(const struct diff_row *a, const struct diff_row *b)
{
    double change = round(fabs(b->change) * 1e6) - round(fabs(a->change) * 1e6);

    if (diff_is_real(a) != diff_is_real(b))
        return diff_is_real(a) ? -1 : 1;
    if (!diff_is_real(a) && a->verdict != b->verdict)
        return a->verdict < b->verdict ? -1 : 1;
    if (weight_of(a) != weight_of(b))
        return weight_of(a) > weight_of(b) ? -1 : 1;
    if (change != 0)
        return change < 0 ? -1 : 1;
    if (strcmp(a->name, b->name) != 0)
        return strcmp(a->name, b->name);
    if (strcmp(a->module, b->module) != 0)
        return strcmp(a->module, b->module);
    return a->unit < b->unit ? -1 : 1;
}

TEST(rows_stand_in_order)
{
    unsigned verdicts[DIFF_VERDICTS] = {0};

    for (uint32_t seed = 0; seed < 40; seed++) {
        struct profile *p = random_profile(seed);
        struct profile *q = random_profile(seed + 7);
        struct diff_options o = DIFF_DEFAULTS;
        struct comparison *c;

        o.q = seed % 2 ? 0.05 : 0.9;
        o.paths = seed % 3;
        c = compare_two(p, q, &o);
        for (size_t i = 0; i < c->diff->len; i++) {
            verdicts[c->diff->rows[i].verdict]++;
            if (i)
                ck_assert_int_lt(order_of(&c->diff->rows[i - 1],
                                          &c->diff->rows[i]),
                                 0);
        }
        comparison_free(c);
        profile_free(p);
        profile_free(q);
    }
    ck_assert(verdicts[DIFF_SLOWER] + verdicts[DIFF_NEW] > 0);
    ck_assert_uint_gt(verdicts[DIFF_CANNOT_TELL], 0);
}
