/* Samples that are closed: by their time and thread, and how they are kept. */
#include "engine/format/etl/closed.h"

#include "engine/format/etl/pending.h"
#include "tests/support/suite.h"

enum { BEFORE = 5, TIME = 7, AFTER = 9, EQUALS = 150 };

static struct etl_pending samples;
static struct etl_closed closed;
static struct profile *p;
static struct observations *seen;

static void begin(void)
{
    samples = (struct etl_pending){0};
    closed = (struct etl_closed){0};
    p = profile_new();
    seen = observations_new(p);
}

static void end(void)
{
    etl_closed_release(&closed);
    etl_pending_give(&samples, seen);
    observations_free(seen);
    profile_free(p);
}

static uint32_t add(int64_t time, uint32_t tid, uint16_t cpu)
{
    return etl_pending_add(
        &samples, &(struct etl_sample){
                      .time = time,
                      .thread_key = observe_thread_key(seen, tid, NO_PID),
                      .cpu = cpu});
}

static uint32_t find(int64_t time, uint32_t tid, uint16_t cpu)
{
    return etl_closed_find(&closed, &samples, seen, time, tid, cpu);
}

/* Of one time the thread tells, and of thread 0 the processor. */
START_TEST(few_at_a_time)
{
    begin();
    add(BEFORE, 1, 0);
    add(TIME, 1, 0);
    add(TIME, 0, 2);
    add(TIME, 0, 3);
    add(TIME, 4, 3);
    add(TIME, 4, 5); /* the first one counts */
    add(AFTER, 1, 0);
    ck_assert_uint_eq(find(BEFORE, 1, 9), 0);
    ck_assert_uint_eq(find(TIME, 1, 9), 1);
    ck_assert_uint_eq(find(TIME, 0, 2), 2);
    ck_assert_uint_eq(find(TIME, 0, 3), 3);
    ck_assert_uint_eq(find(TIME, 4, 5), 4);
    ck_assert_uint_eq(find(AFTER, 1, 0), 6);
    ck_assert_uint_eq(find(TIME, 0, 4), NO_ID);
    ck_assert_uint_eq(find(TIME, 2, 3), NO_ID);
    ck_assert_uint_eq(find(TIME + 1, 1, 0), NO_ID);
    ck_assert_uint_eq(find(AFTER + 1, 1, 0), NO_ID);
    end();
}
END_TEST

/* So many that they are looked up, and more that come after that. */
START_TEST(many_at_a_time)
{
    begin();
    add(BEFORE, 1000, 0);
    for (uint32_t i = 0; i < EQUALS; i++)
        add(TIME, i % 2 ? i : 0, (uint16_t)i);
    for (uint32_t i = 0; i < EQUALS; i++) {
        ck_assert_uint_eq(find(TIME, i % 2 ? i : 0, (uint16_t)i), i + 1);
        ck_assert_uint_eq(find(TIME, i % 2 ? i : 0, (uint16_t)(i + 1)),
                          i % 2 ? i + 1 : NO_ID);
    }
    ck_assert_uint_eq(find(TIME, 1000, 0), NO_ID);
    add(TIME, 1000, 0);
    add(TIME, 1, 0);
    add(AFTER, 1001, 0);
    ck_assert_uint_eq(find(TIME, 1000, 0), EQUALS + 1);
    ck_assert_uint_eq(find(TIME, 1, 0), 2);
    ck_assert_uint_eq(find(TIME, 1001, 0), NO_ID);
    ck_assert_uint_eq(find(AFTER, 1001, 0), EQUALS + 3);
    end();
}
END_TEST

/* Weights are 1 but for those that are told, however many come. */
START_TEST(weights)
{
    begin();
    for (uint32_t i = 0; i < 10000; i++) {
        ck_assert_uint_eq(add(i, 1, 0), i);
        if (i == 100 || i == 9000)
            etl_pending_weigh(&samples, i, i);
    }
    etl_closed_release(&closed);
    etl_pending_give(&samples, seen);
    ck_assert_uint_eq(seen->samples.len, 10000);
    for (uint32_t i = 0; i < 10000; i++) {
        ck_assert_uint_eq(seen->samples.weight[i],
                          i == 100 || i == 9000 ? i : 1);
        ck_assert_int_eq(seen->samples.time[i], i);
    }
    observations_free(seen);
    profile_free(p);
}
END_TEST

SUITE
{
    return suite_run("etl closed", few_at_a_time, many_at_a_time, weights);
}
