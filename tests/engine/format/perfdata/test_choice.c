/* Which events a recording has, which of them are the samples, and what these
 * are called. */
#include "tests/support/perfdata_read.h"
#include "tests/support/suite.h"

enum { HARDWARE, SOFTWARE, RAW = 4 };

static struct perfdata_writer w;

static void sample(unsigned event, uint64_t time)
{
    perfdata_sample(&w, &(struct perfdata_sample){.event = event,
                                                  .time = time,
                                                  .ip = 0x401000,
                                                  .period = 1,
                                                  .pid = 40,
                                                  .tid = 40,
                                                  .mode = 2});
}

/* ---- names of numbers ---- */

static const struct {
    uint32_t type;
    uint64_t config;
    const char *name, *metric;
} numbers[] = {
    {HARDWARE, 0, "cycles", "cpu-samples"},
    {HARDWARE, 1, "instructions", "instructions"},
    {HARDWARE, 2, "cache-references", "cache-references"},
    {HARDWARE, 3, "cache-misses", "cache-misses"},
    {HARDWARE, 4, "branches", "branches"},
    {HARDWARE, 5, "branch-misses", "branch-misses"},
    {HARDWARE, 6, "bus-cycles", "bus-cycles"},
    {HARDWARE, 7, "stalled-cycles-frontend", "stalled-cycles-frontend"},
    {HARDWARE, 8, "stalled-cycles-backend", "stalled-cycles-backend"},
    {HARDWARE, 9, "ref-cycles", "cpu-samples"},
    {HARDWARE, 10, "type 0 event 0xa", "type 0 event 0xa"},
    {HARDWARE, 13, "type 0 event 0xd", "type 0 event 0xd"},
    {HARDWARE, UINT64_C(4) << 32, "cycles", "cpu-samples"},
    {SOFTWARE, 0, "cpu-clock", "cpu-samples"},
    {SOFTWARE, 1, "task-clock", "cpu-samples"},
    {SOFTWARE, 2, "page-faults", "page-faults"},
    {SOFTWARE, 3, "context-switches", "context-switches"},
    {SOFTWARE, 4, "cpu-migrations", "cpu-migrations"},
    {SOFTWARE, 5, "minor-faults", "minor-faults"},
    {SOFTWARE, 6, "major-faults", "major-faults"},
    {SOFTWARE, 7, "alignment-faults", "alignment-faults"},
    {SOFTWARE, 8, "emulation-faults", "emulation-faults"},
    {SOFTWARE, 10, "bpf-output", "bpf-output"},
    {SOFTWARE, 11, "cgroup-switches", "cgroup-switches"},
    {SOFTWARE, 12, "type 1 event 0xc", "type 1 event 0xc"},
    {RAW, 0x1C2, "type 4 event 0x1c2", "type 4 event 0x1c2"},
};

/* A killed recorder wrote no names. */
TEST_LOOP(events_by_number, COUNT(numbers))
{
    struct profile *p;

    perfdata_begin(&w, PERFDATA_KILLED);
    perfdata_event(&w, numbers[_i].type, numbers[_i].config, 1000, "not said");
    sample(0, 10);
    p = read_written(&w);
    ck_assert_str_eq(
        strings_get(p->strings, p->trace.event_counts.data[0].name),
        numbers[_i].name);
    ck_assert_str_eq(profile_metric_word(p), numbers[_i].metric);
    profile_free(p);
}

/* ---- names that were given ---- */

static const struct {
    const char *name, *metric;
} names[] = {
    {"cycles", "cpu-samples"},
    {"cycles:u", "cpu-samples"},
    {"cycles:ppp", "cpu-samples"},
    {"cycles:pppp", "cycles:pppp"},
    {"cpu/cycles/", "cpu-samples"},
    {"cpu_atom/cycles/P", "cpu-samples"},
    {"cpu-cycles", "cpu-samples"},
    {"cpu_cycles:k", "cpu-samples"},
    {"armv8/CPU_CYCLES/", "cpu-samples"},
    {"cycles2", "cycles2"},
    {"page-faults:u", "page-faults"},
    {"faults", "page-faults"},
    {"cs:u", "context-switches"},
    {"sched:sched_switch", "context-switches"},
    {"sched:sched_wakeup", "sched:sched_wakeup"},
};

TEST_LOOP(events_by_name, COUNT(names))
{
    struct profile *p;

    perfdata_begin(&w, 0);
    perfdata_event(&w, RAW, 7, 1000, names[_i].name);
    sample(0, 10);
    p = read_written(&w);
    ck_assert_str_eq(profile_metric_word(p), names[_i].metric);
    profile_free(p);
}

/* ---- which are the samples ---- */

struct event {
    uint32_t type;
    uint64_t config, period;
    const char *name;
};

/* `kept`: a bit for each event whose samples are taken. */
static const struct {
    struct event events[3];
    const char *wanted;
    unsigned kept;
} choices[] = {
    /* The first of CPU time, else the first that samples. */
    {{{HARDWARE, 1, 9, "instructions"}, {HARDWARE, 0, 9, "cycles"}}, NULL, 2},
    {{{HARDWARE, 1, 9, "instructions"}, {SOFTWARE, 2, 9, "faults"}}, NULL, 1},
    {{{HARDWARE, 1, 0, "instructions"}, {SOFTWARE, 2, 9, "faults"}}, NULL, 2},
    {{{SOFTWARE, 9, 9, "dummy:u"}, {SOFTWARE, 2, 9, "faults"}}, NULL, 2},
    {{{HARDWARE, 9, 9, "ref-cycles"}, {SOFTWARE, 2, 9, "faults"}}, NULL, 1},
    {{{HARDWARE, 0, 0, "cycles"}, {SOFTWARE, 1, 9, "task-clock"}}, NULL, 2},
    {{{SOFTWARE, 0, 9, "cpu-clock"}, {SOFTWARE, 1, 9, "task-clock"}}, NULL, 1},
    /* Two kinds of cores. */
    {{{HARDWARE, 0x400000000, 9, "cpu_core/cycles/"},
      {HARDWARE, 0x800000000, 9, "cpu_atom/cycles/"}},
     NULL,
     3},
    {{{HARDWARE, 0, 9, "cycles"}, {HARDWARE, 0, 9, "cycles"}}, NULL, 1},
    {{{HARDWARE, 0x400000000, 9, "cpu_core/cycles/"},
      {HARDWARE, 0x400000000, 9, "cpu_core/cycles/"}},
     NULL,
     1},
    {{{HARDWARE, 0x400000000, 9, "cpu_core/cycles/"},
      {RAW, 0x800000000, 9, "cpu_atom/cycles/"}},
     NULL,
     1},
    {{{HARDWARE, 0x400000001, 9, "cpu_core/instructions/"},
      {HARDWARE, 0x800000002, 9, "cpu_atom/cache-references/"}},
     NULL,
     1},
    /* By name, or by another name of the same. */
    {{{HARDWARE, 0, 9, "cycles"}, {HARDWARE, 1, 9, "instructions"}},
     "instructions",
     2},
    {{{HARDWARE, 0, 9, "cycles"}, {SOFTWARE, 1, 9, "task-clock"}}, "cpu", 3},
    {{{SOFTWARE, 2, 9, "faults"}, {SOFTWARE, 3, 9, "cs"}}, "page-fault", 1},
    {{{SOFTWARE, 2, 9, "faults"}, {SOFTWARE, 3, 9, "cs"}}, "cswitch", 2},
};

TEST_LOOP(events_that_are_samples, COUNT(choices))
{
    struct profile *p;
    unsigned kept = 0;

    perfdata_begin(&w, 0);
    for (unsigned i = 0; i < 3 && choices[_i].events[i].name; i++) {
        const struct event *e = &choices[_i].events[i];

        perfdata_event(&w, e->type, e->config, e->period, e->name);
        sample(i, 10 + i);
    }
    perfdata_end(&w);
    p = read_event(&w, choices[_i].wanted);
    for (size_t i = 0; i < p->samples.len; i++)
        kept |= 1u << p->samples.time[i];
    ck_assert_uint_eq(kept, choices[_i].kept);
    ck_assert_uint_eq(p->trace.events, w.event_count);
    profile_free(p);
    perfdata_free(&w);
}

/* ---- chosen when samples are counted ---- */

static uint64_t count_of(const struct profile *p, const char *event)
{
    for (size_t i = 0; i < p->trace.event_counts.len; i++)
        if (!strcmp(strings_get(p->strings, p->trace.event_counts.data[i].name),
                    event))
            return p->trace.event_counts.data[i].count;
    return 0;
}

/* An event with samples is never hidden by one without. */
TEST_LOOP(events_without_samples, FORMS - 1)
{
    static const char said[] =
        "a.data: cycles took no samples; these are the samples of "
        "instructions; --event shows those of faults";
    struct profile *p;

    perfdata_begin(&w, form(_i));
    perfdata_event(&w, HARDWARE, 0, 9, "cycles");
    perfdata_event(&w, SOFTWARE, 9, 9, "dummy:u");
    perfdata_event(&w, HARDWARE, 1, 9, "instructions");
    perfdata_event(&w, SOFTWARE, 2, 9, "faults");
    sample(1, 1);
    sample(3, 2);
    sample(2, 3);
    sample(2, 4);
    perfdata_lost(&w, 5, 7);
    p = read_written(&w);
    ck_assert_uint_eq(p->samples.len, 2);
    ck_assert_int_eq(p->samples.time[0], 2);
    ck_assert_str_eq(profile_metric_word(p), "instructions");
    ck_assert_uint_eq(count_of(p, "instructions"), 2);
    ck_assert_uint_eq(count_of(p, "LOST"), 1);
    ck_assert_uint_eq(p->quality.lost_events, 7);
    ck_assert_uint_eq(p->quality.malformed, 0);
    ck_assert_str_eq(strings_get(p->strings, p->quality.warnings.data[0]),
                     said);
    profile_free(p);
}

/* Of two events of CPU time the one that has samples. */
TEST(cpu_time_comes_first)
{
    struct profile *p;

    perfdata_begin(&w, 0);
    perfdata_event(&w, HARDWARE, 0, 9, "cycles");
    perfdata_event(&w, HARDWARE, 1, 9, "instructions");
    perfdata_event(&w, SOFTWARE, 0, 9, "cpu-clock");
    sample(1, 1);
    sample(2, 2);
    p = read_written(&w);
    ck_assert_uint_eq(p->samples.len, 1);
    ck_assert_str_eq(profile_metric_word(p), "cpu-samples");
    profile_free(p);
}

/* Each is asked for by a name of its own. */
TEST_LOOP(events_of_one_name, FORMS - 1)
{
    static const struct {
        const char *wanted;
        size_t samples;
    } rows[] = {
        {NULL, 1},         {"cycles", 1},     {"cycles:u", 1},
        {"cycles:u#2", 2}, {"cycles:u#3", 3},
    };
    struct profile *p;

    perfdata_begin(&w, form(_i));
    for (unsigned i = 0; i < 3; i++)
        perfdata_event(&w, HARDWARE, 0, 9, "cycles:u");
    for (unsigned i = 0; i < 6; i++)
        sample(i < 1 ? 0 : i < 3 ? 1 : 2, 1 + i);
    perfdata_end(&w);
    for (size_t i = 0; i < COUNT(rows); i++) {
        p = read_event(&w, rows[i].wanted);
        ck_assert_uint_eq(p->samples.len, rows[i].samples);
        ck_assert_str_eq(profile_metric_word(p), "cpu-samples");
        ck_assert_uint_eq(count_of(p, "cycles:u#3"), 3);
        profile_free(p);
    }
    perfdata_free(&w);
}

/* ---- how often ---- */

static const struct {
    uint32_t type;
    uint64_t config, period;
    bool frequency;
    int64_t interval;
} rates[] = {
    {SOFTWARE, 0, 250000, false, 250000},
    {SOFTWARE, 1, 250000, false, 250000},
    {SOFTWARE, 0, 100, false, 10000}, /* the least that the kernel waits */
    {SOFTWARE, 1, 500000, true, 10000},
    {HARDWARE, 0, 500000, true, 2000},
    {HARDWARE, 0, 250000, false, 0}, /* counts, which are no time */
    {HARDWARE, 0, 4000, true, 250000},
    {SOFTWARE, 2, 4000, true, 0},
    {SOFTWARE, 2, 1, false, 0},
    {SOFTWARE, 0, 0, false, 0},
    {SOFTWARE, 0, INT64_MAX, false, INT64_MAX},
    {SOFTWARE, 0, UINT64_C(1) << 63, false, 0},
};

TEST_LOOP(time_between_samples, COUNT(rates))
{
    enum { HEADER = 104, FLAGS = 8 + 40 };
    struct profile *p;

    perfdata_begin(&w, PERFDATA_KILLED);
    perfdata_event(&w, rates[_i].type, rates[_i].config, rates[_i].period, "");
    sample(0, 10);
    perfdata_end(&w);
    if (rates[_i].frequency)
        w.file.data[HEADER + FLAGS + 1] |= 1 << 2;
    p = read_event(&w, NULL);
    ck_assert_int_eq(p->trace.interval_ns, rates[_i].interval);
    profile_free(p);
    perfdata_free(&w);
}

/* What is not there is refused. */
TEST(no_such_event)
{
    struct err err = {0};

    perfdata_begin(&w, 0);
    perfdata_event(&w, SOFTWARE, 2, 9, "faults");
    sample(0, 10);
    perfdata_end(&w);
    ck_assert_ptr_null(try_read(w.file.data, w.file.len, "cpu", &err));
    ck_assert_str_eq(err.message, "a.data: has no events \"cpu\"; topfn info "
                                  "lists those it has");
    perfdata_free(&w);
}

TEST(several_recordings)
{
    struct entry entries[2] = {{.name = "a.data"}, {.name = "b.data"}};
    struct read_options options = {.threads = 1};
    struct profile *p = profile_new();
    struct err err = {0};

    ck_assert_int_eq(
        recording_read(&perfdata_format, entries, 2, &options, p, &err),
        ERR_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(err.message, "b.data: several perf.data"));
    profile_free(p);
}
