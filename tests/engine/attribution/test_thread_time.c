/* The time of threads, from what happened to them (thread_time.script). */
#include <inttypes.h>

#include "engine/attribution/thread_time.h"
#include "tests/support/script_tests.h"
#include "tests/support/suite.h"

static struct observed o;

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

/* ---- what happened ---- */

/* states EVENT */
static void states(struct script *s)
{
    o.seen->thread_states = thread_time_states(script_word(s));
}

/* duration NANOSECONDS */
static void duration(struct script *s)
{
    o.p->trace.duration_ns = script_time(s);
}

/* thread TIME EVENT TID */
static void thread(struct script *s)
{
    int64_t time = script_time(s);
    enum observed_event event = script_event(s);

    see_thread(&o, time, event, script_id(s, 0), 7, "");
}

/* An address is the row's stack; without one it has none. */
static void happen(int64_t time, uint32_t tid, uint64_t period,
                   uint64_t address)
{
    struct observed_sample row = {
        .time = time, .weight = 1, .cpu = 1, .period = period};

    row.thread_key = observe_thread_key(o.seen, tid, 7);
    if (address)
        row.outer = callchains_add_address(&o.seen->callchains, address);
    observe_sample(o.seen, &row);
}

static unsigned wait_of(struct script *s)
{
    const char *name = script_option(s, "wait");
    unsigned wait = WAIT_NONE;

    while (name && strcmp(thread_wait_at(wait).name, name) != 0) {
        wait++;
        ck_assert_uint_lt(wait, thread_waits());
    }
    return wait;
}

/* KIND TIME TID [wait=REASON] [other=TID] [at=ADDRESS] */
static void happening(struct script *s)
{
    static const char *const kinds[] = {[HAPPENED_SAMPLE] = "sample",
                                        [HAPPENED_SWITCH_TO] = "out",
                                        [HAPPENED_SWITCH_FROM] = "in",
                                        [HAPPENED_WAKEUP] = "wakeup",
                                        [HAPPENED_INTERRUPT] = "interrupt",
                                        [HAPPENED_WAIT_BEGIN] = "wait_begin",
                                        [HAPPENED_WAIT_END] = "wait_end",
                                        NULL};
    int64_t time = script_time(s);
    uint32_t tid = script_id(s, 0);
    uint32_t other = (uint32_t)script_option_number(s, "other");
    unsigned kind;

    s->next = 0;
    kind = script_choice(s, kinds);
    happen(time, tid,
           thread_happening((enum thread_happening)kind, wait_of(s), other),
           script_option_number(s, "at"));
}

/* ---- what became of it ---- */

/* divide = none if no switch is there */
static void divide(struct script *s)
{
    if (thread_time_divide(o.seen, "test", NULL))
        script_tell(s, "none");
}

/* time_of TID = the pieces of its time */
static void time_of(struct script *s)
{
    const struct samples *all = &o.seen->samples;
    uint32_t tid = script_id(s, 0);

    divide(s);
    for (size_t i = 0; i < all->len; i++) {
        uint64_t from = (uint64_t)all->time[i];

        if (o.seen->thread_keys.data[all->thread[i]].tid != tid)
            continue;
        script_tell(s, "%s%" PRIu64 "-%" PRIu64 " %s", *s->told ? "; " : "",
                    from, from + all->weight[i],
                    thread_wait_at(sample_wait(all->flags[i])).name);
        if (all->stack[i])
            script_tell(
                s, " @%" PRIu64,
                load_u64(o.seen->callchains.list.data[all->stack[i]].frames));
    }
}

/* stacks = of all rows, in order of time, once they are attributed */
static void stacks(struct script *s)
{
    observed_attribute(&o);
    for (size_t i = 0; i < o.p->samples.len; i++)
        script_tell(s, "%s%" PRIu64 " %s", i ? " | " : "",
                    o.p->samples.weight[i], sample_stack(&o, i));
}

static void warnings(struct script *s)
{
    script_tell(s, "%zu", o.p->quality.warnings.len);
}

static const struct script_command commands[] = {
    {"states", states},        {"duration", duration},
    {"thread", thread},        {"sample", happening},
    {"out", happening},        {"in", happening},
    {"wakeup", happening},     {"interrupt", happening},
    {"wait_begin", happening}, {"wait_end", happening},
    {"divide", divide},        {"time_of", time_of},
    {"stacks", stacks},        {"warnings", warnings},
};

TEST(scripts)
{
    script_tests("tests/engine/attribution/thread_time.script", commands,
                 COUNT(commands), begin, end);
}

/* Drawn happenings: the pieces of every life follow each other, and the sums
 * of the states are those of the pieces. */
TEST(pieces_make_up_lives)
{
    uint32_t seed = 1;
    int64_t ends[6] = {0};
    uint64_t sum = 0;

    begin();
    for (int64_t t = 1; t < 20000; t++) {
        seed = seed * 1103515245 + 12345;
        happen(t, (seed >> 16 & 3) + 1,
               thread_happening((enum thread_happening)(seed >> 18 & 3),
                                WAIT_BLOCKED + (seed >> 22 & 3),
                                (seed >> 20 & 3) + 1),
               seed >> 8 & 1);
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
    end();
}
