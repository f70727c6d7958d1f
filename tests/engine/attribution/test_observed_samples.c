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
    struct observed_samples s = {0};

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
    observed_samples_release(&s);
    ck_assert_uint_eq(s.len, 0);
}
