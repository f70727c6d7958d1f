/* Which stack parts belong to which sample, by facts made by hand. */
#include "tests/support/correlated.h"
#include "tests/support/suite.h"

enum { PID = 40, TID = 41, SYSTEM = 4 };

/* Instruction pointers and frames: of user mode, and of the kernel. */
#define U(n) (0x1000u + (n))
#define K(n) (KERNEL + (n))

static struct correlated c;

static void sample_on(uint16_t cpu, uint64_t time, uint32_t tid, uint64_t ip,
                      uint8_t bits)
{
    etl_correlate(c.correlator,
                  &(struct etl_fact){.kind = ETL_SAMPLE,
                                     .time = time,
                                     .value = ip,
                                     .tid = tid,
                                     .cpu = cpu,
                                     .bits = bits & 31u},
                  1, true);
}

static void sample(uint64_t time, uint64_t ip)
{
    sample_on(0, time, TID, ip, 0);
}

static void part_of(uint16_t cpu, uint64_t time, uint32_t tid, uint32_t pid,
                    uint64_t stamp, bool user, struct addresses run)
{
    correlated_part(&c,
                    (struct etl_fact){
                        .time = time, .tid = tid, .pid = pid, .cpu = cpu},
                    stamp, user, run);
}

static void kernel(uint64_t time, uint64_t stamp, struct addresses run)
{
    part_of(0, time, TID, PID, stamp, false, run);
}

static void user(uint64_t time, uint64_t stamp, struct addresses run)
{
    part_of(0, time, TID, PID, stamp, true, run);
}

static void keyed(uint64_t time, uint64_t stamp, bool is_user, uint64_t key)
{
    correlated_keyed(
        &c, (struct etl_fact){.time = time, .tid = TID, .pid = PID}, stamp,
        is_user, key);
}

static void define(uint64_t time, uint64_t key, bool is_user,
                   struct addresses run)
{
    correlated_define(&c, time, key, is_user, run);
}

#define check_parts(i, text) ck_assert_str_eq(sample_parts(&c.o, i), text)

TEST(in_user_mode)
{
    correlated_begin(&c);
    sample(100, U(1));
    user(110, 100, RUN(U(1), U(2)));
    sample(200, U(1));
    user(210, 200, RUN(U(1), U(3)));
    etl_correlator_finish(c.correlator);
    ck_assert_uint_eq(sample_count(&c.o), 2);
    check_parts(0, "user 0x1001 0x1002 pid 40");
    check_parts(1, "user 0x1001 0x1003 pid 40");
    ck_assert_uint_eq(c.o.p->quality.undefined_keys, 0);
    ck_assert_int_eq(c.o.seen->samples.time[0], 10000);
    ck_assert_int_eq(c.o.seen->samples.time[1], 20000);
    correlated_end(&c);
}

TEST(in_the_kernel)
{
    correlated_begin(&c);
    sample(100, K(1));
    kernel(105, 100, RUN(K(1), K(2)));
    user(110, 100, RUN(U(1)));
    etl_correlator_finish(c.correlator);
    check_parts(0, "user 0x1001 kernel 0xffff800000000001 "
                   "0xffff800000000002 pid 40");
    correlated_end(&c);
}

/* Without a stack a sample is its address; with the user part only, its
 * address is kept where the kernel had been interrupted. */
TEST(parts_missing)
{
    correlated_begin(&c);
    sample(100, U(1));
    sample(200, K(1));
    sample(300, K(2));
    user(310, 300, RUN(U(3)));
    sample(400, U(4));
    user(410, 400, RUN(U(4)));
    etl_correlator_finish(c.correlator);
    check_parts(0, "leaf 0x1001");
    check_parts(1, "leaf 0xffff800000000001");
    check_parts(2, "user 0x1003 leaf 0xffff800000000002 pid 40");
    check_parts(3, "user 0x1004 pid 40");
    correlated_end(&c);
}

/* An address of 0 is one like others. */
TEST(no_address)
{
    correlated_begin(&c);
    sample(100, 0);
    sample(200, U(1));
    sample(300, 0);
    etl_correlator_finish(c.correlator);
    check_parts(0, "leaf 0x0");
    check_parts(1, "leaf 0x1001");
    check_parts(2, "leaf 0x0");
    correlated_end(&c);
}

/* A part belongs to the event it names, whatever came last. */
TEST(stamp_and_thread_must_match)
{
    correlated_begin(&c);
    sample(100, U(1));
    user(110, 101, RUN(U(1), U(9))); /* of another event, after it */
    user(111, 99, RUN(U(1), U(9)));  /* and before it */
    kernel(112, 101, RUN(K(9)));
    kernel(112, 99, RUN(K(9)));
    part_of(0, 113, TID + 1, PID, 100, true, RUN(U(1), U(9)));
    part_of(0, 113, TID + 1, PID, 100, false, RUN(K(9)));
    etl_correlator_finish(c.correlator);
    ck_assert_uint_eq(sample_count(&c.o), 1);
    check_parts(0, "leaf 0x1001");
    correlated_end(&c);
}

/* Of two parts of a kind the first is the sample's. */
TEST(first_part_of_a_kind)
{
    correlated_begin(&c);
    sample(100, K(1));
    kernel(105, 100, RUN(K(1), K(2)));
    kernel(106, 100, RUN(K(1), K(3)));
    user(110, 100, RUN(U(1)));
    user(111, 100, RUN(U(2)));
    etl_correlator_finish(c.correlator);
    check_parts(0, "user 0x1001 kernel 0xffff800000000001 "
                   "0xffff800000000002 pid 40");
    correlated_end(&c);
}

/* Several samples of one stay in the kernel: one user part, at its end,
 * which names the event that began the stay. */
TEST(one_stay_in_the_kernel)
{
    correlated_begin(&c);
    sample(100, K(1));
    kernel(105, 100, RUN(K(1)));
    sample(200, K(2));
    kernel(205, 200, RUN(K(2)));
    sample(300, K(3));
    kernel(305, 300, RUN(K(3)));
    user(350, 100, RUN(U(1)));
    sample(400, K(4));
    kernel(405, 400, RUN(K(4)));
    etl_correlator_finish(c.correlator);
    check_parts(0, "user 0x1001 kernel 0xffff800000000001 pid 40");
    check_parts(1, "user 0x1001 kernel 0xffff800000000002 pid 40");
    check_parts(2, "user 0x1001 kernel 0xffff800000000003 pid 40");
    check_parts(3, "kernel 0xffff800000000004 pid 40");
    correlated_end(&c);
}

/* The strict rule: a user part that names a later event is not that of
 * samples before it, which were of an earlier stay. */
TEST(later_stay)
{
    correlated_begin(&c);
    sample(100, K(1));
    kernel(105, 100, RUN(K(1)));
    sample(200, K(2));
    kernel(205, 200, RUN(K(2)));
    sample(300, K(3));
    kernel(305, 300, RUN(K(3)));
    user(350, 200, RUN(U(1)));
    user(360, 100, RUN(U(2))); /* the list is empty: the sample it names */
    etl_correlator_finish(c.correlator);
    check_parts(0, "user 0x1002 kernel 0xffff800000000001 pid 40");
    check_parts(1, "user 0x1001 kernel 0xffff800000000002 pid 40");
    check_parts(2, "user 0x1001 kernel 0xffff800000000003 pid 40");
    correlated_end(&c);
}

/* A stay that another event began, not a sample. */
TEST(stay_begun_by_another_event)
{
    correlated_begin(&c);
    sample(100, K(1));
    kernel(105, 100, RUN(K(1)));
    user(150, 90, RUN(U(1)));
    sample(200, K(2));
    kernel(205, 200, RUN(K(2)));
    sample(210, U(2));
    user(220, 201, RUN(U(3))); /* of an event after the one that waits */
    user(230, 90, RUN(U(4)));  /* none waits any more */
    etl_correlator_finish(c.correlator);
    check_parts(0, "user 0x1001 kernel 0xffff800000000001 pid 40");
    check_parts(1, "kernel 0xffff800000000002 pid 40");
    check_parts(2, "leaf 0x1002");
    correlated_end(&c);
}

/* A sample that has its user part does not wait for the next one, and keeps
 * it when a kernel part comes late. */
TEST(does_not_wait_twice)
{
    correlated_begin(&c);
    sample(100, K(1));
    kernel(105, 100, RUN(K(1)));
    user(110, 100, RUN(U(1)));
    sample(200, K(2));
    user(205, 200, RUN(U(2)));
    kernel(206, 200, RUN(K(2)));
    sample(300, K(3));
    kernel(305, 300, RUN(K(3)));
    user(310, 50, RUN(U(3)));
    etl_correlator_finish(c.correlator);
    check_parts(0, "user 0x1001 kernel 0xffff800000000001 pid 40");
    check_parts(1, "user 0x1002 kernel 0xffff800000000002 pid 40");
    check_parts(2, "user 0x1003 kernel 0xffff800000000003 pid 40");
    correlated_end(&c);
}

/* Idle and System have no user mode that they return to. */
TEST(no_user_mode)
{
    correlated_begin(&c);
    sample_on(0, 100, 8, K(1), 0);
    part_of(0, 105, 8, SYSTEM, 100, false, RUN(K(1)));
    sample_on(0, 200, 8, K(2), 0);
    part_of(0, 205, 8, SYSTEM, 200, false, RUN(K(2)));
    part_of(0, 250, 8, SYSTEM, 90, true, RUN(U(1)));
    sample_on(0, 300, 0, K(3), 1);
    part_of(0, 305, 0, 0, 300, false, RUN(K(3)));
    part_of(0, 310, 0, 0, 290, true, RUN(U(1)));
    etl_correlator_finish(c.correlator);
    check_parts(0, "kernel 0xffff800000000001 pid 4");
    check_parts(1, "kernel 0xffff800000000002 pid 4");
    check_parts(2, "kernel 0xffff800000000003 pid 0");
    correlated_end(&c);
}

/* Parts of a sample that come after the thread's next sample. */
TEST(parts_after_the_next_sample)
{
    correlated_begin(&c);
    sample(100, K(1));
    sample(200, U(1));
    kernel(205, 100, RUN(K(1), K(2)));
    user(210, 100, RUN(U(2)));
    user(215, 200, RUN(U(1)));
    sample(300, U(3));
    sample(400, U(4));
    user(405, 300, RUN(U(3), U(5)));
    kernel(406, 300, RUN(K(9)));
    kernel(407, 300, RUN(K(8))); /* it has one */
    sample(500, K(5));
    kernel(501, 500, RUN(K(5)));
    sample(600, K(6));
    user(605, 500, RUN(U(7)));
    user(606, 500, RUN(U(8))); /* it has one */
    etl_correlator_finish(c.correlator);
    check_parts(0, "user 0x1002 kernel 0xffff800000000001 "
                   "0xffff800000000002");
    check_parts(1, "user 0x1001 pid 40");
    check_parts(2, "user 0x1003 0x1005 kernel 0xffff800000000009");
    check_parts(3, "leaf 0x1004");
    check_parts(4, "user 0x1007 kernel 0xffff800000000005 pid 40");
    check_parts(5, "leaf 0xffff800000000006");
    correlated_end(&c);
}

/* A late user part of a sample of user mode takes the place of its address;
 * of one of the kernel it does not. */
TEST(late_user_part)
{
    correlated_begin(&c);
    sample(100, U(1));
    sample(200, K(2));
    sample(300, U(3));
    user(310, 100, RUN(U(1), U(5)));
    user(320, 200, RUN(U(2)));
    etl_correlator_finish(c.correlator);
    check_parts(0, "user 0x1001 0x1005");
    check_parts(1, "user 0x1002 leaf 0xffff800000000002");
    check_parts(2, "leaf 0x1003");
    correlated_end(&c);
}

/* A kernel part that comes late makes its sample wait, too. */
TEST(waits_after_the_next_sample)
{
    correlated_begin(&c);
    sample(100, K(1));
    sample(200, K(2));
    kernel(205, 100, RUN(K(1)));
    user(250, 90, RUN(U(1)));
    sample_on(0, 300, 8, K(3), 0);
    sample_on(0, 400, 8, K(4), 0);
    part_of(0, 405, 8, SYSTEM, 300, false, RUN(K(3)));
    part_of(0, 450, 8, SYSTEM, 290, true, RUN(U(1)));
    etl_correlator_finish(c.correlator);
    check_parts(0, "user 0x1001 kernel 0xffff800000000001");
    check_parts(1, "leaf 0xffff800000000002");
    check_parts(2, "kernel 0xffff800000000003");
    correlated_end(&c);
}

/* Of samples of one time the thread tells, and of thread 0 the CPU. */
TEST(samples_of_one_time)
{
    correlated_begin(&c);
    sample_on(0, 100, 7, U(7), 0);
    sample_on(1, 100, 8, U(8), 0);
    sample_on(2, 100, 0, K(2), 1);
    sample_on(3, 100, 0, K(3), 2);
    part_of(3, 110, 0, 0, 100, false, RUN(K(3), K(9)));
    part_of(2, 110, 0, 0, 100, false, RUN(K(2), K(9)));
    part_of(0, 120, 8, PID, 100, true, RUN(U(8), U(9)));
    part_of(5, 120, 7, PID, 100, true, RUN(U(7), U(9)));
    sample_on(2, 200, 0, K(4), 1);
    sample_on(3, 200, 0, K(5), 1);
    sample_on(2, 300, 0, K(4), 1);
    sample_on(3, 300, 0, K(5), 1);
    part_of(3, 310, 0, 0, 200, false, RUN(K(5), K(6)));
    etl_correlator_finish(c.correlator);
    check_parts(0, "user 0x1007 0x1009 pid 40");
    check_parts(1, "user 0x1008 0x1009 pid 40");
    check_parts(2, "kernel 0xffff800000000002 0xffff800000000009 pid 0");
    check_parts(3, "kernel 0xffff800000000003 0xffff800000000009 pid 0");
    check_parts(4, "leaf 0xffff800000000004");
    check_parts(5, "kernel 0xffff800000000005 0xffff800000000006");
    ck_assert_uint_eq(c.o.seen->samples.cpu[5], 3);
    correlated_end(&c);
}

TEST(idle_samples)
{
    correlated_begin(&c);
    sample_on(0, 100, 0, K(1), 0);
    sample_on(0, 200, 0, K(1), 1);
    sample_on(0, 300, 0, K(1), 2);
    sample_on(0, 400, 9, K(1), 3);
    etl_correlator_finish(c.correlator);
    ck_assert_uint_eq(sample_flags_of(&c.o, 0), SAMPLE_IDLE);
    ck_assert_uint_eq(sample_flags_of(&c.o, 1), SAMPLE_DPC);
    ck_assert_uint_eq(sample_flags_of(&c.o, 2), SAMPLE_ISR);
    ck_assert_uint_eq(sample_flags_of(&c.o, 3), SAMPLE_DPC | SAMPLE_ISR);
    check_parts(3, "leaf 0xffff800000000001");
    correlated_end(&c);
}

/* The process may be known from the kernel part alone. */
TEST(process_of_a_kernel_part)
{
    correlated_begin(&c);
    sample(100, K(1));
    kernel(105, 100, RUN(K(1)));
    sample(200, U(1));
    part_of(0, 205, TID, PID + 1, 200, true, RUN(U(1)));
    sample(300, U(1));
    etl_correlator_finish(c.correlator);
    check_parts(0, "kernel 0xffff800000000001 pid 40");
    check_parts(1, "user 0x1001 pid 41");
    check_parts(2, "leaf 0x1001");
    correlated_end(&c);
}

/* ---- keys ---- */

TEST(keys_defined_later)
{
    correlated_begin(&c);
    sample(100, K(1));
    keyed(105, 100, false, 0xA);
    keyed(110, 100, true, 0xB);
    sample(200, U(1));
    keyed(210, 200, true, 0xB);
    sample(300, U(9));
    define(500, 0xB, true, RUN(U(1), U(2)));
    define(501, 0xA, false, RUN(K(1), K(2)));
    etl_correlator_finish(c.correlator);
    check_parts(0, "user 0x1001 0x1002 kernel 0xffff800000000001 "
                   "0xffff800000000002 pid 40");
    check_parts(1, "user 0x1001 0x1002 pid 40");
    check_parts(2, "leaf 0x1009");
    ck_assert_uint_eq(c.o.p->quality.undefined_keys, 0);
    correlated_end(&c);
}

/* One number is a key of the kernel at a time and one of user mode at
 * another, or at once. */
TEST(one_key_of_both_kinds)
{
    correlated_begin(&c);
    sample(100, K(1));
    keyed(105, 100, false, 0xA);
    keyed(110, 100, true, 0xA);
    define(500, 0xA, true, RUN(U(1)));
    define(501, 0xA, false, RUN(K(1)));
    etl_correlator_finish(c.correlator);
    check_parts(0, "user 0x1001 kernel 0xffff800000000001 pid 40");
    correlated_end(&c);
}

TEST(recycled_keys)
{
    correlated_begin(&c);
    define(50, 0xA, true, RUN(U(9))); /* nobody used it yet */
    sample(100, U(1));
    keyed(110, 100, true, 0xA);
    define(150, 0xA, true, RUN(U(1), U(2)));
    define(160, 0xA, true, RUN(U(8)));
    sample(200, U(3));
    keyed(210, 200, true, 0xA);
    sample(300, U(3));
    keyed(310, 300, true, 0xA);
    define(350, 0xA, true, RUN(U(3), U(4)));
    sample(400, U(5));
    keyed(410, 400, true, 400); /* a key like a time stamp */
    define(450, 400, true, RUN(U(5)));
    etl_correlator_finish(c.correlator);
    check_parts(3, "user 0x1005 pid 40");
    check_parts(0, "user 0x1001 0x1002 pid 40");
    check_parts(1, "user 0x1003 0x1004 pid 40");
    check_parts(2, "user 0x1003 0x1004 pid 40");
    correlated_end(&c);
}

/* A key that nobody defines: the sampled address of the first sample whose
 * own part it is stands for it. */
TEST(undefined_keys)
{
    correlated_begin(&c);
    sample(100, U(1));
    keyed(110, 100, true, 0xA);
    sample(200, U(1));
    keyed(210, 200, true, 0xA);
    sample(300, K(1));
    keyed(305, 300, false, 0xB);
    user(310, 300, RUN(U(3)));
    sample(400, K(2));
    kernel(405, 400, RUN(K(2)));
    keyed(410, 400, true, 0xC);
    etl_correlator_finish(c.correlator);
    check_parts(0, "leaf 0x1001 pid 40");
    check_parts(1, "leaf 0x1001 pid 40");
    check_parts(2, "user 0x1003 leaf 0xffff800000000001 pid 40");
    check_parts(3, "kernel 0xffff800000000002 pid 40");
    ck_assert_uint_eq(c.o.p->quality.undefined_keys, 3);
    correlated_end(&c);
}

/* The same, when the key's first use was not a sample's own. */
TEST(undefined_key_used_first_by_others)
{
    correlated_begin(&c);
    keyed(50, 45, true, 0xA); /* the stack of another event */
    sample(100, U(1));
    keyed(110, 100, true, 0xA);
    sample(200, U(2));
    sample(300, U(3));
    keyed(310, 200, true, 0xB);
    etl_correlator_finish(c.correlator);
    check_parts(0, "leaf 0x1001 pid 40");
    check_parts(1, "leaf 0x1002");
    check_parts(2, "leaf 0x1003");
    ck_assert_uint_eq(c.o.p->quality.undefined_keys, 2);
    correlated_end(&c);
}

/* One user key for a whole stay. */
TEST(stay_with_keys)
{
    correlated_begin(&c);
    sample(100, K(1));
    keyed(105, 100, false, 0xA);
    sample(200, K(1));
    keyed(205, 200, false, 0xA);
    keyed(250, 100, true, 0xB);
    define(300, 0xA, false, RUN(K(1)));
    define(301, 0xB, true, RUN(U(1)));
    etl_correlator_finish(c.correlator);
    check_parts(0, "user 0x1001 kernel 0xffff800000000001 pid 40");
    check_parts(1, "user 0x1001 kernel 0xffff800000000001 pid 40");
    correlated_end(&c);
}

/* ---- records that hold both parts ---- */

/* Windows 7: a user part that leads through the kernel. */
TEST(kernel_part_inside_the_user_part)
{
    correlated_begin(&c);
    sample(100, K(1));
    user(110, 100, RUN(K(1), K(2), U(1), U(2)));
    sample(200, K(3)); /* what is before the sampled address is not its */
    user(210, 200, RUN(K(9), K(3), K(4), U(3)));
    etl_correlator_finish(c.correlator);
    check_parts(0, "user 0x1001 0x1002 kernel 0xffff800000000001 "
                   "0xffff800000000002 pid 40");
    check_parts(1, "user 0x1003 kernel 0xffff800000000003 "
                   "0xffff800000000004 pid 40");
    correlated_end(&c);
}

/* A callback: the kernel calls user mode, which calls the kernel. What
 * follows the innermost stay is the user part, the outer stay in it. */
TEST(through_a_kernel_callback)
{
    correlated_begin(&c);
    sample(100, K(1));
    user(110, 100, RUN(K(1), U(1), K(2), U(2)));
    sample(200, U(3));
    user(210, 200, RUN(U(3), K(3), U(4)));
    etl_correlator_finish(c.correlator);
    check_parts(0, "user 0x1001 0xffff800000000002 0x1002 "
                   "kernel 0xffff800000000001 pid 40");
    check_parts(1, "user 0x1003 0xffff800000000003 0x1004 pid 40");
    correlated_end(&c);
}

/* Not taken apart: a sample of user mode, one that has its kernel part, a
 * part of another event, a run without the address or without user mode. */
TEST(parts_left_whole)
{
    correlated_begin(&c);
    sample(100, K(1));
    kernel(105, 100, RUN(K(1)));
    user(110, 100, RUN(K(1), U(1)));
    sample(200, K(2));
    user(210, 200, RUN(K(8), U(2)));
    sample(300, K(3));
    user(310, 300, RUN(K(3), K(4)));
    sample(400, K(5));
    kernel(405, 400, RUN(K(5)));
    sample(500, K(6));
    user(510, 400, RUN(K(6), U(6)));
    etl_correlator_finish(c.correlator);
    check_parts(0, "user 0xffff800000000001 0x1001 "
                   "kernel 0xffff800000000001 pid 40");
    check_parts(1, "user 0xffff800000000008 0x1002 "
                   "leaf 0xffff800000000002 pid 40");
    check_parts(2, "user 0xffff800000000003 0xffff800000000004 "
                   "leaf 0xffff800000000003 pid 40");
    check_parts(3, "user 0xffff800000000006 0x1006 "
                   "kernel 0xffff800000000005 pid 40");
    check_parts(4, "leaf 0xffff800000000006");
    correlated_end(&c);
}

/* Frames of packed buffers do not last: runs are copied. */
TEST(passing_frames)
{
    uint64_t frames[] = {U(1), U(2)};
    struct etl_fact fact = {.kind = ETL_PART,
                            .time = 110,
                            .value = 100,
                            .tid = TID,
                            .pid = PID,
                            .user = true};
    uint8_t *bytes;

    correlated_begin(&c);
    sample(100, U(1));
    bytes = correlated_frames(&c, &fact, (struct addresses){frames, 2});
    etl_correlate(c.correlator, &fact, 1, false);
    memset(bytes, 0, 16);
    etl_correlator_finish(c.correlator);
    check_parts(0, "user 0x1001 0x1002 pid 40");
    correlated_end(&c);
}

/* A closed sample is named for ten seconds; one that its thread waits with, for
 * ever. */
TEST(late_parts)
{
    enum { SECOND = 10000000 };

    correlated_begin(&c);
    sample(1 * SECOND, U(1));
    sample(2 * SECOND, K(2));
    kernel(2 * SECOND + 1, 2 * SECOND, RUN(K(2)));
    sample(3 * SECOND, U(3));
    sample(9 * SECOND, U(4));
    kernel(10 * SECOND, 1 * SECOND, RUN(K(1)));
    kernel(14 * SECOND, 3 * SECOND, RUN(K(3)));
    user(100ull * SECOND, 2 * SECOND, RUN(U(2)));
    etl_correlator_finish(c.correlator);
    ck_assert_uint_eq(sample_count(&c.o), 4);
    check_parts(0, "kernel 0xffff800000000001");
    check_parts(1, "user 0x1002 kernel 0xffff800000000002 pid 40");
    check_parts(2, "leaf 0x1003");
    check_parts(3, "leaf 0x1004");
    correlated_end(&c);
}

/* An event logged in the stay names a user part of its own, which comes
 * before that of the sample. */
TEST(own_part_after_one_of_the_stay)
{
    correlated_begin(&c);
    sample(100, K(1));
    kernel(105, 100, RUN(K(1), K(2)));
    user(110, 90, RUN(U(2)));
    user(115, 100, RUN(U(1), U(2)));
    user(120, 95, RUN(U(3)));
    etl_correlator_finish(c.correlator);
    check_parts(0, "user 0x1001 0x1002 kernel 0xffff800000000001 "
                   "0xffff800000000002 pid 40");
    correlated_end(&c);
}
