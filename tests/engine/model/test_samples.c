/* Columns of samples: weights, and their order. */
#include "engine/model/profile.h"
#include "tests/support/suite.h"

static struct profile *p;

static void add(int64_t time, uint32_t weight)
{
    profile_sample(p, &(struct sample){
                          .time = time,
                          .thread = (uint32_t)time + 1,
                          .stack = (uint32_t)time + 2,
                          .weight = weight,
                          .cpu = (uint16_t)(time + 3),
                          .flags = (uint8_t)(time + 4),
                      });
}

/* All columns of sample `i` are those that were added for `time`. */
static void assert_sample(size_t i, int64_t time, uint32_t weight)
{
    struct sample s = profile_sample_at(p, i);

    ck_assert_int_eq(s.time, time);
    ck_assert_uint_eq(s.thread, (uint32_t)time + 1);
    ck_assert_uint_eq(s.stack, (uint32_t)time + 2);
    ck_assert_uint_eq(s.cpu, (uint16_t)(time + 3));
    ck_assert_uint_eq(s.flags, (uint8_t)(time + 4));
    ck_assert_uint_eq(s.weight, weight);
    ck_assert_uint_eq(s.period, 0);
}

TEST(no_column_for_weights_of_1)
{
    p = profile_new();
    for (int i = 0; i < 10000; i++)
        add(i, 1);
    ck_assert_ptr_null(p->samples.weight);
    profile_free(p);
}

/* Across growth of the columns, before and after the first such weight. */
TEST(weights_begin_late)
{
    p = profile_new();
    for (int i = 0; i < 20000; i++)
        add(i, i < 5000 ? 1 : (uint32_t)i);
    for (int i = 0; i < 20000; i++)
        assert_sample((size_t)i, i, i < 5000 ? 1 : (uint32_t)i);
    profile_free(p);
}

TEST(weights_move_with_their_samples)
{
    static const int64_t times[] = {30, 10, 20, 10, 0};
    static const size_t order[] = {4, 1, 3, 2, 0};

    p = profile_new();
    for (uint32_t i = 0; i < 5; i++)
        add(times[i], 100 + i);
    profile_sort_samples(p);
    for (size_t i = 0; i < 5; i++)
        assert_sample(i, times[order[i]], 100 + (uint32_t)order[i]);
    add(40, 7); /* the columns grow again */
    assert_sample(5, 40, 7);
    profile_free(p);
}

TEST(columns_taken_over_are_sorted)
{
    struct profile *other = profile_new();

    p = profile_new();
    add(2, 5);
    add(1, 6);
    profile_take_samples(other, &p->samples);
    p->samples = (struct samples){0};
    profile_free(p);
    p = other;
    ck_assert_uint_eq(p->samples.len, 2);
    assert_sample(0, 1, 6);
    assert_sample(1, 2, 5);
    profile_free(p);
}

TEST(periods_become_weights)
{
    static const uint64_t periods[] = {1, 4000000, 0, UINT64_C(1) << 33};
    static const uint64_t weights[] = {1, 4000000, 1, UINT64_C(1) << 33};

    p = profile_new();
    p->trace.period_of = strings_add(p->strings, "cycles", 6);
    p->trace.interval_ns = 1000000;
    for (size_t i = 0; i < 4; i++)
        profile_sample(p, &(struct sample){.weight = 1, .period = periods[i]});
    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_eq(profile_sample_at(p, i).period, periods[i]);
    ck_assert(profile_weigh_by_period(p));
    ck_assert_ptr_null(p->samples.period);
    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_eq(p->samples.weight[i], weights[i]);
    ck_assert_str_eq(profile_metric_word(p), "period:cycles");
    ck_assert_uint_eq(p->trace.period_of, 0);
    ck_assert_int_eq(p->trace.interval_ns, 0);
    ck_assert_uint_eq(p->quality.warnings.len, 0);
    ck_assert(!profile_weigh_by_period(p));
    profile_free(p);
}

/* The column begins late, grows and is sorted with the others. */
TEST(periods_go_with_their_samples)
{
    enum { MANY = 15000, FIRST = 4000 };

    p = profile_new();
    for (int i = 0; i < MANY; i++)
        profile_sample(
            p, &(struct sample){.time = MANY - i,
                                .weight = 1,
                                .period = i < FIRST ? 0 : (uint64_t)i * 3});
    ck_assert_uint_eq(p->samples.len, MANY);
    profile_sort_samples(p);
    ck_assert_uint_eq(p->samples.cap, MANY);
    for (int i = 0; i < MANY; i++) {
        int added = MANY - 1 - i;

        ck_assert_int_eq(p->samples.time[i], i + 1);
        ck_assert_uint_eq(p->samples.period[i],
                          added < FIRST ? 0 : (uint32_t)added * 3);
    }
    profile_free(p);
}

/* As much as fits, and one more, which is said. */
TEST(weights_end_at_63_bits)
{
    static const uint64_t periods[] = {WEIGHTS_MOST - 9, 9, 1, UINT64_MAX};

    for (size_t n = 2; n <= 4; n++) {
        p = profile_new();
        for (size_t i = 0; i < n; i++)
            profile_sample(
                p, &(struct sample){.weight = 1, .period = periods[i]});
        ck_assert(profile_weigh_by_period(p));
        ck_assert_uint_eq(p->samples.len, 2);
        ck_assert_uint_eq(p->samples.weight[0], WEIGHTS_MOST - 9);
        ck_assert_uint_eq(p->quality.warnings.len, n > 2);
        if (n == 3)
            ck_assert_str_eq(
                strings_get(p->strings, p->quality.warnings.data[0]),
                "the weights of the samples add up to more than "
                "9223372036854775807: the last 1 samples are left out");
        profile_free(p);
    }
}

TEST(sorted_samples_stay_where_they_are)
{
    const int64_t *column;

    p = profile_new();
    profile_sort_samples(p);
    for (int i = 0; i < 3; i++)
        add(i / 2, 1);
    column = p->samples.time;
    profile_sort_samples(p);
    ck_assert_ptr_eq(p->samples.time, column);
    add(0, 1);
    profile_sort_samples(p);
    ck_assert_ptr_ne(p->samples.time, column);
    ck_assert_int_eq(p->samples.time[2], 0);
    profile_free(p);
}
