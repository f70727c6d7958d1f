/* Processes and threads of kernel events, and the stacks that were logged
 * separately: kernel parts, user parts, keys of both. */
#include "engine/events/schema.h"
#include "tests/support/etl_events.h"
#include "tests/support/etl_log.h"
#include "tests/support/suite.h"

#define KERNEL(n) (0xFFFFF80000000000 + (n))

static void begin(struct etl_log *log)
{
    etl_log_begin(log, &(struct etl_options){.cpus = 2});
}

/* "1 2 3" of every such event, lines in order of time; frames of the kernel as
 * "k1". */
static void expect_stacks_of(struct etl_log *log, const char *name,
                             const char *wanted)
{
    struct event_options options = {.events = {&name, 1}, .stacks = true};
    struct event_trace *trace = etl_log_end(log);
    struct event_cursor *c = event_cursor_new(trace, &options);
    struct out *out = out_memory();
    const struct event *e;

    while ((e = event_next(c))) {
        for (uint32_t i = 0; i < e->stack_count; i++)
            out_fmt(out, "%s%s%llu", i ? " " : "",
                    event_frame(e, i) < KERNEL(0) ? "" : "k",
                    (unsigned long long)(event_frame(e, i) & 0xFFFF));
        out_char(out, '\n');
    }
    ck_assert_str_eq(out_text(out, NULL), wanted);
    out_close(out, NULL);
    event_cursor_free(c);
    etl_log_close(log, trace);
}

static void expect(struct etl_log *log, const char *wanted)
{
    expect_stacks_of(log, "PerfInfo/Sample", wanted);
}

static struct etl_at sample(struct etl_log *log, int64_t ms, uint32_t tid)
{
    struct etl_at at = etl_log_at(log, 0, ms);

    etl_sampled_profile(log->w, at, 1, tid, 0);
    return at;
}

static void stack(struct etl_log *log, struct etl_at of, int64_t ms,
                  uint32_t tid, const uint64_t *frames, size_t n)
{
    etl_stack(log->w, etl_log_at(log, 0, ms), of.tick, 100, tid, frames, n);
}

static const uint64_t user[] = {1, 2}, kernel[] = {KERNEL(1), KERNEL(2)};

/* An event logged in the stay, and a sample after it: each has a user part,
 * which come when the thread leaves. */
TEST(own_parts_are_better_than_those_of_the_stay)
{
    struct etl_log log;
    struct etl_at event, at;

    begin(&log);
    event = etl_log_at(&log, 0, 1);
    at = sample(&log, 2, 9);
    stack(&log, at, 3, 9, kernel, 2);
    stack(&log, event, 4, 9, user + 1, 1);
    stack(&log, at, 5, 9, user, 2);
    expect(&log, "k1 k2 1 2\n");
}

/* Of a CPU sample in the kernel without a kernel part: its address. */
TEST(sampled_addresses_stand_in)
{
    struct etl_log log;
    struct etl_at first, second;

    begin(&log);
    first = etl_log_at(&log, 0, 1);
    etl_sampled_profile(log.w, first, KERNEL(7), 9, 0);
    stack(&log, first, 2, 9, user, 2);
    second = etl_log_at(&log, 0, 3);
    etl_sampled_profile(log.w, second, KERNEL(7), 9, 0);
    stack(&log, second, 4, 9, kernel, 1);
    stack(&log, second, 5, 9, user, 1);
    expect(&log, "k7 1 2\nk1 1\n");
}

TEST(threads_have_stacks_of_their_own)
{
    struct etl_log log;
    struct etl_at first, second;

    begin(&log);
    first = sample(&log, 1, 9);
    second = sample(&log, 2, 8);
    stack(&log, first, 3, 9, kernel, 1);
    stack(&log, second, 4, 8, user, 2);
    stack(&log, first, 5, 9, user, 1);
    expect(&log, "k1 1\n1 2\n");
}

/* A user part of a later stay says nothing of an earlier one. */
TEST(a_later_stay_is_another)
{
    struct etl_log log;
    struct etl_at first, second;

    begin(&log);
    first = sample(&log, 1, 9);
    second = sample(&log, 3, 9);
    stack(&log, second, 4, 9, user, 2);
    stack(&log, first, 5, 9, kernel, 2);
    stack(&log, second, 6, 9, user, 1);
    expect(&log, "k1 k2\n1 2\n");
}

/* A key that is defined for the other part only, too early, or not at all. */
TEST(keys_that_stand_for_nothing)
{
    struct etl_log log;
    struct etl_at first;

    begin(&log);
    etl_key_definition(log.w, etl_log_at(&log, 0, 0), ETL_KEY_DELETE, 58, user,
                       2);
    for (unsigned key = 55; key <= 58; key++) {
        first = sample(&log, 1 + 2 * (key - 55), 9);
        etl_stack_key(log.w, etl_log_at(&log, 0, 2 + 2 * (key - 55)),
                      first.tick, 100, 9, key, key != 56);
    }
    etl_key_definition(log.w, etl_log_at(&log, 0, 20), ETL_KEY_RUNDOWN, 55,
                       kernel, 1);
    etl_key_definition(log.w, etl_log_at(&log, 0, 20), ETL_KEY_RUNDOWN, 56,
                       user, 1);
    expect(&log, "\n\n\n\n");
}

static struct etl_at runtime_event(struct etl_log *log, int64_t ms,
                                   uint32_t tid, uint16_t id)
{
    static const struct etl_guid runtime = {
        0xe13c0d23,
        0xccbc,
        0x4e12,
        {0x93, 0x1b, 0xd9, 0xcc, 0x2e, 0xee, 0x27, 0xe4}};
    struct etl_at at = etl_log_at(log, 0, ms);

    at.tid = tid;
    etl_begin_event(log->w, at,
                    &(struct etl_descriptor){.provider = runtime, .id = id});
    if (id != 82)
        etl_end(log->w);
    return at;
}

/* `told` may be more than the frames that are there. */
static void runtime_stack(struct etl_log *log, int64_t ms, uint32_t tid,
                          uint32_t told, size_t n)
{
    runtime_event(log, ms, tid, 82);
    etl_put_u32(log->w, 0);
    etl_put_u32(log->w, told);
    for (size_t i = 1; i <= n; i++)
        etl_put_u64(log->w, 0x100 * tid + i);
    etl_end(log->w);
}

/* A stack that the runtime wrote is of the thread's event before it, if the
 * kernel wrote none. */
TEST(the_runtime_walks_itself)
{
    struct etl_log log;
    struct etl_at walked;

    begin(&log);
    runtime_stack(&log, 1, 1, 1, 1); /* of no event */
    runtime_event(&log, 2, 1, 81);
    runtime_event(&log, 3, 2, 81);
    runtime_stack(&log, 4, 1, 2, 2);
    runtime_stack(&log, 5, 2, 9, 1);
    runtime_event(&log, 6, 1, 81); /* without one */
    runtime_event(&log, 7, 1, 91);
    runtime_stack(&log, 8, 1, 1, 1);
    runtime_stack(&log, 9, 1, 1, 1);
    walked = runtime_event(&log, 10, 1, 81);
    stack(&log, walked, 11, 1, user, 2);
    runtime_stack(&log, 12, 1, 1, 1);
    expect_stacks_of(&log, "Contention/Start", "257 258\n513\n\n1 2\n");
}

/* Records that end before their frames, and one with a frame more. */
TEST(records_may_be_short)
{
    static const struct {
        unsigned hook;
        size_t size; /* bytes of frames, of a key or of key and frames */
        const char *stack;
    } cases[] = {
        {0x1820, 0, "\n"},  {0x1820, 7, "\n"},  {0x1820, 8, "1\n"},
        {0x1820, 15, "1\n"}, {0x1820, 16, "1 1\n"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct etl_log log;
        struct etl_at first;

        begin(&log);
        first = sample(&log, 1, 9);
        etl_begin_perfinfo(log.w, etl_log_at(&log, 0, 2), cases[i].hook, 2);
        etl_pack(log.w, "QII", first.tick, 100, 9);
        for (size_t k = 0; k < cases[i].size; k++)
            etl_put_u8(log.w, k % 8 == 0);
        etl_end(log.w);
        expect(&log, cases[i].stack);
    }
    for (unsigned hook = 0x1820; hook < 0x1827; hook++) {
        struct etl_log log;

        begin(&log);
        sample(&log, 1, 9);
        etl_begin_perfinfo(log.w, etl_log_at(&log, 0, 2), hook, 2);
        etl_pack(log.w, "IH", 1, 1);
        etl_end(log.w);
        expect(&log, "\n");
    }
}

/* Thread 0 is one on every CPU. */
TEST(idle_threads_are_told_apart_by_cpu)
{
    struct etl_log log;
    struct etl_at first, second;

    begin(&log);
    first = etl_log_at(&log, 0, 1);
    second = etl_log_at(&log, 1, 1);
    etl_sampled_profile(log.w, first, 1, 0, 0);
    etl_sampled_profile(log.w, second, 1, 0, 0);
    etl_stack(log.w, etl_log_at(&log, 0, 2), first.tick, 0, 0, kernel, 1);
    etl_stack(log.w, etl_log_at(&log, 1, 2), second.tick, 0, 0, kernel, 2);
    expect(&log, "k1\nk1 k2\n");
}

/* ---- filters ---- */

static size_t passed(struct event_trace *trace,
                     const struct event_options *options)
{
    struct event_cursor *c = event_cursor_new(trace, options);
    size_t n = 0;

    while (event_next(c))
        n++;
    ck_assert_uint_eq(event_cursor_effort(c).events_passed, n);
    event_cursor_free(c);
    return n;
}

#define NAMES(...)                                                             \
    {                                                                          \
        (const char *[]){__VA_ARGS__},                                         \
            sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)             \
    }
#define NUMBERS(n)                                                             \
    {                                                                          \
        (const uint32_t[]){n}, 1                                               \
    }

/* Of events at 1 to 4 ms, of level and keyword 1 to 4, ids 11 to 14. */
TEST(filters_let_through)
{
    static const struct etl_guid provider = {
        0x11111111, 0x2222, 0x3333, {1, 2, 3, 4, 5, 6, 7, 8}};
    static const char guid[] = "11111111-2222-3333-0102-030405060708";
    const struct {
        struct event_options options;
        size_t passed;
    } cases[] = {
        {{.providers = NAMES(guid)}, 4},
        {{.providers = NAMES("{11111111-2222-3333-0102-030405060708}")}, 4},
        {{.providers = NAMES("none", "11111111*")}, 4},
        {{.providers = NAMES("none")}, 0},
        {{.providers = NAMES(guid), .events = NAMES("12", "EventID(13)")}, 2},
        {{.providers = NAMES(guid), .events = NAMES("eventid(1?)")}, 4},
        {{.providers = NAMES(guid), .level = 2}, 2},
        {{.providers = NAMES(guid), .level = 1}, 1},
        {{.providers = NAMES(guid), .keywords = 1}, 2},
        {{.providers = NAMES(guid), .keywords = 6}, 3},
        {{.providers = NAMES(guid), .keywords = 8}, 0},
        {{.providers = NAMES(guid), .pids = NUMBERS(102)}, 1},
        {{.providers = NAMES(guid), .tids = NUMBERS(203)}, 1},
        {{.providers = NAMES(guid), .tids = NUMBERS(999)}, 0},
        {{.providers = NAMES(guid), .timed = true, .from = 2000000,
          .to = 4000000}, 2},
        {{.providers = NAMES(guid), .timed = true, .from = 2000001,
          .to = 4000001}, 2},
        {{.providers = NAMES(guid), .unordered = true}, 4},
    };
    struct event_trace *trace;
    struct etl_log log;

    begin(&log);
    for (uint32_t i = 1; i <= 4; i++) {
        struct etl_at at = etl_log_at(&log, i % 2, i);

        at.pid = 100 + i;
        at.tid = 200 + i;
        etl_begin_event(log.w, at,
                        &(struct etl_descriptor){.provider = provider,
                                                 .id = (uint16_t)(10 + i),
                                                 .level = (uint8_t)i,
                                                 .keyword = i});
        etl_end(log.w);
    }
    trace = etl_log_end(&log);
    for (size_t i = 0; i < COUNT(cases); i++)
        ck_assert_msg(passed(trace, &cases[i].options) == cases[i].passed,
                      "row %zu: %zu", i, passed(trace, &cases[i].options));
    etl_log_close(&log, trace);
}
