/* The time of threads, from what happened to them. */
#include <stdio.h>

#include "engine/attribution/thread_time.h"
#include "engine/base/out.h"
#include "tests/support/observed.h"
#include "tests/support/suite.h"

static struct observed o;
static struct out *text;

static void begin(void)
{
    observed_begin(&o);
    o.p->trace.duration_ns = 100;
    o.seen->thread_states = thread_time_states("thread-time");
}

static void end(void)
{
    observed_end(&o);
}

SUITE_FIXTURE(begin, end)

/* `address` is the row's stack; 0: it has none. */
static void happen(int64_t time, uint32_t tid, enum thread_happening kind,
                   unsigned wait, uint32_t other, uint64_t address)
{
    struct observed_sample row = {.time = time, .weight = 1, .cpu = 1};

    row.thread_key = observe_thread_key(o.seen, tid, 7);
    if (address)
        row.outer = callchains_add_address(&o.seen->callchains, address);
    row.period = thread_happening(kind, wait, other);
    observe_sample(o.seen, &row);
}

static void sampled(int64_t time, uint32_t tid, uint64_t address)
{
    happen(time, tid, HAPPENED_SAMPLE, WAIT_NONE, 0, address);
}

static void out_of(int64_t time, uint32_t tid, unsigned wait, uint32_t next,
                   uint64_t address)
{
    happen(time, tid, HAPPENED_SWITCH_TO, wait, next, address);
}

static void into(int64_t time, uint32_t tid)
{
    happen(time, tid, HAPPENED_SWITCH_FROM, WAIT_BLOCKED, 0, 0);
}

static void wakes(int64_t time, uint32_t tid)
{
    happen(time, 99, HAPPENED_WAKEUP, WAIT_NONE, tid, 0);
}

/* A row for each piece of a thread's time: "10-30 blocked @20"; the number
 * behind @ is that of the row that had the stack. */
static const char *life_of(uint32_t tid)
{
    const struct samples *s;

    ck_assert_int_eq(thread_time_divide(o.seen, "test", NULL), ERR_NONE);
    s = &o.seen->samples;
    text = out_memory();
    for (size_t i = 0; i < s->len; i++) {
        const struct callchain *run =
            &o.seen->callchains.list.data[s->stack[i]];

        if (o.seen->thread_keys.data[s->thread[i]].tid != tid)
            continue;
        out_fmt(text, "%s%lld-%lld %s", *out_text(text, NULL) ? "; " : "",
                (long long)s->time[i],
                (long long)(s->time[i] + (int64_t)s->weight[i]),
                thread_wait_at(sample_wait(s->flags[i])).name);
        if (s->stack[i])
            out_fmt(text, " @%llu", (unsigned long long)load_u64(run->frames));
    }
    return out_text(text, NULL);
}

static void assert_life(uint32_t tid, const char *wanted)
{
    o.p->trace.duration_ns = 100;
    ck_assert_str_eq(life_of(tid), wanted);
    out_close(text, NULL);
}

/* Samples get the time before them, the last one also that up to the switch;
 * what was not sampled has the stack of the switch-out. */
TEST(running_time_belongs_to_samples)
{
    into(10, 5);
    sampled(12, 5, 1);
    sampled(15, 5, 2);
    out_of(20, 5, WAIT_INTERRUPTIBLE, 0, 3);
    into(30, 5);
    out_of(33, 5, WAIT_PREEMPTED, 0, 4);
    assert_life(5, "0-10 unknown; 10-12 running @1; 12-15 running @2; "
                   "15-20 running @2; 20-30 blocked, interruptible sleep @3; "
                   "30-33 running, not sampled @4; 33-100 ready, preempted @4");
}

TEST(a_wakeup_divides_the_wait)
{
    out_of(20, 5, WAIT_UNINTERRUPTIBLE, 6, 3);
    wakes(30, 5);
    wakes(35, 5);
    out_of(40, 6, WAIT_INTERRUPTIBLE, 5, 4);
    wakes(45, 5);
    assert_life(5, "0-20 unknown; 20-30 blocked, uninterruptible sleep @3; "
                   "30-40 ready, woken @3; 40-100 running, not sampled");
}

/* Windows writes the stack of a wait when it is over. */
TEST(the_stack_may_come_with_the_switch_in)
{
    happen(20, 6, HAPPENED_SWITCH_FROM, WAIT_WINDOWS, 5, 8);
    wakes(50, 5);
    happen(60, 5, HAPPENED_SWITCH_FROM, WAIT_WINDOWS + 6, 6, 9);
    assert_life(5, "0-20 unknown; 20-50 blocked, Executive @9; "
                   "50-60 ready, woken @9; 60-100 running, not sampled");
}

/* Recorders of one process tell switch-outs alone. */
TEST(a_switch_in_that_was_not_recorded_leaves_unknown_time)
{
    out_of(20, 5, WAIT_INTERRUPTIBLE, 0, 3);
    sampled(50, 5, 1);
    out_of(60, 5, WAIT_INTERRUPTIBLE, 0, 4);
    out_of(80, 5, WAIT_INTERRUPTIBLE, 0, 6);
    assert_life(5, "0-20 unknown; 20-50 unknown @3; 50-60 running @1; "
                   "60-80 unknown @4; 80-100 blocked, interruptible sleep @6");
}

/* The kernel's record of the switch follows the tracepoint. */
TEST(a_switch_that_is_told_twice_is_one)
{
    into(10, 5);
    out_of(20, 5, WAIT_BLOCKED, 0, 3);
    out_of(21, 5, WAIT_PREEMPTED, 0, 0);
    into(30, 5);
    into(31, 5);
    assert_life(5, "0-10 unknown; 10-20 running, not sampled @3; "
                   "20-30 ready, preempted @3; 30-100 running, not sampled");
}

/* One processor runs one thread: the switch-out of 5 was not recorded. */
TEST(a_switch_out_that_was_not_recorded_leaves_unknown_time)
{
    into(10, 5);
    sampled(15, 5, 1);
    sampled(30, 6, 2);
    out_of(40, 6, WAIT_LOCK, 5, 3);
    assert_life(5, "0-10 unknown; 10-15 running @1; 15-30 unknown; "
                   "30-40 unknown; 40-100 running, not sampled");
}

TEST(lives_begin_and_end)
{
    see_thread(&o, 10, SEEN_BEGIN, 5, 7, "");
    see_thread(&o, 39, SEEN_END, 5, 7, "");
    see_thread(&o, 60, SEEN_BEGIN, 5, 7, "");
    see_thread(&o, 80, SEEN_END, 5, 7, "");
    into(12, 5);
    out_of(40, 5, WAIT_EXIT, 0, 3);
    out_of(41, 5, WAIT_BLOCKED, 0, 0);
    into(70, 5);
    assert_life(5, "10-12 ready, woken; 12-40 running, not sampled @3; "
                   "60-70 ready, woken; 70-80 running, not sampled");
}

TEST(an_id_that_is_used_again_is_another_life)
{
    into(10, 5);
    out_of(40, 5, WAIT_EXIT, 0, 3);
    into(70, 5);
    assert_life(5, "0-10 unknown; 10-40 running, not sampled @3; "
                   "70-100 running, not sampled");
}

TEST(only_the_states_that_were_asked_for)
{
    o.seen->thread_states = thread_time_states("blocked");
    into(10, 5);
    out_of(40, 5, WAIT_LOCK, 0, 3);
    into(70, 5);
    assert_life(5, "40-70 blocked, lock @3");
}

TEST(long_intervals_are_cut)
{
    o.seen->thread_states = thread_time_states("blocked");
    out_of(100, 5, WAIT_LOCK, 0, 3);
    into(1500, 5);
    into(200000, 6);
    life_of(5);
    ck_assert_str_eq(out_text(text, NULL),
                     "100-1000 blocked, lock @3; 1000-1500 blocked, lock @3");
    out_close(text, NULL);
}

/* A recording of one process tells that a thread of another comes in. */
TEST(threads_that_only_others_tell_of_are_left_out)
{
    out_of(40, 5, WAIT_LOCK, 6, 3);
    wakes(50, 6);
    assert_life(6, "");
}

/* Threads that did nothing, and the idle thread, have no time. */
TEST(idle_threads_have_no_time)
{
    see_thread(&o, 10, SEEN_BEGIN, 8, 7, "");
    out_of(40, 0, WAIT_PREEMPTED, 5, 3);
    assert_life(0, "");
}

/* A runtime tells its waits, and nothing of what is between them. */
TEST(waits_without_switches)
{
    happen(20, 5, HAPPENED_WAIT_BEGIN, WAIT_LOCK, 0, 3);
    happen(25, 5, HAPPENED_WAIT_BEGIN, WAIT_HANDLE, 0, 4);
    happen(35, 5, HAPPENED_WAIT_END, WAIT_HANDLE, 0, 5);
    happen(40, 5, HAPPENED_WAIT_END, WAIT_LOCK, 0, 5);
    assert_life(5, "0-20 unknown; 20-40 blocked, lock @3; 40-100 unknown");
}

TEST(switches_tell_more_than_waits)
{
    into(10, 5);
    happen(20, 5, HAPPENED_WAIT_BEGIN, WAIT_LOCK, 0, 3);
    out_of(30, 5, WAIT_INTERRUPTIBLE, 0, 4);
    happen(40, 5, HAPPENED_WAIT_END, WAIT_LOCK, 0, 5);
    assert_life(5, "0-10 unknown; 10-30 running, not sampled @4; "
                   "30-100 blocked, interruptible sleep @4");
}

TEST(without_switches_there_is_no_thread_time)
{
    sampled(10, 5, 1);
    ck_assert_int_eq(thread_time_divide(o.seen, "test", NULL), ERR_NOT_FOUND);
}

/* ---- who ended a wait ---- */

static void wakes_by(int64_t time, uint32_t tid, uint32_t other,
                     uint64_t address)
{
    happen(time, tid, HAPPENED_WAKEUP, WAIT_NONE, other, address);
}

/* The stacks of blocked time, in order of time. */
static void assert_wakers(const char *wanted)
{
    o.seen->thread_states = thread_time_states("wakers");
    ck_assert_int_eq(thread_time_divide(o.seen, "test", NULL), ERR_NONE);
    observed_attribute(&o);
    text = out_memory();
    for (size_t i = 0; i < o.p->samples.len; i++)
        out_fmt(text, "%s%lld %s", i ? " | " : "",
                (long long)o.p->samples.weight[i], sample_stack(&o, i));
    ck_assert_str_eq(out_text(text, NULL), wanted);
    out_close(text, NULL);
}

/* 7 waits for 6, which waits for 5 until 30. The wait of 6 that ended before 7
 * began to wait is none of its. */
TEST(wakers_follow_each_other)
{
    see_thread(&o, 0, SEEN_AT_START, 6, 7, "six");
    out_of(2, 6, WAIT_LOCK, 0, 0x60);
    wakes_by(4, 5, 6, 0x51);
    into(5, 6);
    out_of(10, 7, WAIT_LOCK, 0, 0x71);
    out_of(20, 6, WAIT_LOCK, 0, 0x61);
    wakes_by(30, 5, 6, 0x52);
    into(32, 6);
    wakes_by(40, 6, 7, 0x62);
    into(42, 7);
    out_of(50, 7, WAIT_LOCK, 0, 0x72);
    wakes_by(60, 6, 7, 0x63);
    assert_wakers("2 0x60 no_image;[woken by]+0x1;0x51 no_image | "
                  "30 0x71 no_image;[woken by]+0x0;0x62 no_image;"
                  "[woken by]+0x1;0x52 no_image | "
                  "10 0x61 no_image;[woken by]+0x1;0x52 no_image | "
                  "10 0x72 no_image;[woken by]+0x0;0x63 no_image");
}

/* The thread that an interrupt interrupted has nothing to do with it, nor has
 * its code. */
TEST(interrupts_are_no_threads)
{
    out_of(2, 6, WAIT_LOCK, 0, 0x60);
    wakes_by(4, 5, 6, 0x51);
    into(5, 6);
    out_of(10, 7, WAIT_LOCK, 0, 0x71);
    happen(40, 6, HAPPENED_INTERRUPT, WAIT_NONE, 7, 0x62);
    into(42, 7);
    assert_wakers("2 0x60 no_image;[woken by]+0x1;0x51 no_image | "
                  "30 0x71 no_image;[woken by]+0x3");
}

/* A thread that ends its own wait. */
TEST(cycles_are_cut_and_told)
{
    out_of(10, 7, WAIT_LOCK, 0, 0x71);
    wakes_by(40, 7, 7, 0x62);
    into(42, 7);
    assert_wakers("30 0x71 no_image");
    ck_assert_uint_eq(o.p->quality.warnings.len, 1);
}

/* Drawn happenings: the pieces of every life follow each other, and the sums
 * of the states are those of the pieces. */
TEST(pieces_make_up_lives)
{
    uint32_t seed = 1;
    int64_t ends[6] = {0};
    uint64_t sum = 0;

    for (int64_t t = 1; t < 20000; t++) {
        uint32_t tid, kind, other;

        seed = seed * 1103515245 + 12345;
        tid = seed >> 16 & 3;
        kind = seed >> 18 & 3;
        other = seed >> 20 & 3;
        happen(t, tid + 1, (enum thread_happening)kind,
               WAIT_BLOCKED + (seed >> 22 & 3), other + 1, seed >> 8 & 1);
    }
    o.p->trace.duration_ns = 30000;
    ck_assert_int_eq(thread_time_divide(o.seen, "test", NULL), ERR_NONE);
    for (size_t i = 0; i < o.seen->samples.len; i++) {
        uint32_t key = o.seen->samples.thread[i];
        uint32_t tid = o.seen->thread_keys.data[key].tid;

        ck_assert_int_eq(o.seen->samples.time[i], ends[tid]);
        ends[tid] += (int64_t)o.seen->samples.weight[i];
        sum += o.seen->samples.weight[i];
    }
    for (uint32_t tid = 1; tid <= 4; tid++)
        ck_assert_int_eq(ends[tid], 30000);
    ck_assert_uint_eq(profile_fact_named(o.p, FACT_LIFETIMES)->number, sum);
}
