/*
 * Stacks of events are named as those of samples: the stacks of all sample
 * events are those of the profile, in whatever order the events come.
 */
#include "engine/input/trace_events.h"
#include "tests/support/nettrace_writer.h"
#include "tests/support/suite.h"

/* A sum over locations, the same in the same order. */
static uint64_t print_of(const struct profile *p, uint32_t stack)
{
    uint64_t print = 0;

    for (; stack; stack = p->stacks.data[stack].parent) {
        const struct location *l =
            &p->locations.data[p->stacks.data[stack].location];

        print = print * 31 + l->address;
        print = print * 31 + l->kind;
        print = print * 31 + (l->module != NO_ID);
    }
    return print;
}

static int compare(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Of the samples with a stack, sorted. */
static uint64_t *prints_of(const struct profile *p, size_t *count)
{
    uint64_t *prints = mem_new(p->samples.len + 1, sizeof(*prints));

    *count = 0;
    for (size_t i = 0; i < p->samples.len; i++)
        if (p->samples.flags[i] & SAMPLE_HAS_STACK)
            prints[(*count)++] = print_of(p, p->samples.stack[i]);
    qsort(prints, *count, sizeof(*prints), compare);
    return prints;
}

static void compare_with_samples(const char *path, const char *event,
                                 bool unordered)
{
    struct event_options options = {
        .events = {&event, 1}, .stacks = true, .unordered = unordered};
    struct read_options read = {.threads = 1};
    struct err err = {0};
    struct event_trace *trace = event_trace_open(&path, 1, &err);
    struct recording *r = recording_open(&path, 1, &read, &err);
    struct event_stacks *s;
    uint64_t *ours, *theirs;
    size_t count, same;

    ck_assert_msg(trace && r, "%s", err.message);
    s = event_stacks_read(trace, &options, 0, &read, &err);
    ck_assert_msg(s != NULL, "%s", err.message);
    ours = prints_of(s->recording.profile, &count);
    theirs = prints_of(r->profile, &same);
    ck_assert_msg(count != 0, "%s", path);
    ck_assert_uint_eq(count, s->count);
    ck_assert_uint_eq(count, same);
    ck_assert_mem_eq(ours, theirs, count * sizeof(*ours));
    free(ours);
    free(theirs);
    event_stacks_free(s);
    recording_close(r);
    event_trace_close(trace);
}

TEST(stacks_of_samples_are_those_of_the_profile)
{
    compare_with_samples("testdata/etl/orders.etl", "PerfInfo/Sample", false);
    compare_with_samples("testdata/etl/kernel-32bit.etl", "PerfInfo/Sample",
                         false);
    compare_with_samples("testdata/nettrace/v4-plain.nettrace", "Thread/Sample",
                         false);
    compare_with_samples("testdata/nettrace/v6-plain.nettrace", "Thread/Sample",
                         false);
}

/* In another order each still has its own. */
TEST(order_does_not_matter)
{
    compare_with_samples("testdata/etl/orders.etl", "PerfInfo/Sample", true);
}
