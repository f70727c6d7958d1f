/* Samples as readers report them. */
#include "engine/attribution/observations.h"
#include "tests/support/suite.h"

static struct observed_sample number(uint32_t i, uint32_t weight)
{
    return (struct observed_sample){
        .time = (int64_t)i - 5,
        .thread_key = i + 1,
        .outer = i + 2,
        .inner = i + 3,
        .weight = weight,
        .cpu = (uint16_t)(i + 4),
        .flags = (uint8_t)(i + 5),
        .leaf = i % 3 == 0,
    };
}

static void assert_same(const struct observed_sample *a,
                        const struct observed_sample *b)
{
    ck_assert_int_eq(a->time, b->time);
    ck_assert_uint_eq(a->thread_key, b->thread_key);
    ck_assert_uint_eq(a->outer, b->outer);
    ck_assert_uint_eq(a->inner, b->inner);
    ck_assert_uint_eq(a->weight, b->weight);
    ck_assert_uint_eq(a->period, b->period);
    ck_assert_uint_eq(a->cpu, b->cpu);
    ck_assert_uint_eq(a->flags, b->flags);
    ck_assert(a->leaf == b->leaf);
}

static uint32_t weight_of(uint32_t i)
{
    return i < 6000 ? 1 : i;
}

TEST(columns_keep_what_they_got)
{
    struct samples s = {0};

    for (uint32_t i = 0; i < 20000; i++) {
        struct observed_sample sample = number(i, weight_of(i));

        observed_samples_add(&s, &sample);
        ck_assert(!s.weight == (i < 6000));
    }
    ck_assert_uint_eq(s.len, 20000);
    for (uint32_t i = 0; i < 20000; i++) {
        struct observed_sample wanted = number(i, weight_of(i));
        struct observed_sample got = observed_samples_get(&s, i);

        assert_same(&got, &wanted);
    }
    samples_release(&s);
    ck_assert_uint_eq(s.len, 0);
}

/* All columns move together; samples of one time keep their order. */
TEST(samples_are_sorted_by_time)
{
    static const int64_t times[] = {5, -3, 9, 5, -3};
    static const uint32_t signed_order[] = {1, 4, 0, 3, 2};
    static const uint32_t order[] = {0, 3, 2, 1, 4}; /* -3 is a late time */

    for (int from_zero = 0; from_zero < 2; from_zero++) {
        const uint32_t *wanted = from_zero ? order : signed_order;
        struct samples s = {0};

        for (uint32_t i = 0; i < 5; i++) {
            struct observed_sample sample = number(i, i + 1);

            sample.time = times[i];
            observed_samples_add(&s, &sample);
        }
        for (int again = 0; again < 2; again++)
            samples_sort(&s, from_zero ? 0 : TIME_MIN);
        for (uint32_t i = 0; i < 5; i++) {
            struct observed_sample to = number(wanted[i], wanted[i] + 1);
            struct observed_sample got = observed_samples_get(&s, i);

            to.time = times[wanted[i]];
            assert_same(&got, &to);
        }
        samples_release(&s);
    }
}
