/*
 * The time of threads adds up in every recording that tells it, to the
 * nanosecond: that of all threads is the sum of the four states, and each state
 * alone is as long as it is among all. No thread is in two states at once.
 */
#include <unistd.h>

#include "engine/input/recording.h"
#include "engine/model/thread_states.h"
#include "tests/support/suite.h"

static struct profile *read_event(const char *path, const char *event)
{
    struct read_options options = {.event = event};
    struct err err = {0};
    struct recording *r = recording_open(&path, 1, &options, &err);

    ck_assert_msg(r != NULL, "%s: %s", path, err.message);
    return recording_take(r);
}

static uint64_t number_of(const struct profile *p, const char *name)
{
    const struct trace_fact *fact = profile_fact_named(p, name);

    ck_assert_msg(fact != NULL, "no %s", name);
    return fact->number;
}

static uint64_t sum_of(const struct profile *p, enum thread_state state)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < p->samples.len; i++)
        if (state == THREAD_NO_STATE ||
            thread_wait_at(sample_wait(p->samples.flags[i])).state == state)
            sum += p->samples.weight[i];
    return sum;
}

static void check_alone(const char *path, enum thread_state state,
                        uint64_t wanted)
{
    struct profile *p = read_event(path, thread_state_name(state));

    ck_assert_uint_eq(sum_of(p, THREAD_NO_STATE), wanted);
    ck_assert_uint_eq(sum_of(p, state), wanted);
    profile_free(p);
}

/* Samples are in order of time. */
static void check_order(const struct profile *p)
{
    int64_t *ends = mem_new(p->threads.len, sizeof(*ends));

    for (size_t i = 0; i < p->samples.len; i++) {
        int64_t *end = &ends[p->samples.thread[i]];

        ck_assert_int_ge(p->samples.time[i], *end);
        *end = p->samples.time[i] + (int64_t)p->samples.weight[i];
    }
    free(ends);
}

static void check_sums(const char *path)
{
    struct profile *p = read_event(path, "thread-time"), *wakers;
    uint64_t lifetimes = number_of(p, FACT_LIFETIMES), sum = 0;

    ck_assert_uint_gt(lifetimes, 0);
    ck_assert_uint_eq(sum_of(p, THREAD_NO_STATE), lifetimes);
    check_order(p);
    for (int state = THREAD_RUNNING; state < THREAD_STATES; state++) {
        uint64_t time = sum_of(p, (enum thread_state)state);

        ck_assert_uint_eq(
            number_of(p, thread_state_name((enum thread_state)state)), time);
        if (state != THREAD_UNKNOWN)
            check_alone(path, (enum thread_state)state, time);
        sum += time;
    }
    ck_assert_uint_eq(sum, lifetimes);
    wakers = read_event(path, "wakers");
    ck_assert_uint_eq(sum_of(wakers, THREAD_NO_STATE),
                      sum_of(p, THREAD_BLOCKED));
    profile_free(wakers);
    profile_free(p);
}

TEST(made_recordings)
{
    check_sums("testdata/perfdata/waits.data");
    check_sums("testdata/nettrace/runtime.nettrace");
}

TEST(shared_recordings)
{
    static const struct {
        const char *folder, *name;
    } rows[] = {
        {"nettrace", "linux-all-cswitch.nettrace"},
        {"nettrace", "eventpipe-dotnetcore3.0-win-x64-objver4.nettrace"},
        {"etl", "net.4.5.2.x86.etl"},
        {"field/deep-stacks", "android-deep.data"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        char *path = traces_path(rows[i].folder, rows[i].name, "");

        if (access(path, R_OK))
            suite_skip(1, "real recordings: TOPFN_TRACES is not there");
        else
            check_sums(path);
        free(path);
    }
}

/* The contentions of a log without context switches. */
TEST(waits_of_the_runtime_are_blocked_time)
{
    char *path = traces_path("etl", "net.4.5.2.x86.etl", "");
    struct profile *p;

    if (access(path, R_OK)) {
        suite_skip(1, "real recordings: TOPFN_TRACES is not there");
    } else {
        p = read_event(path, "blocked");
        ck_assert_uint_eq(sum_of(p, THREAD_BLOCKED), 5518100);
        profile_free(p);
    }
    free(path);
}
