/* Stacks of events that are the samples, by facts made by hand: of those that
 * do not say their thread, and of the .NET runtime's. */
#include "tests/support/correlated.h"
#include "tests/support/suite.h"

enum { PID = 40, TID = 41 };

#define U(n) (0x1000u + (n))
#define K(n) (KERNEL + (n))

static struct correlated c;

static void take(struct etl_fact fact, struct addresses run)
{
    if (run.count)
        correlated_frames(&c, &fact, run);
    etl_correlate(c.correlator, &fact, 1, true);
}

/* An event of a processor, whose thread its stack is to tell. */
static void unowned(uint16_t cpu, uint64_t time, uint32_t weight)
{
    take((struct etl_fact){.kind = ETL_SAMPLE,
                           .time = time,
                           .cpu = cpu,
                           .weight = weight,
                           .bits = ETL_BIT_NO_ADDRESS | ETL_BIT_NO_THREAD},
         NO_RUN);
}

static void event(uint64_t time, uint32_t tid)
{
    take((struct etl_fact){.kind = ETL_SAMPLE,
                           .time = time,
                           .tid = tid,
                           .pid = PID + 5,
                           .bits = ETL_BIT_NO_ADDRESS | ETL_BIT_PROCESS},
         NO_RUN);
}

static void part(uint16_t cpu, uint64_t time, uint64_t of, uint32_t tid,
                 bool user, struct addresses run)
{
    take((struct etl_fact){.kind = ETL_PART,
                           .time = time,
                           .value = of,
                           .tid = tid,
                           .pid = PID,
                           .cpu = cpu,
                           .user = user},
         run);
}

static void runtime(uint8_t kind, uint64_t time, uint32_t tid,
                    struct addresses run)
{
    take(
        (struct etl_fact){.kind = kind, .time = time, .tid = tid, .user = true},
        run);
}

static void check(size_t i, const char *text, uint32_t tid)
{
    uint32_t key = c.o.seen->samples.thread_key[i];

    ck_assert_str_eq(sample_parts(&c.o, i), text);
    ck_assert_uint_eq(c.o.seen->thread_keys.data[key].tid, tid);
}

/* By processor and time; both parts of the stack are its. */
TEST(owners_by_their_stacks)
{
    correlated_begin(&c);
    unowned(2, 100, 7);
    unowned(0, 100, 1);
    part(2, 101, 100, TID, false, RUN(K(1)));
    part(2, 102, 100, TID, true, RUN(U(1)));
    part(0, 103, 100, TID + 1, true, RUN(U(2)));
    etl_correlator_finish(c.correlator);
    check(0, "user 0x1001 kernel 0xffff800000000001 pid 40", TID);
    check(1, "user 0x1002 pid 40", TID + 1);
    ck_assert_uint_eq(c.o.seen->samples.weight[0], 7);
    ck_assert_uint_eq(c.o.seen->samples.weight[1], 1);
    correlated_end(&c);
}

/* Of another time or processor; of an event whose owner is known; of one that
 * was followed by the next: whose they are is not known. */
TEST(no_owner)
{
    correlated_begin(&c);
    unowned(1, 100, 0);
    part(1, 101, 99, TID, true, RUN(U(1)));
    part(0, 101, 100, TID, true, RUN(U(2)));
    part(3, 101, 100, TID, true, RUN(U(3)));
    unowned(1, 200, 0);
    part(1, 201, 100, TID, true, RUN(U(4)));
    part(1, 202, 200, TID, true, RUN(U(5)));
    part(1, 203, 200, TID + 1, true, RUN(U(6)));
    etl_correlator_finish(c.correlator);
    check(0, "", UINT32_MAX);
    check(1, "user 0x1005 pid 40", TID);
    ck_assert_ptr_null(c.o.seen->samples.weight);
    correlated_end(&c);
}

/* What the thread was at before has its own stack. */
TEST(owner_with_an_event_before)
{
    correlated_begin(&c);
    event(50, TID);
    part(1, 55, 50, TID, true, RUN(U(1)));
    unowned(1, 100, 0);
    part(1, 101, 100, TID, true, RUN(U(2)));
    event(150, TID);
    etl_correlator_finish(c.correlator);
    check(0, "user 0x1001 pid 40", TID);
    check(1, "user 0x1002 pid 40", TID);
    check(2, "pid 45", TID);
    correlated_end(&c);
}

/* The runtime's own walk, for want of a better one; behind another event of
 * the thread it is that one's. */
TEST(walks_of_the_runtime)
{
    correlated_begin(&c);
    event(100, TID);
    runtime(ETL_CLR_STACK, 101, TID, RUN(U(1)));
    runtime(ETL_CLR_STACK, 102, TID, RUN(U(2)));
    event(200, TID);
    runtime(ETL_CLR_EVENT, 201, TID, NO_RUN);
    runtime(ETL_CLR_STACK, 202, TID, RUN(U(3)));
    event(300, TID);
    runtime(ETL_CLR_EVENT, 301, TID + 1, NO_RUN);
    runtime(ETL_CLR_STACK, 302, TID + 1, RUN(U(4)));
    runtime(ETL_CLR_STACK, 303, TID, RUN(U(5)));
    event(400, TID);
    part(0, 401, 400, TID, true, RUN(U(6)));
    runtime(ETL_CLR_STACK, 402, TID, RUN(U(7)));
    etl_correlator_finish(c.correlator);
    check(0, "user 0x1001 pid 45", TID);
    check(1, "pid 45", TID);
    check(2, "user 0x1005 pid 45", TID);
    check(3, "user 0x1006 pid 40", TID);
    correlated_end(&c);
}
