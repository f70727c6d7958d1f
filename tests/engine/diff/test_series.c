#include "engine/diff/series.h"

#include <math.h>

#include "tests/support/drawn_starts.h"
#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

enum { RECORDINGS = 20 };

struct recorded {
    struct profile *p[RECORDINGS];
    struct diff_input inputs[RECORDINGS];
};

static void record(struct recorded *r,
                   void (*set)(struct program *program, size_t i))
{
    struct starts starts = starts_new(40, 3, 5);
    const struct program program = starts.program;

    for (size_t i = 0; i < RECORDINGS; i++) {
        starts.program = program;
        set(&starts.program, i);
        r->p[i] = starts_record(&starts, 8000, (uint32_t)i);
        r->inputs[i] =
            (struct diff_input){r->p[i], selection_new(r->p[i], NULL), false};
    }
}

static void release(struct recorded *r)
{
    for (size_t i = 0; i < RECORDINGS; i++) {
        selection_free((struct selection *)r->inputs[i].sel);
        profile_free(r->p[i]);
    }
}

static const char *name_of(const struct series *s, uint32_t unit)
{
    return s->pairs->names.data[unit].name;
}

static void nothing(struct program *program, size_t i)
{
    (void)program, (void)i;
}

static void one_step(struct program *program, size_t i)
{
    program->weight[4] *= i < 12 ? 1 : 1.5;
}

TEST(points_lie_between_recordings)
{
    struct recorded r;
    struct series *s;

    record(&r, nothing);
    s = series_new(r.inputs, RECORDINGS, 0.5, 1);
    ck_assert_uint_eq(s->len, 0);
    ck_assert(s->functions > 20);
    series_free(s);
    release(&r);
    record(&r, one_step);
    s = series_new(r.inputs, RECORDINGS, 0.5, 1);
    ck_assert_uint_ge(s->changed, 1);
    ck_assert_uint_le(s->changed, 2);
    ck_assert_str_eq(name_of(s, s->points[0].function), "work4");
    ck_assert_uint_eq(s->points[0].at, 12);
    ck_assert(fabs(s->points[0].value[1] / s->points[0].value[0] - 1.5) < 0.1);
    ck_assert_uint_eq(s->points[0].moved, NO_ID);
    series_free(s);
    release(&r);
}

/* One function costs 2 % more in each recording, another steps by 30 %. */
static void drift(struct program *program, size_t i)
{
    program->weight[4] *= pow(1.02, (double)i);
    program->weight[6] *= i < 10 ? 1 : 1.3;
}

TEST(a_drift_is_no_step)
{
    struct recorded r;
    struct series *s;
    unsigned drifts = 0, steps = 0;

    record(&r, drift);
    s = series_new(r.inputs, RECORDINGS, 0.5, 1);
    for (size_t i = 0; i < s->len; i++) {
        const struct series_point *point = &s->points[i];
        double ratio = point->value[1] / point->value[0];

        if (!strcmp(name_of(s, point->function), "work4")) {
            ck_assert(point->drifts);
            ck_assert(fabs(ratio - pow(1.02, RECORDINGS - 1)) < 0.1);
            drifts++;
        }
        if (!strcmp(name_of(s, point->function), "work6")) {
            ck_assert(!point->drifts);
            ck_assert_uint_le(point->range[0], 10);
            ck_assert_uint_ge(point->range[1], 10);
            steps++;
        }
    }
    ck_assert_uint_eq(drifts, 1);
    ck_assert_uint_eq(steps, 1);
    series_free(s);
    release(&r);
}

/* Two functions are 50 % slower in the middle, and mended. */
static void bump(struct program *program, size_t i)
{
    program->weight[4] *= i >= 7 && i < 14 ? 1.5 : 1;
    program->weight[5] *= i >= 7 && i < 14 ? 1.5 : 1;
}

TEST(a_bump_has_two_points)
{
    struct recorded r;
    struct series *s;
    unsigned found = 0;

    record(&r, bump);
    s = series_new(r.inputs, RECORDINGS, 0.5, 1);
    for (size_t i = 0; i < s->len; i++) {
        const struct series_point *point = &s->points[i];

        if (strcmp(name_of(s, point->function), "work4") &&
            strcmp(name_of(s, point->function), "work5"))
            continue;
        ck_assert_uint_eq(point->at,
                          point->value[1] > point->value[0] ? 7 : 14);
        found++;
    }
    ck_assert_uint_eq(found, 4);
    ck_assert_uint_le(s->len, 6);
    series_free(s);
    release(&r);
}

/* From recording 10 on the caller does itself what work9 did before. */
static void shift(struct program *program, size_t i)
{
    static const char caller[] = "app.exe!main;app.exe!work3";
    static const char callee[] = "app.exe!main;app.exe!work3;app.exe!work9";
    double moved = i < 10 ? 0 : 0.06;

    program->names[3] = caller;
    program->names[9] = callee;
    program->weight[3] += moved;
    program->weight[9] -= moved;
}

TEST(a_cost_that_moved_is_marked)
{
    struct recorded r;
    struct series *s;
    unsigned marked = 0;

    record(&r, shift);
    s = series_new(r.inputs, RECORDINGS, 0.5, 1);
    for (size_t i = 0; i < s->len; i++) {
        const struct series_point *point = &s->points[i];
        const char *other =
            point->moved == NO_ID ? "" : name_of(s, point->moved);

        if (!strcmp(name_of(s, point->function), "work9")) {
            ck_assert_uint_eq(point->at, 10);
            ck_assert_str_eq(other, "work3");
            marked++;
        }
    }
    ck_assert_uint_eq(marked, 1);
    series_free(s);
    release(&r);
}

/* Each recording has 1000 samples: f has two steps, g one as large as the
 * second of f, h a small one, and the rest makes up for them. */
static struct profile *stepped(unsigned i)
{
    struct builder *b = builder_new("a.etl");
    uint32_t t = builder_thread(b, 1, "a", 1);
    unsigned f = (i < 8 ? 100 : i < 16 ? 200 : 250) + i % 3;
    unsigned g = (i < 16 ? 100 : 150) + i % 3, h = i < 8 ? 4 : 6;

    builder_samples(b, t, f, "a!f");
    builder_samples(b, t, g, "a!g");
    builder_samples(b, t, h, "a!h");
    builder_samples(b, t, 1000 - f - g - h, "a!rest");
    return builder_finish(b);
}

TEST(points_of_several_functions)
{
    enum { N = 24 };
    static const struct {
        const char *name;
        size_t at;
        double before, after;
    } wanted[] = {
        {"rest", 8, 79.425, 69.2}, {"rest", 16, 69.2, 59.175},
        {"f", 8, 10.0875, 20.1},   {"g", 16, 10.09375, 15.1125},
        {"f", 16, 20.1, 25.1125},
    };
    struct diff_input inputs[N];
    struct profile *p[N];
    struct series *s;

    for (unsigned i = 0; i < N; i++) {
        p[i] = stepped(i);
        inputs[i] = (struct diff_input){p[i], selection_new(p[i], NULL), false};
    }
    s = series_new(inputs, N, 1, 1);
    ck_assert_uint_eq(s->functions, 3);
    ck_assert_uint_eq(s->changed, 3);
    ck_assert_int_eq(s->normalize, DIFF_TOTAL);
    ck_assert_uint_eq(s->len, 5);
    for (size_t i = 0; i < s->len; i++) {
        const struct series_point *point = &s->points[i];

        ck_assert_str_eq(name_of(s, point->function), wanted[i].name);
        ck_assert_uint_eq(point->at, wanted[i].at);
        ck_assert(point->p <= 0.05);
        ck_assert_msg(fabs(point->value[0] - wanted[i].before) < 1e-9 &&
                          fabs(point->value[1] - wanted[i].after) < 1e-9,
                      "%g %g", point->value[0], point->value[1]);
    }
    series_free(s);
    /* "h" has 0.4 % at first, 0.6 % at last. */
    s = series_new(inputs, N, 0.6, 1);
    ck_assert_uint_eq(s->functions, 4);
    series_free(s);
    s = series_new(inputs, N, 0.61, 1);
    ck_assert_uint_eq(s->functions, 3);
    series_free(s);
    for (size_t i = 0; i < N; i++) {
        selection_free((struct selection *)inputs[i].sel);
        profile_free(p[i]);
    }
}

/* Parts of unequal length; the second step is in the part behind the first. */
TEST(steps_lie_anywhere)
{
    enum { N = 24, FIRST = 6, SECOND = 17 };
    struct diff_input inputs[N];
    struct profile *p[N];
    struct series *s;
    size_t found = 0;

    for (unsigned i = 0; i < N; i++) {
        struct builder *b = builder_new("a.etl");
        uint32_t t = builder_thread(b, 1, "a", 1);
        unsigned f = (i < FIRST ? 100 : i < SECOND ? 200 : 250) + i % 3;

        builder_samples(b, t, 300, "a!even");
        builder_samples(b, t, f, "a!f");
        builder_samples(b, t, 700 - f, "a!rest");
        p[i] = builder_finish(b);
        inputs[i] = (struct diff_input){p[i], selection_new(p[i], NULL), false};
    }
    s = series_new(inputs, N, 1, 1);
    for (size_t i = 0; i < s->len; i++)
        if (!strcmp(name_of(s, s->points[i].function), "f"))
            ck_assert_uint_eq(s->points[i].at, found++ ? SECOND : FIRST);
    ck_assert_uint_eq(found, 2);
    series_free(s);
    for (size_t i = 0; i < N; i++) {
        selection_free((struct selection *)inputs[i].sel);
        profile_free(p[i]);
    }
}
