#include "engine/analysis/timeline.h"

#include "engine/model/thread_states.h"
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

    for (size_t g = 0; g < COUNT(groupings); g++)
        for (size_t b = 0; b < 4; b++)
            check_sums(p, sel, groupings[g], buckets[b]);
}

TEST(parts_add_up_to_rows)
{
    random_selections(check_profile);
}

/* Samples from 0 to 9 ms; times in ms, of the span in nanoseconds beyond. */
static const struct {
    int64_t duration;
    struct filter filter;
    int64_t from, to, beyond;
} spans[] = {
    {10, {0}, 0, 10, 1},
    {5, {0}, 0, 9, 1},
    {9, {0}, 0, 9, 1},
    {10, {.has_time = true, .from = TIME_MIN, .to = TIME_MAX}, 0, 10, 1},
    {10, {.has_time = true, .from = 2000000, .to = 4000000}, 2, 4, 0},
    {10, {.has_time = true, .from = 0, .to = 10000000}, 0, 10, 0},
    {10, {.has_time = true, .from = 0, .to = 10000001}, 0, 10, 1},
    {10, {.has_time = true, .from = 20000000, .to = 30000000}, 20, 20, 1},
    {10, {.has_time = true, .from = 4000000, .to = 4000000}, 4, 4, 1},
};

TEST(the_time_that_is_cut)
{
    struct builder *b = builder_new("a.etl");
    struct profile *p;

    builder_samples(b, builder_thread(b, 10, "a.exe", 11), 10, "a.exe!main");
    p = builder_finish(b);
    for (size_t i = 0; i < COUNT(spans); i++) {
        struct selection *sel;
        struct ranking *r;
        struct over_time t = {.buckets = 3};

        p->trace.duration_ns = spans[i].duration * 1000000;
        sel = selection_new(p, &spans[i].filter);
        r = ranking_new(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE);
        over_time_count(&t, p, sel, r, RANK_FUNCTION, r->len);
        ck_assert_int_eq(t.from, spans[i].from * 1000000);
        ck_assert_int_eq(t.to, spans[i].to * 1000000 + spans[i].beyond);
        over_time_release(&t);
        ranking_free(r);
        selection_free(sel);
    }
    profile_free(p);
}

/* Time of a thread goes to the intervals that it covers. */
TEST(a_state_lasts)
{
    static const struct {
        int64_t time;
        uint64_t weight;
        uint32_t wait;
    } pieces[] = {
        {0, 5, WAIT_RUNNING},
        {5, 10, WAIT_INTERRUPTIBLE},
        {15, 20, WAIT_WOKEN},
    };
    static const uint64_t running[] = {5, 0, 0}, blocked[] = {5, 5, 0},
                          ready[] = {0, 5, 15};
    struct builder *b = builder_new("a.data");
    uint32_t thread = builder_thread(b, 10, "a", 11);
    struct over_time t = {.buckets = 3};
    struct selection *sel;
    struct ranking *r;
    struct profile *p;

    for (size_t i = 0; i < COUNT(pieces); i++)
        profile_sample(builder_profile(b),
                       &(struct sample){
                           .time = pieces[i].time,
                           .thread = thread,
                           .weight = pieces[i].weight,
                           .flags = pieces[i].wait << SAMPLE_WAIT_SHIFT,
                       });
    p = builder_finish(b);
    p->trace.duration_ns = 29;
    sel = selection_new(p, NULL);
    r = ranking_new(p, sel, RANK_THREAD, SORT_EXCLUSIVE);
    over_time_count(&t, p, sel, r, RANK_THREAD, r->len);
    for (size_t i = 0; i < t.buckets; i++) {
        ck_assert_uint_eq(t.states[THREAD_RUNNING * t.buckets + i], running[i]);
        ck_assert_uint_eq(t.states[THREAD_READY * t.buckets + i], ready[i]);
        ck_assert_uint_eq(t.states[THREAD_BLOCKED * t.buckets + i], blocked[i]);
        ck_assert_uint_eq(t.inclusive[i], running[i] + ready[i] + blocked[i]);
    }
    over_time_release(&t);
    ranking_free(r);
    selection_free(sel);
    profile_free(p);
}

TEST(parts_are_as_long_as_each_other)
{
    static const int64_t starts[] = {100, 102, 105, 107, 110};
    struct over_time t = {.buckets = 4, .from = 100, .to = 110};

    for (size_t i = 0; i < 5; i++)
        ck_assert_int_eq(over_time_start(&t, i), starts[i]);
}
