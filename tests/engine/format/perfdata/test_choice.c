/* Which events a recording has, which of them are the samples, and what these
 * are called. */
#include "tests/support/cells.h"
#include "tests/support/perfdata_read.h"
#include "tests/support/suite.h"

enum { HARDWARE, SOFTWARE, RAW = 4 };

#define CELLS_FILE "tests/engine/format/perfdata/choice.cells"

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

/* A killed recorder wrote no names. */
static void check_number(const struct cells *row)
{
    struct profile *p;

    perfdata_begin(&w, PERFDATA_KILLED);
    perfdata_event(&w, (uint32_t)cells_number(row, 0), cells_number(row, 1),
                   1000, "not said");
    sample(0, 10);
    p = read_written(&w);
    cells_expect(row, 2,
                 strings_get(p->strings, p->trace.event_counts.data[0].name));
    cells_expect(row, 3, profile_metric_word(p));
    profile_free(p);
}

TEST(events_by_number)
{
    cells_each(CELLS_FILE, "numbers", check_number);
}

/* ---- names that were given ---- */

static void check_name(const struct cells *row)
{
    struct profile *p;

    perfdata_begin(&w, 0);
    perfdata_event(&w, RAW, 7, 1000, row->cell[0]);
    sample(0, 10);
    p = read_written(&w);
    cells_expect(row, 1, profile_metric_word(p));
    profile_free(p);
}

TEST(events_by_name)
{
    cells_each(CELLS_FILE, "names", check_name);
}

/* ---- which are the samples ---- */

static void check_choice(const struct cells *row)
{
    char *save = NULL, *event = strtok_r(row->cell[0], " ", &save);
    struct profile *p;
    unsigned kept = 0, i = 0;

    perfdata_begin(&w, 0);
    for (; event; event = strtok_r(NULL, " ", &save), i++) {
        uint32_t type = (uint32_t)strtoul(event, &event, 0);
        uint64_t config = strtoull(event + 1, &event, 0);
        uint64_t period = strtoull(event + 1, &event, 0);

        perfdata_event(&w, type, config, period, event + 1);
        sample(i, 10 + i);
    }
    perfdata_end(&w);
    p = read_event(&w, row->len[1] ? row->cell[1] : NULL);
    for (size_t k = 0; k < p->samples.len; k++)
        kept |= 1u << p->samples.time[k];
    cells_expect_number(row, 2, kept);
    ck_assert_uint_eq(p->trace.events, w.event_count);
    profile_free(p);
    perfdata_free(&w);
}

TEST(events_that_are_samples)
{
    cells_each(CELLS_FILE, "choices", check_choice);
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

/* ---- perf record --off-cpu ---- */

static void off_cpu_sample(uint64_t time, uint64_t period,
                           const struct blob *raw)
{
    static const uint64_t chain[] = {PERFDATA_USER, 0x401010, 0x401020};

    perfdata_sample(&w, &(struct perfdata_sample){
                            .event = 1,
                            .time = time,
                            .period = period,
                            .pid = raw ? 0 : 40,
                            .tid = raw ? 0 : 41,
                            .mode = 2,
                            .chain = chain,
                            .chain_count = raw ? 0 : 3,
                            .more = raw,
                        });
}

/* Behind its size, as the newer recorder writes it. */
static struct blob off_cpu_raw(uint64_t period, uint64_t addresses)
{
    struct blob raw = {0};

    perfdata_put(&w, &raw, 44, 4);
    perfdata_put(&w, &raw, 40, 4);
    perfdata_put(&w, &raw, 41, 4);
    perfdata_put(&w, &raw, period, 8);
    perfdata_put(&w, &raw, addresses, 8);
    perfdata_put(&w, &raw, PERFDATA_USER, 8);
    perfdata_put(&w, &raw, 0x401010, 8);
    perfdata_put(&w, &raw, 0, 4);
    return raw;
}

/* Both forms: sums behind all samples, and single waits at their time. */
TEST_LOOP(off_cpu_time, 2)
{
    static const char *const names[] = {"blocked", "offcpu-time"};
    struct blob raw, bad, nothing = {0};
    struct profile *p;

    perfdata_begin(&w, _i ? PERFDATA_BIG : 0);
    w.more_fields = _i ? 1 << 10 : 0;
    perfdata_event(&w, SOFTWARE, 0, 1000000, "cpu-clock");
    perfdata_event(&w, SOFTWARE, 10, 1, "offcpu-time");
    blob_zero(&nothing, 8);
    perfdata_sample(&w, &(struct perfdata_sample){.time = 1000,
                                                  .ip = 0x401000,
                                                  .period = 1000000,
                                                  .pid = 40,
                                                  .tid = 40,
                                                  .mode = 2,
                                                  .more = _i ? &nothing : NULL});
    raw = off_cpu_raw(7000, 2);
    bad = off_cpu_raw(5000, 3);
    if (_i) {
        off_cpu_sample(2000, 1, &raw);
        off_cpu_sample(2000, 1, &bad);
    } else {
        off_cpu_sample(~UINT64_C(0) << 32, 7000, NULL);
    }
    perfdata_end(&w);
    for (size_t i = 0; i < COUNT(names); i++) {
        p = read_event(&w, names[i]);
        ck_assert_str_eq(profile_metric_word(p), "blocked-time");
        ck_assert_uint_eq(p->samples.len, 1);
        ck_assert_uint_eq(p->samples.weight[0], 7000);
        ck_assert_uint_eq(p->threads.data[p->samples.thread[0]].tid, 41);
        ck_assert_uint_ne(p->samples.stack[0], 0);
        ck_assert_int_le(p->trace.duration_ns, 1000);
        ck_assert_uint_eq(p->quality.malformed, (uint64_t)_i);
        profile_free(p);
    }
    free(raw.data);
    free(bad.data);
    free(nothing.data);
    perfdata_free(&w);
}

/* A tracepoint that is sampled leaves switches out. */
TEST(some_of_the_switches)
{
    static const uint64_t periods[] = {1, 5};

    for (size_t i = 0; i < COUNT(periods); i++) {
        struct profile *p;

        perfdata_begin(&w, 0);
        perfdata_event(&w, 2, 7, periods[i], "sched:sched_switch");
        sample(0, 10);
        perfdata_end(&w);
        p = read_event(&w, "cswitch");
        ck_assert_uint_eq(p->quality.warnings.len, i);
        profile_free(p);
        perfdata_free(&w);
    }
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
