/* Samples that are final and equal become one; others stay as they are. */
#include "engine/format/etl/fold.h"
#include "tests/support/correlated.h"
#include "tests/support/suite.h"

enum { PID = 40, TID = 41, OTHER = 44, SECOND = 10000000 };

/* Instruction pointers and frames: of user mode, and of the kernel. */
#define U(n) (0x1000u + (n))
#define K(n) (KERNEL + (n))

static struct correlated c;
static struct etl_records *records;

static void begin(bool folds)
{
    correlated_begin(&c);
    etl_correlator_finish(c.correlator, 1);
    c.recording.folds = folds;
    c.correlator = etl_correlator_new(&c.recording);
    records = etl_records_new(&c.recording);
}

static void fold(void)
{
    if (c.recording.folds)
        c.correlator->fold_at = 1;
    etl_fold(c.correlator, records);
}

static void finish(void)
{
    fold();
    etl_correlator_finish(c.correlator, 2);
}

static void end(void)
{
    etl_records_free(records);
    correlated_end(&c);
}

static void sample_of(uint32_t tid, uint64_t time, uint64_t ip, uint64_t weight)
{
    etl_correlate(c.correlator,
                  &(struct etl_fact){.kind = ETL_SAMPLE,
                                     .time = time,
                                     .value = ip,
                                     .tid = tid,
                                     .weight = weight},
                  1, true);
}

static void sample(uint64_t time, uint64_t ip)
{
    sample_of(TID, time, ip, 0);
}

static void part(uint64_t time, uint64_t stamp, bool user, struct addresses run)
{
    correlated_part(
        &c, (struct etl_fact){.time = time, .tid = TID, .pid = PID}, stamp,
        user, run);
}

static void keyed(uint64_t time, uint64_t stamp, uint64_t key)
{
    correlated_keyed(
        &c, (struct etl_fact){.time = time, .tid = TID, .pid = PID}, stamp,
        true, key);
}

static void define(uint64_t time, uint64_t key, struct addresses run)
{
    correlated_define(&c, time, key, true, run);
}

/* Sample `i`: when the first and the last of it were, in s; its weight. */
static void check(size_t i, int64_t from, int64_t until, uint64_t weight,
                  const char *parts)
{
    const struct observed_samples *s = &c.o.seen->samples;

    ck_assert_int_eq(s->time[i] / 1000000000, from);
    ck_assert_int_eq(s->until ? s->until[i] / 1000000000 : from, until);
    ck_assert_uint_eq(s->weight ? s->weight[i] : 1, weight);
    ck_assert_str_eq(sample_parts(&c.o, i), parts);
}

static void stack(uint64_t second, struct addresses run)
{
    sample(second * SECOND, run.list[0]);
    part(second * SECOND + 1, second * SECOND, true, run);
}

/* At the place of the first. The latest may still change, and so may what is
 * less than ten seconds old. */
START_TEST(equal_samples)
{
    begin(true);
    stack(1, RUN(U(1), U(2)));
    stack(2, RUN(U(3)));
    stack(3, RUN(U(1), U(2)));
    fold();
    stack(4, RUN(U(1), U(2)));
    stack(5, RUN(U(1)));
    stack(20, RUN(U(1), U(2)));
    stack(21, RUN(U(3)));
    finish();
    ck_assert_uint_eq(sample_count(&c.o), 5);
    check(0, 1, 4, 3, "user 0x1001 0x1002 pid 40");
    check(1, 2, 2, 1, "user 0x1003 pid 40");
    check(2, 5, 5, 1, "user 0x1001 pid 40");
    check(3, 20, 20, 1, "user 0x1001 0x1002 pid 40");
    check(4, 21, 21, 1, "user 0x1003 pid 40");
    ck_assert(!c.o.seen->samples.apart);
    end();
}
END_TEST

/* Folded ones are folded again, by what they were. */
START_TEST(again_and_again)
{
    begin(true);
    for (uint64_t i = 1; i <= 200; i++) {
        stack(i, i % 2 ? RUN(U(1)) : RUN(U(2)));
        fold();
    }
    finish();
    check(0, 1, 189, 95, "user 0x1001 pid 40");
    check(1, 2, 190, 95, "user 0x1002 pid 40");
    ck_assert_uint_eq(sample_count(&c.o), 2 + 10);
    end();
}
END_TEST

/* Whom another thread, another part of the stack or none tells apart. */
START_TEST(what_differs)
{
    begin(true);
    sample(1 * SECOND, K(1));
    part(1 * SECOND + 1, 1 * SECOND, false, RUN(K(1)));
    part(1 * SECOND + 2, 1 * SECOND, true, RUN(U(1)));
    sample(2 * SECOND, K(1));
    part(2 * SECOND + 2, 2 * SECOND, true, RUN(U(1)));
    stack(3, RUN(U(1)));
    sample(4 * SECOND, U(1));
    sample_of(OTHER, 5 * SECOND, U(1), 0);
    sample_of(OTHER, 6 * SECOND, U(1), 0);
    sample_of(OTHER, 60 * SECOND, U(2), 0);
    finish();
    ck_assert_uint_eq(sample_count(&c.o), 6);
    check(0, 1, 1, 1, "user 0x1001 kernel 0xffff800000000001 pid 40");
    check(1, 2, 2, 1, "user 0x1001 leaf 0xffff800000000001 pid 40");
    check(2, 3, 3, 1, "user 0x1001 pid 40");
    check(3, 4, 4, 1, "leaf 0x1001");
    check(4, 5, 6, 2, "leaf 0x1001");
    check(5, 60, 60, 1, "leaf 0x1002");
    end();
}
END_TEST

/* A closed sample is named for ten seconds, whether samples are folded or
 * not; one that its thread waits with, for ever. */
START_TEST(late_parts)
{
    begin(_i);
    sample(1 * SECOND, U(1));
    sample(2 * SECOND, K(2));
    part(2 * SECOND + 1, 2 * SECOND, false, RUN(K(2)));
    sample(3 * SECOND, U(3));
    sample(9 * SECOND, U(4));
    fold();
    part(10 * SECOND, 1 * SECOND, false, RUN(K(1)));
    fold();
    part(14 * SECOND, 3 * SECOND, false, RUN(K(3)));
    fold();
    part(100 * SECOND, 2 * SECOND, true, RUN(U(2)));
    finish();
    ck_assert_uint_eq(sample_count(&c.o), 4);
    check(0, 1, 1, 1, "kernel 0xffff800000000001");
    check(1, 2, 2, 1, "user 0x1002 kernel 0xffff800000000002 pid 40");
    check(2, 3, 3, 1, "leaf 0x1003");
    check(3, 9, 9, 1, "leaf 0x1004");
    end();
}
END_TEST

/* Of one key, before and after its definition, and of another one with the
 * same frames. */
START_TEST(keys)
{
    begin(true);
    for (uint64_t i = 1; i < 4; i++) {
        sample(i * SECOND, U(1));
        keyed(i * SECOND + 1, i * SECOND, 0xA);
    }
    sample(20 * SECOND, U(1));
    keyed(20 * SECOND + 1, 20 * SECOND, 0xB);
    fold();
    define(21 * SECOND, 0xA, RUN(U(1), U(2)));
    define(22 * SECOND, 0xB, RUN(U(1), U(2)));
    sample(23 * SECOND, U(1));
    keyed(23 * SECOND + 1, 23 * SECOND, 0xA);
    fold();
    define(24 * SECOND, 0xA, RUN(U(1), U(3)));
    sample(60 * SECOND, U(1));
    keyed(60 * SECOND + 1, 60 * SECOND, 0xC);
    finish();
    ck_assert_uint_eq(sample_count(&c.o), 3);
    check(0, 1, 20, 4, "user 0x1001 0x1002 pid 40");
    check(1, 23, 23, 1, "user 0x1001 0x1003 pid 40");
    check(2, 60, 60, 1, "leaf 0x1001 pid 40");
    ck_assert_uint_eq(c.o.p->quality.undefined_keys, 1);
    end();
}
END_TEST

START_TEST(a_weight_is_full)
{
    begin(true);
    sample_of(TID, 1 * SECOND, U(1), WEIGHTS_MOST - 2);
    sample_of(TID, 2 * SECOND, U(1), 2);
    sample_of(TID, 3 * SECOND, U(1), 1);
    sample_of(TID, 4 * SECOND, U(1), 1);
    sample_of(TID, 60 * SECOND, U(2), 1);
    finish();
    ck_assert_uint_eq(sample_count(&c.o), 3);
    check(0, 1, 2, WEIGHTS_MOST, "leaf 0x1001");
    check(1, 3, 4, 2, "leaf 0x1001");
    end();
}
END_TEST

/* What comes out of order is not folded; and if that shows too late, the log
 * is to be read again. */
START_TEST(out_of_order)
{
    begin(true);
    sample(2 * SECOND, U(1));
    sample(1 * SECOND, U(1));
    sample(60 * SECOND, U(2));
    finish();
    ck_assert_uint_eq(sample_count(&c.o), 3);
    ck_assert_ptr_null(c.o.seen->samples.until);
    end();
    begin(true);
    sample(1 * SECOND, U(1));
    sample(2 * SECOND, U(1));
    sample(60 * SECOND, U(2));
    fold();
    sample(1 * SECOND, U(1));
    finish();
    ck_assert(c.o.seen->samples.apart);
    end();
}
END_TEST

/* Of many samples, only if that makes them far fewer. */
START_TEST(most_differ)
{
    enum { MANY = 1 << 16 };
    static const struct {
        unsigned different, left;
    } cases[] = {{MANY, MANY}, {MANY / 2, MANY}, {MANY / 4, MANY / 4}, {1, 1}};

    for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
        begin(true);
        for (uint64_t i = 0; i < MANY; i++)
            sample(SECOND + i, U(i % cases[k].different));
        sample(60 * SECOND, U(1));
        finish();
        ck_assert_uint_eq(sample_count(&c.o), cases[k].left + 1);
        end();
    }
}
END_TEST

/* Events that do not say their thread, until a stack does. */
START_TEST(nobodys)
{
    begin(true);
    for (uint64_t i = 1; i < 5; i++)
        etl_correlate(
            c.correlator,
            &(struct etl_fact){.kind = ETL_SAMPLE,
                               .time = i * SECOND,
                               .bits = ETL_BIT_NO_THREAD | ETL_BIT_NO_ADDRESS},
            1, true);
    sample(30 * SECOND, U(1));
    fold();
    part(31 * SECOND, 4 * SECOND, true, RUN(U(2)));
    finish();
    check(0, 1, 3, 3, "");
    check(1, 4, 4, 1, "user 0x1002 pid 40");
    ck_assert_uint_eq(sample_count(&c.o), 3);
    end();
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("etl fold");

    tcase_add_test(tests, equal_samples);
    tcase_add_test(tests, again_and_again);
    tcase_add_test(tests, what_differs);
    tcase_add_loop_test(tests, late_parts, 0, 2);
    tcase_add_test(tests, keys);
    tcase_add_test(tests, a_weight_is_full);
    tcase_add_test(tests, out_of_order);
    tcase_add_test(tests, most_differ);
    tcase_add_test(tests, nobodys);
    return suite_run_case("etl fold", tests);
}
