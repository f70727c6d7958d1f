/* Other events than CPU samples as the samples, with their stacks. */
#include "engine/analysis/filter.h"
#include "engine/input/recording.h"
#include "engine/base/out.h"
#include "engine/model/thread_states.h"
#include "tests/support/etl_events.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

#define U(n) (0x401000u + (n))
#define K(n) (0xFFFFF80000001000u + (n))

enum { PID = 3120, TID = 3124, OTHER = 3128, MS = 1000000 };

static struct etl_writer *writer;
static char path[TEMP_PATH];
static FILE *file;

static struct etl_at at_on(unsigned cpu, unsigned ms, uint32_t tid)
{
    return (struct etl_at){.cpu = cpu,
                           .tick = etl_tick(writer, (int64_t)ms * MS),
                           .pid = PID,
                           .tid = tid};
}

static void stack_on(unsigned cpu, unsigned ms, unsigned of_ms, uint32_t tid,
                     uint64_t a, uint64_t b)
{
    const uint64_t frames[] = {a, b};

    etl_stack(writer, at_on(cpu, ms, tid),
              etl_tick(writer, (int64_t)of_ms * MS), PID, tid, frames, 2);
}

/* Two counters' samples, one with a stack. */
static void write_counters(void)
{
    for (unsigned i = 0; i < 2; i++) {
        etl_begin_perfinfo(writer, at_on(0, 10 + i, 0), 0x0F2F, 2);
        etl_pack(writer, "PIHH", U(1), TID, i ? 10 : 40, 0);
        etl_end(writer);
    }
    stack_on(0, 12, 11, TID, U(1), U(2));
}

static void write_ready_thread(void)
{
    etl_begin_perfinfo(writer, at_on(1, 20, 0), 0x0532, 2);
    etl_pack(writer, "II", OTHER, 0);
    etl_end(writer);
    stack_on(1, 21, 20, TID, K(1), K(2));
}

static const struct etl_descriptor tick = {
    .provider = {0xe13c0d23,
                 0xccbc,
                 0x4e12,
                 {0x93, 0x1b, 0xd9, 0xcc, 0x2e, 0xee, 0x27, 0xe4}},
    .id = 10,
    .version = 2,
};

static void put_tick(uint64_t bytes)
{
    etl_pack(writer, "IIHQ", (uint32_t)bytes, 0, 9, bytes);
    etl_end(writer);
}

static void write_walk(unsigned ms, uint64_t frame)
{
    struct etl_descriptor walk = tick;

    walk.id = 82;
    etl_begin_event(writer, at_on(0, ms, TID), &walk);
    etl_pack(writer, "HHIP", 9, 0, 1, frame);
    etl_end(writer);
}

/* A tick whose stack is in the record, one whose stack is behind it, and one
 * behind which another event's stack is. */
static void write_ticks(void)
{
    const uint64_t item[] = {0, K(3), U(3)};
    struct etl_descriptor other = tick;

    etl_begin_event(writer, at_on(0, 30, TID), &tick);
    etl_put_item(writer, ETL_ITEM_STACK64, item, sizeof(item), false);
    put_tick(1000);
    etl_begin_event(writer, at_on(0, 31, TID), &tick);
    put_tick(UINT64_C(5000000000));
    write_walk(32, U(4));
    etl_begin_event(writer, at_on(0, 33, TID), &tick);
    put_tick(24);
    other.id = 2;
    etl_begin_event(writer, at_on(0, 34, TID), &other);
    etl_put_u32(writer, 0);
    etl_end(writer);
    write_walk(35, U(5));
}

static void begin_log(void)
{
    struct etl_options options = {.cpus = 2};

    temp_file(path, "", 0);
    file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    writer = etl_writer_new(&options, file);
}

static void end_log(void)
{
    ck_assert(etl_writer_finish(writer));
    etl_writer_free(writer);
    fclose(file);
}

static void write_log(void)
{
    begin_log();
    etl_interval(writer, at_on(0, 1, 0), 73, 10000);
    etl_sampled_profile(writer, at_on(0, 2, 0), U(9), TID, 0);
    write_counters();
    write_ticks();
    etl_context_switch(writer, at_on(0, 40, 0), OTHER, TID);
    stack_on(0, 41, 40, OTHER, U(6), U(7));
    etl_context_switch(writer, at_on(0, 42, 0), 0, OTHER);
    write_ready_thread();
    end_log();
}

static struct profile *read_events(const char *event, struct err *err)
{
    struct read_options options = {
        .threads = 1, .event = event, .without_idle = true};
    const char *name = path;

    return recording_take(recording_open(&name, 1, &options, err));
}

/* "weight:tid:address>address ...", the outermost address last. */
static void describe(const struct profile *p, char *text, size_t size)
{
    size_t n = 0;

    text[0] = '\0';
    for (size_t i = 0; i < p->samples.len; i++) {
        const struct thread *t = &p->threads.data[p->samples.thread[i]];
        uint32_t s = p->samples.stack[i];

        n += (size_t)snprintf(text + n, size - n, "%s%llu:%u:", i ? " " : "",
                              (unsigned long long)sample_weight(p, i), t->tid);
        for (; s; s = p->stacks.data[s].parent)
            n += (size_t)snprintf(
                text + n, size - n, "%s%llx", text[n - 1] == ':' ? "" : ">",
                (unsigned long long)(p->locations
                                         .data[p->stacks.data[s].location]
                                         .address &
                                     0xFFFF));
    }
}

static const struct choice_case {
    const char *event, *metric, *samples;
} cases[] = {
    {NULL, "cpu-samples", "1:3124:1009"},
    {"cpu", "cpu-samples", "1:3124:1009"},
    {"PerfInfo/SampleProf", "cpu-samples", "1:3124:1009"},
    {"pmc", "pmc", "1:3124:1001 1:3124:1001>1002"},
    {"pmc:cachemisses", "pmc:CacheMisses", "1:3124:1001>1002"},
    {"pmc:40", "pmc:40", "1:3124:1001"},
    {"cswitch", "context-switches", "1:3128:1006>1007"},
    {"thread/cswitch", "thread/cswitch", "1:3128:1006>1007"},
    {"ready-thread", "ready-thread", "1:3124:1001>1002"},
    {"allocation", "allocated-bytes",
     "1000:3124:1003>1003 5000000000:3124:1004 24:3124:0"},
    {"Microsoft-Windows-DotNETRuntime/10", "Microsoft-Windows-DotNETRuntime/10",
     "1:3124:1003>1003 1:3124:1004 1:3124:0"},
    {"e13c0d23-ccbc-4e12-931b-d9cc2eee27e4/10",
     "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4/10",
     "1:3124:1003>1003 1:3124:1004 1:3124:0"},
};

static void check_case(const struct choice_case *c, int64_t interval)
{
    struct err err = {0};
    struct profile *p = read_events(c->event, &err);
    char samples[500];

    ck_assert_msg(p != NULL, "%s", err.message);
    describe(p, samples, sizeof(samples));
    ck_assert_str_eq(samples, c->samples);
    ck_assert_str_eq(profile_metric_word(p), c->metric);
    ck_assert_int_eq(p->trace.interval_ns, interval);
    profile_free(p);
}

TEST(a_choice_has_its_events_stacks_and_weights)
{
    write_log();
    for (size_t i = 0; i < COUNT(cases); i++)
        check_case(&cases[i], i < 3 ? MS : 0);
    unlink(path);
}

TEST(what_is_not_there_is_refused_with_what_is)
{
    static const char *const names[] = {"nonsense",  "pmc:11",       "pmc:x",
                                        "exception", "Thread/Start", "a/b"};
    struct err err;

    write_log();
    for (size_t i = 0; i < COUNT(names); i++) {
        err = (struct err){0};
        ck_assert_ptr_null(read_events(names[i], &err));
        ck_assert_int_eq(err.code, ERR_NOT_FOUND);
        ck_assert_ptr_nonnull(strstr(
            err.message, "--event accepts cpu, pmc, pmc:CacheMisses, pmc:40, "
                         "cswitch, ready-thread, allocation, or a name"));
    }
    unlink(path);
}

/* ---- the time of threads ---- */

/* TID waits from 20 to 30 ms until OTHER wakes it, and comes in at 35 ms, when
 * the stack of its wait is written. */
static void write_switches(void)
{
    begin_log();
    etl_sampled_profile(writer, at_on(0, 0, 0), U(1), TID, 0);
    etl_sampled_profile(writer, at_on(0, 10, 0), U(1), TID, 0);
    etl_context_switch(writer, at_on(0, 20, 0), OTHER, TID);
    stack_on(0, 21, 20, OTHER, U(6), U(7));
    etl_begin_perfinfo(writer, at_on(0, 30, 0), 0x0532, 2);
    etl_pack(writer, "II", TID, 0);
    etl_end(writer);
    stack_on(0, 31, 30, OTHER, K(1), K(2));
    etl_context_switch(writer, at_on(0, 35, 0), TID, OTHER);
    stack_on(0, 36, 35, TID, K(8), K(9));
    etl_context_switch(writer, at_on(0, 39, 0), 0, TID);
    etl_sampled_profile(writer, at_on(0, 40, 0), K(5), 0, 0);
    end_log();
}

/* Sums by thread and wait, with the leaf address of the first. */
static const char *thread_times(const struct profile *p, struct out *out)
{
    for (unsigned tid = TID; tid <= OTHER; tid += OTHER - TID)
        for (unsigned wait = 1; wait < thread_waits(); wait++) {
            uint64_t sum = 0;
            uint32_t stack = 0;

            for (size_t i = 0; i < p->samples.len; i++) {
                uint32_t thread = p->samples.thread[i];

                if (p->threads.data[thread].tid != tid ||
                    sample_wait(p->samples.flags[i]) != wait)
                    continue;
                if (!sum)
                    stack = p->samples.stack[i];
                sum += sample_weight(p, i);
            }
            if (sum)
                out_fmt(out, "%u %s %llu us at %llx\n", tid,
                        thread_wait_at(wait).name,
                        (unsigned long long)sum / 1000,
                        (unsigned long long)p->locations
                                .data[p->stacks.data[stack].location]
                                .address &
                            0xFFFF);
        }
    return out_text(out, NULL);
}

TEST(switches_and_wakeups_divide_the_time_of_threads)
{
    struct out *out = out_memory();
    struct err err = {0};
    struct profile *p;

    write_switches();
    p = read_events("thread-time", &err);
    ck_assert_msg(p != NULL, "%s", err.message);
    ck_assert_str_eq(thread_times(p, out),
                     "3124 running 20000 us at 1001\n"
                     "3124 running, not sampled 4000 us at 0\n"
                     "3124 ready, woken 5000 us at 1008\n"
                     "3124 blocked, UserRequest 11000 us at 1008\n"
                     "3128 running, not sampled 15000 us at 0\n"
                     "3128 unknown 20000 us at 0\n"
                     "3128 blocked, UserRequest 5000 us at 0\n");
    profile_free(p);
    out_close(out, NULL);
    unlink(path);
}

/* Events of a real log, as the reference library lists them: times in
 * microseconds. */
static const struct listed {
    const char *event;
    int64_t time_us;
    uint32_t weight;
} listed[] = {
    {"hard-fault", 38402, 6660}, {"hard-fault", 38430, 11071},
    {"hard-fault", 44972, 856},  {"allocation", 1552909, 103468},
    {"image-load", 2620997, 1},
};

static void check_listed(const char *trace, const struct listed *l)
{
    struct read_options options = {.event = l->event};
    struct profile *p =
        recording_take(recording_open(&trace, 1, &options, NULL));
    unsigned found = 0;

    ck_assert_ptr_nonnull(p);
    for (size_t i = 0; i < p->samples.len; i++) {
        if ((p->samples.time[i] + 500) / 1000 != l->time_us)
            continue;
        ck_assert_uint_eq(profile_counts_time(p)
                              ? (sample_weight(p, i) + 500) / 1000
                              : sample_weight(p, i),
                          l->weight);
        ck_assert_uint_ne(p->samples.stack[i], 0);
        found++;
    }
    ck_assert_uint_eq(found, 1);
    profile_free(p);
}

TEST(real_events_weigh_what_is_listed)
{
    char trace[1000];

    snprintf(trace, sizeof(trace), "%s/etl/net.4.5.2.x86.etl", traces_folder());
    if (access(trace, R_OK)) {
        suite_skip(1, "chosen events of a real log: TOPFN_TRACES is not there");
        return;
    }
    for (size_t i = 0; i < COUNT(listed); i++)
        check_listed(trace, &listed[i]);
}
