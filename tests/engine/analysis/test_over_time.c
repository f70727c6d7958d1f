#include "engine/analysis/over_time.h"
#include "engine/analysis/phases.h"

#include "tests/support/drawn_profile.h"
#include "tests/support/profile_builder.h"
#include "tests/support/random_profile.h"
#include "tests/support/suite.h"

static const enum rank_by groupings[] = {RANK_FUNCTION, RANK_MODULE,
                                         RANK_PROCESS,  RANK_THREAD,
                                         RANK_LINE,     RANK_KIND};

/* A row's parts are the row. */
static void check_sums(const struct profile *p, const struct selection *sel,
                       enum rank_by by, size_t buckets)
{
    struct ranking *r = ranking_new(p, sel, by, SORT_EXCLUSIVE);
    struct over_time t = {.buckets = buckets};
    uint64_t all = 0;

    over_time_count(&t, p, sel, r, by, r->len);
    for (size_t i = 0; i < r->len; i++) {
        uint64_t exclusive = 0, inclusive = 0;

        for (size_t b = 0; b < buckets; b++) {
            exclusive += t.exclusive[i * buckets + b];
            inclusive += t.inclusive[i * buckets + b];
        }
        ck_assert_uint_eq(exclusive, r->rows[i].exclusive);
        ck_assert_uint_eq(inclusive, r->rows[i].inclusive);
    }
    for (size_t b = 0; b < buckets; b++) {
        all += t.all[b];
        ck_assert_int_le(over_time_start(&t, b), over_time_start(&t, b + 1));
    }
    ck_assert_uint_eq(all, sel->samples);
    ck_assert_int_eq(over_time_start(&t, buckets), t.to);
    over_time_release(&t);
    ranking_free(r);
}

static void check_profile(const struct profile *p, const struct selection *sel)
{
    static const size_t buckets[] = {1, 7, 32, 1000};

    for (size_t g = 0; g < sizeof(groupings) / sizeof(*groupings); g++)
        for (size_t b = 0; b < 4; b++)
            check_sums(p, sel, groupings[g], buckets[b]);
}

START_TEST(parts_add_up_to_rows)
{
    random_selections(check_profile);
}
END_TEST

START_TEST(samples_are_where_their_time_is)
{
    struct builder *b = builder_new("a.etl");
    uint32_t one = builder_thread(b, 10, "a.exe", 11);
    uint32_t two = builder_thread(b, 10, "a.exe", 12);
    struct over_time t = {.buckets = 4};
    struct selection *sel;
    struct ranking *r;
    struct profile *p;

    builder_samples(b, one, 2, "a.exe!main;a.exe!f"); /* 0, 1 ms */
    builder_samples(b, two, 4, "a.exe!main");         /* 2 to 5 */
    builder_samples(b, one, 2, "a.exe!main;a.exe!f"); /* 6, 7 */
    p = builder_finish(b);
    sel = selection_new(p, NULL);
    r = ranking_new(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE);
    over_time_count(&t, p, sel, r, RANK_FUNCTION, 2);
    ck_assert_str_eq(r->rows[0].name, "f");
    for (size_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(t.all[i], 2);
        ck_assert_uint_eq(t.exclusive[i], i == 0 || i == 3 ? 2 : 0);
        ck_assert_uint_eq(t.exclusive[4 + i], i == 0 || i == 3 ? 0 : 2);
        ck_assert_uint_eq(t.inclusive[4 + i], 2);
    }
    over_time_release(&t);
    ranking_free(r);
    selection_free(sel);
    profile_free(p);
}
END_TEST

/* ---- phases ---- */

static struct phases find(const struct profile *p)
{
    struct selection *sel = selection_new(p, NULL);
    struct phases phases = {.parts = {0}};

    phases_find(&phases, p, sel);
    selection_free(sel);
    return phases;
}

/* 4 s: f and g by turns, from the second second on h and g, at the end f and
 * g once more. */
START_TEST(phases_begin_where_functions_change)
{
    struct builder *b = builder_new("a.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11);
    struct phases phases;
    struct profile *p;

    for (int i = 0; i < 2000; i++)
        builder_samples(b, t, 1,
                        i % 2                   ? "a.exe!g"
                        : i < 1000 || i >= 1500 ? "a.exe!f"
                                                : "a.exe!h");
    p = builder_finish(b);
    phases = find(p);
    ck_assert_uint_eq(phases.parts.len, 3);
    ck_assert_int_eq(phases.parts.data[0].from, TIME_MIN);
    ck_assert_int_eq(phases.parts.data[2].to, TIME_MAX);
    ck_assert(llabs(phases.parts.data[1].from - 1000000000) < 16000000);
    ck_assert(llabs(phases.parts.data[1].to - 1500000000) < 16000000);
    ck_assert_int_eq(phases.parts.data[0].to, phases.parts.data[1].from);
    ck_assert_uint_eq(phases.parts.data[0].samples +
                          phases.parts.data[1].samples +
                          phases.parts.data[2].samples,
                      2000);
    phases_release(&phases);
    profile_free(p);
}
END_TEST

/* Functions that run in bursts differ from moment to moment: that is none. */
START_TEST(bursts_are_no_phases)
{
    for (uint32_t seed = 1; seed <= 30; seed++) {
        struct program program = program_new(20, 1 + seed % 10);
        struct profile *p = program_record(&program, 4000, seed);
        struct phases phases = find(p);

        ck_assert_msg(phases.parts.len == 1, "seed %u: %zu", seed,
                      phases.parts.len);
        phases_release(&phases);
        profile_free(p);
    }
}
END_TEST

START_TEST(few_samples_have_one_phase)
{
    struct builder *b = builder_new("a.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11);
    struct phases phases;
    struct profile *p;

    builder_samples(b, t, 20, "a.exe!f");
    builder_samples(b, t, 20, "a.exe!g");
    p = builder_finish(b);
    phases = find(p);
    ck_assert_uint_eq(phases.parts.len, 1);
    ck_assert_uint_eq(phases.parts.data[0].samples, 40);
    phases_release(&phases);
    profile_free(p);
}
END_TEST

int main(void)
{
    return suite_run("over_time", parts_add_up_to_rows,
                     samples_are_where_their_time_is,
                     phases_begin_where_functions_change, bursts_are_no_phases,
                     few_samples_have_one_phase);
}
