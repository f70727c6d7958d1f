/* What samples say, in which order they are, and what they weigh. */
#include "engine/model/thread_states.h"
#include "tests/engine/format/nettrace/stream.h"

#define SAMPLER "Microsoft-DotNETCore-SampleProfiler"
#define RUNTIME "Microsoft-Windows-DotNETRuntime"
#define TASKS   "System.Threading.Tasks.TplEventSource"

enum { THREAD = 1, CPU, METHOD, MODULE, MAP, UNLOAD, SWITCH, LOCK, LOCKED };

static struct nettrace_writer *w;
static uint32_t sequence;

static void begin(void)
{
    sequence = 0;
    w = nettrace_writer_new(6, true);
    nettrace_kind(w, THREAD, SAMPLER, 0, "", 0);
    nettrace_kind(w, CPU, "Universal.Events", 1, "cpu", 0);
    nettrace_kind(w, METHOD, RUNTIME, 141, "", 0);
    nettrace_kind(w, MODULE, RUNTIME, 152, "", 0);
    nettrace_kind(w, MAP, RUNTIME, 190, "", 0);
    nettrace_kind(w, UNLOAD, RUNTIME, 153, "", 0);
    nettrace_kind(w, SWITCH, "Universal.Events", 2, "cswitch", 0);
    nettrace_kind(w, LOCK, RUNTIME, 81, "", 0);
    nettrace_kind(w, LOCKED, RUNTIME, 91, "", 0);
    nettrace_thread(w, 1, 100, 101);
    nettrace_thread(w, 2, 100, 102);
}

static void put_event(uint32_t kind, uint64_t thread, uint64_t time,
                      uint32_t processor, const void *payload, size_t size)
{
    sequence++;
    nettrace_event(w, &(struct nettrace_event){.kind = kind,
                                               .sequence = sequence,
                                               .thread = thread,
                                               .capture_thread = 1,
                                               .time = time,
                                               .processor = processor,
                                               .payload = payload,
                                               .size = size});
}

static void put_sample(uint32_t kind, uint64_t time)
{
    put_event(kind, 1, time, 0, "\0\0\0\0", 4);
}

static struct profile *end(const struct read_options *options)
{
    nettrace_end(w);
    return read_stream(w, options);
}

/* ---- ends of stacks ---- */

static enum stack_end end_of_frames(size_t n, bool machine_wide)
{
    uint64_t frames[100] = {0};
    struct profile *p;
    enum stack_end found;

    sequence = 0;
    w = nettrace_writer_new(4, true);
    nettrace_kind(w, THREAD, SAMPLER, 0, "", 0);
    if (machine_wide)
        nettrace_kind(w, CPU, "Universal.System", 1, "", 0);
    nettrace_thread(w, 1, 100, 101);
    for (size_t i = 0; i < n; i++)
        frames[i] = 0x1000 + i;
    nettrace_stack(w, 1, frames, n);
    nettrace_event(w, &(struct nettrace_event){.kind = THREAD,
                                               .sequence = 1,
                                               .thread = 1,
                                               .capture_thread = 1,
                                               .time = 5,
                                               .stack = 1,
                                               .payload = "\0\0\0\0",
                                               .size = 4});
    p = end(NULL);
    ck_assert_uint_eq(p->samples.len, 1);
    found = stack_end_of(p->samples.flags[0]);
    profile_free(p);
    return found;
}

/* The runtime walks to the first managed frame and keeps 100. */
TEST(ends_of_stacks)
{
    ck_assert_int_eq(end_of_frames(0, false), STACK_END_NO_STACK);
    ck_assert_int_eq(end_of_frames(1, false), STACK_END_ROOT);
    ck_assert_int_eq(end_of_frames(99, false), STACK_END_ROOT);
    ck_assert_int_eq(end_of_frames(100, false), STACK_END_DEPTH);
    ck_assert_int_eq(end_of_frames(9, true), STACK_END_UNKNOWN);
}

/* ---- the time of threads ---- */

/* "10-40 blocked; ..." in ns. */
static void assert_times(const char *event, const char *wanted)
{
    struct profile *p = end(&(struct read_options){.event = event});
    const struct samples *s = &p->samples;
    char text[300] = "";

    for (size_t i = 0; i < s->len; i++)
        snprintf(text + strlen(text), sizeof(text) - strlen(text),
                 "%s%lld-%lld %s", i ? "; " : "", (long long)s->time[i],
                 (long long)(s->time[i] + (int64_t)s->weight[i]),
                 thread_wait_at(sample_wait(s->flags[i])).name);
    ck_assert_str_eq(text, wanted);
    profile_free(p);
}

/* A switch says how long the thread is away. The one behind the last is told
 * when it is over, so that what the thread does then is unknown. */
TEST(switches_divide_the_time_of_threads)
{
    begin();
    put_event(SWITCH, 1, 10, 0, "\x1e", 1);
    put_sample(CPU, 45);
    put_event(SWITCH, 1, 50, 0, "\x0a", 1);
    put_sample(CPU, 70);
    put_event(LOCK, 1, 80, 0, "", 0);
    assert_times("thread-time",
                 "0-10 unknown; 10-40 blocked; 40-45 running; 45-50 running; "
                 "50-60 blocked; 60-70 running; 70-80 unknown");
}

TEST(waits_for_locks_are_blocked_time)
{
    begin();
    put_sample(CPU, 5);
    put_event(LOCK, 1, 10, 0, "", 0);
    put_event(LOCK, 1, 12, 0, "", 0);
    put_event(LOCKED, 1, 30, 0, "", 0);
    put_event(LOCK, 1, 40, 0, "", 0);
    put_event(LOCKED, 1, 45, 0, "", 0);
    assert_times("blocked", "10-30 blocked, lock; 40-45 blocked, lock");
}

/* ---- one sample ---- */

static const struct {
    const char *payload;
    size_t size;
    uint16_t flags;
} types[] = {
    {"\1\0\0\0", 4, SAMPLE_EXTERNAL},
    {"\2\0\0\0", 4, SAMPLE_MANAGED},
    {"\0\0\0\0", 4, 0},
    {"\3\0\0\0", 4, 0},
    {"\1\0\0\0", 3, 0},
    {"\1\0\0\0\0", 5, SAMPLE_EXTERNAL},
};

TEST_LOOP(types_of_samples, COUNT(types))
{
    struct profile *p;

    begin();
    put_event(THREAD, 1, 5, 0, types[_i].payload, types[_i].size);
    p = end(NULL);
    ck_assert_uint_eq(p->samples.flags[0],
                      types[_i].flags | stack_end_flags(STACK_END_NO_STACK));
    profile_free(p);
    begin();
    put_event(CPU, 1, 5, 0, types[_i].payload, types[_i].size);
    p = end(NULL);
    ck_assert_uint_eq(p->samples.flags[0], stack_end_flags(STACK_END_NO_STACK));
    profile_free(p);
}

/* ---- order ---- */

/* Stretches of writers, each in order; of one time as they stand. */
static const struct {
    size_t count;
    uint8_t times[12];
} orders[] = {
    {1, {5}},
    {3, {1, 2, 3}},
    {2, {2, 1}},
    {6, {4, 5, 6, 1, 2, 3}},
    {7, {7, 8, 1, 9, 2, 3, 0}},
    {9, {9, 8, 7, 6, 5, 4, 3, 2, 1}},
    {8, {1, 3, 3, 5, 2, 3, 3, 4}},
    {12, {1, 4, 2, 5, 3, 6, 0, 7, 7, 6, 8, 8}},
};

TEST_LOOP(order_of_samples, COUNT(orders))
{
    struct profile *p;

    begin();
    for (uint32_t i = 0; i < orders[_i].count; i++)
        put_event(CPU, 1, orders[_i].times[i], i, "", 0);
    p = end(NULL);
    ck_assert_uint_eq(p->samples.len, orders[_i].count);
    for (size_t i = 1; i < p->samples.len; i++) {
        int64_t before = p->samples.time[i - 1], now = p->samples.time[i];

        ck_assert(before < now ||
                  (before == now && p->samples.cpu[i - 1] < p->samples.cpu[i]));
        ck_assert_int_eq(now, orders[_i].times[p->samples.cpu[i]]);
    }
    profile_free(p);
}

/* ---- which are taken ---- */

TEST(thread_samples_beside_others)
{
    struct read_options both = {.event = "thread"};
    struct profile *p;

    begin();
    put_sample(THREAD, 1);
    put_sample(CPU, 2);
    put_sample(THREAD, 3);
    p = end(NULL);
    ck_assert_uint_eq(p->samples.len, 1);
    ck_assert_int_eq(p->samples.time[0], 2);
    ck_assert_str_eq(profile_metric_word(p), "cpu-samples");
    ck_assert_str_eq(warning(p, 0),
                     "2 thread samples are not counted beside the CPU samples: "
                     "--event thread shows them");
    profile_free(p);
    begin();
    put_sample(THREAD, 1);
    put_sample(CPU, 2);
    p = end(&both);
    ck_assert_uint_eq(p->samples.len, 1);
    ck_assert_int_eq(p->samples.time[0], 1);
    ck_assert_uint_eq(p->quality.warnings.len, 0);
    profile_free(p);
}

/* ---- time as weight ---- */

static const struct {
    const char *provider;
    uint32_t id;
    uint8_t source;
    bool point;
} kinds[] = {
    {SAMPLER, 0, NT_THREAD_SAMPLE, true},
    {SAMPLER, 1, NT_OTHER_EVENT, false},
    {RUNTIME, 10, NT_OTHER_EVENT, true},
    {RUNTIME, 20, NT_OTHER_EVENT, true},
    {RUNTIME, 32, NT_OTHER_EVENT, true},
    {RUNTIME, 33, NT_OTHER_EVENT, false},
    {TASKS, 7, NT_OTHER_EVENT, true},
    {TASKS, 8, NT_OTHER_EVENT, true},
    {TASKS, 9, NT_OTHER_EVENT, false},
    {TASKS, 10, NT_OTHER_EVENT, true},
    {TASKS, 11, NT_OTHER_EVENT, true},
    {TASKS, 12, NT_OTHER_EVENT, true},
    {RUNTIME "Private", 10, NT_OTHER_EVENT, false},
    {RUNTIME "Rundown", 10, NT_OTHER_EVENT, false},
    {RUNTIME "Stress", 10, NT_OTHER_EVENT, false},
    {"System.Diagnostics.Eventing.FrameworkEventSource", 10, NT_OTHER_EVENT,
     false},
    {"Universal.Events", 10, NT_OTHER_EVENT, false},
    {"Universal.Events", 10, NT_CPU_SAMPLE, true},
    {"Shop", 10, NT_OTHER_EVENT, true},
    {"Shop", 0xFFFE, NT_OTHER_EVENT, false},
    {"", 10, NT_OTHER_EVENT, false},
};

TEST_LOOP(points_in_time, COUNT(kinds))
{
    struct strings *strings = strings_new();
    struct nt_recording recording = {.strings = strings};
    struct nt_kind k = {.event_id = kinds[_i].id, .source = kinds[_i].source};

    k.provider =
        strings_add(strings, kinds[_i].provider, strlen(kinds[_i].provider));
    ck_assert(nt_is_point(&recording, &k) == kinds[_i].point);
    strings_free(strings);
}

/* ---- what does not decode ---- */

TEST(events_cut_off)
{
    static const char zeros[36];
    struct profile *p;

    begin();
    put_event(METHOD, 1, 1, 0, zeros, 35);
    put_event(MODULE, 1, 2, 0, zeros, 23);
    put_event(UNLOAD, 1, 3, 0, zeros, 23);
    put_event(MAP, 1, 4, 0, zeros, 8);
    put_sample(CPU, 5);
    p = end(NULL);
    ck_assert_uint_eq(p->quality.malformed, 4);
    profile_free(p);
}
