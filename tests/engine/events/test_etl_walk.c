/* Buffers of logs of Windows, one after the other: in the order of the file,
 * with a time range, of several files, and with a record that is damaged. */
#include "engine/input/trace_events.h"
#include "engine/model/profile.h"
#include "tests/support/etl_events.h"
#include "tests/support/etl_log.h"
#include "tests/support/events_of_bytes.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

enum { MS = 1000000, SAMPLES = 300, MANY = 1000 };

/* A sample every millisecond, on three CPUs in turns; the first buffers stand
 * at the end of the file. */
static struct event_trace *write_log(struct etl_log *log, bool compressed)
{
    etl_log_begin(log, &(struct etl_options){.cpus = 3,
                                             .buffer_size = 1024,
                                             .late_buffers = 4,
                                             .compressed = compressed});
    for (unsigned i = 0; i < SAMPLES; i++)
        etl_sampled_profile(log->w, etl_log_at(log, i % 3, i), 0x1000 + i, 4,
                            0);
    return etl_log_end(log);
}

struct met {
    uint64_t place, number;
    int64_t time;
    const uint8_t *record;
};

static size_t walk(struct event_trace *trace,
                   const struct event_options *options, struct met *list)
{
    struct event_cursor *c = event_cursor_new(trace, options);
    const struct event *e;
    size_t n = 0;

    for (; (e = event_next(c)); n++) {
        ck_assert_uint_lt(n, MANY);
        list[n] = (struct met){e->place, e->number, e->time, e->record};
    }
    event_cursor_free(c);
    return n;
}

/* Events in a time range have the same numbers as without the range, in either
 * order. */
static void check_numbers(struct event_trace *trace, bool unordered,
                          int64_t from, int64_t to)
{
    static struct met whole[MANY], part[MANY];
    struct event_options o = {.unordered = unordered};
    size_t all = walk(trace, &o, whole), n, k = 0;

    o.timed = true;
    o.numbered = true;
    o.from = from;
    o.to = to;
    n = walk(trace, &o, part);
    for (size_t i = 0; i < all; i++) {
        if (whole[i].time < from || whole[i].time >= to)
            continue;
        ck_assert_uint_lt(k, n);
        ck_assert_uint_eq(part[k].place, whole[i].place);
        ck_assert_uint_eq(part[k].number, i + 1);
        k++;
    }
    ck_assert_uint_eq(k, n);
}

TEST(numbers_in_a_time_range)
{
    for (unsigned i = 0; i < 4; i++) {
        struct etl_log log;
        struct event_trace *trace = write_log(&log, i & 1);
        bool unordered = i & 2;

        check_numbers(trace, unordered, 0, (int64_t)SAMPLES * MS);
        check_numbers(trace, unordered, (int64_t)100 * MS, (int64_t)120 * MS);
        check_numbers(trace, unordered, (int64_t)290 * MS, (int64_t)900 * MS);
        check_numbers(trace, unordered, -MS, MS);
        etl_log_close(&log, trace);
    }
}

/* ---- damage ---- */

/* The rest of its buffer is passed over, and said where that is. */
TEST(a_record_that_does_not_fit)
{
    static struct met list[MANY], left[MANY];
    const struct event_options all = {.timed = false};
    struct etl_log log;
    struct event_trace *trace = write_log(&log, false), *damaged;
    size_t n = walk(trace, &all, list), lost = 0, kept;
    uint64_t buffer = list[n / 2].place >> 32;
    const uint8_t *record = list[n / 2].record, *end = record;
    const struct quality *q;
    struct err err = {0};

    for (size_t i = 0; i < n; i++)
        if (list[i].place >> 32 == buffer && list[i].record >= record) {
            lost++;
            if (list[i].record >= end)
                end =
                    list[i].record + ((load_u16(list[i].record + 4) + 7) & ~7);
        }
    ck_assert_uint_gt(lost, 1);
    log.bytes[record - (const uint8_t *)log.bytes + 5] = 0x7F;
    damaged = events_of_bytes("log.etl", log.bytes, log.size, &err);
    ck_assert_msg(damaged != NULL, "%s", err.message);
    kept = walk(damaged, &all, left);
    ck_assert_uint_eq(kept, n - lost);
    q = &event_trace_notes(damaged)->quality;
    ck_assert_uint_eq(q->skipped_ranges, 1);
    ck_assert_uint_eq(q->skipped.data[0].offset,
                      (uint64_t)(record - (const uint8_t *)log.bytes));
    ck_assert_uint_eq(q->skipped.data[0].size, (uint64_t)(end - record));
    ck_assert_uint_eq(q->skipped_bytes, (uint64_t)(end - record));
    event_trace_close(damaged);
    etl_log_close(&log, trace);
}

/* ---- several files ---- */

TEST(files_one_after_the_other)
{
    const struct event_options unordered = {.unordered = true};
    char paths[2][TEMP_PATH];
    const char *const list[] = {paths[0], paths[1]};
    static struct met met[2 * MANY];
    struct event_trace *trace;
    struct event_cursor *c;
    const struct event *e;
    struct err err = {0};
    size_t n = 0, one = 0;
    unsigned file = 0;

    for (unsigned i = 0; i < 2; i++) {
        struct etl_log log;

        trace = write_log(&log, false);
        one = walk(trace, &unordered, met);
        temp_file(paths[i], log.bytes, log.size);
        etl_log_close(&log, trace);
    }
    trace = event_trace_open(list, 2, &err);
    ck_assert_msg(trace != NULL, "%s", err.message);
    c = event_cursor_new(trace, &unordered);
    for (; (e = event_next(c)); n++) {
        ck_assert_uint_ge(e->file, file);
        file = e->file;
        ck_assert_uint_eq(file, n >= one);
    }
    ck_assert_uint_eq(n, 2 * one);
    event_cursor_free(c);
    event_trace_close(trace);
    unlink(paths[0]);
    unlink(paths[1]);
}
