/* Whom events of the kernel are about, and who logged them: their headers and
 * their payloads may name different threads, or none. */
#include "engine/events/events.h"
#include "tests/support/etl_events.h"
#include "tests/support/etl_log.h"
#include "tests/support/payloads.h"
#include "tests/support/suite.h"

#define NONE EVENT_UNKNOWN

static void put_hex(struct etl_writer *w, const char *hex)
{
    uint8_t bytes[PAYLOAD_ROOM];

    etl_put_bytes(w, bytes, payload_of_hex(hex, bytes));
}

/* With a header that names thread 0x44 of process 0x64, or no one. */
static void put_record(struct etl_log *log, uint16_t hook, unsigned version,
                       bool named, const char *payload)
{
    struct etl_at at = etl_log_at(log, 0, 5);

    etl_begin_raw(log->w, at, version, named ? 4 : 17, 0xC0, 4);
    etl_pack(log->w, "HH", 0, hook);
    if (named)
        put_hex(log->w, "44000000 64000000");
    etl_put_u64(log->w, at.tick);
    put_hex(log->w, payload);
    etl_end(log->w);
}

#define PROCESS "0000000000000000 07000000"
#define THREAD  "07000000 09000000"
#define IMAGE   "0000000000000000 0000000000000000 07000000"
#define SWITCH  "09000000 08000000"

static const struct {
    uint16_t hook;
    unsigned version;
    bool named;
    const char *payload;
    uint32_t pid, tid, stack_pid, stack_tid;
} cases[] = {
    /* Processes, threads that begin or end and images: of the payload. */
    {0x0301, 3, true, PROCESS, 7, 0x44, 0x64, 0x44},
    {0x0301, 3, false, PROCESS, 7, NONE, 7, NONE},
    {0x0303, 3, true, PROCESS, 7, 0x44, 0x64, 0x44},
    {0x0501, 1, true, THREAD, 7, 9, 0x64, 0x44},
    {0x0501, 1, false, THREAD, 7, 9, 7, 9},
    {0x0501, 0, true, "09000000 07000000", 7, 9, 0x64, 0x44},
    {0x0504, 1, true, THREAD, 7, 9, 0x64, 0x44},
    {0x0548, 2, true, THREAD, 7, 9, 0x64, 0x44},
    {0x1402, 2, true, IMAGE, 7, 0x44, 0x64, 0x44},
    {0x1404, 1, true, IMAGE, 7, 0x44, 0x64, 0x44},
    /* Others: of the header, where it has any. */
    {0x0524, 2, true, SWITCH, 0x64, 0x44, 0x64, 0x44},
    {0x0524, 2, false, SWITCH, NONE, 9, NONE, 9},
    {0x0532, 2, true, "09000000", 0x64, 0x44, 0x64, 0x44},
    /* A payload that ends before it names anybody. */
    {0x0501, 1, true, "07000000 090000", 7, 0x44, 0x64, 0x44},
    {0x0501, 1, true, "070000", 0x64, 0x44, 0x64, 0x44},
    {0x0501, 1, false, "", NONE, NONE, NONE, NONE},
    {0x0301, 3, true, "0000000000000000 070000", 0x64, 0x44, 0x64, 0x44},
    /* Of a kind that is not known. */
    {0x1234, 1, true, THREAD, 0x64, 0x44, 0x64, 0x44},
    {0x1234, 1, false, THREAD, NONE, NONE, NONE, NONE},
};

TEST(headers_and_payloads)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct event_options all = {.stacks = true};
        struct event_trace *trace;
        struct event_cursor *c;
        const struct event *e;
        struct etl_log log;

        etl_log_begin(&log, &(struct etl_options){.cpus = 1});
        put_record(&log, cases[i].hook, cases[i].version, cases[i].named,
                   cases[i].payload);
        trace = etl_log_end(&log);
        c = event_cursor_new(trace, &all);
        do
            e = event_next(c);
        while (e && !strcmp(e->kind->name, "EventTrace"));
        ck_assert_ptr_nonnull(e);
        ck_assert_msg(e->pid == cases[i].pid && e->tid == cases[i].tid,
                      "row %zu: %d %d", i, (int)e->pid, (int)e->tid);
        ck_assert_msg(e->stack_pid == cases[i].stack_pid &&
                          e->stack_tid == cases[i].stack_tid,
                      "row %zu: %d %d", i, (int)e->stack_pid,
                      (int)e->stack_tid);
        event_cursor_free(c);
        etl_log_close(&log, trace);
    }
}

/* Whose a thread is, other events tell: who does not ask is spared it. */
TEST(processes_are_looked_for_where_asked)
{
    static const char *const samples[] = {"PerfInfo/Sample"};
    static const uint32_t seven[] = {7}, eight[] = {8};
    const struct {
        struct event_options options;
        size_t passed;
        uint32_t pid;
    } rows[] = {
        {{.events = {samples, 1}}, 1, 7},
        {{.events = {samples, 1}, .no_subjects = true}, 1, NONE},
        {{.events = {samples, 1}, .no_subjects = true, .pids = {seven, 1}},
         1,
         7},
        {{.events = {samples, 1}, .pids = {seven, 1}}, 1, 7},
        {{.events = {samples, 1}, .pids = {eight, 1}}, 0, 0},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct event_trace *trace;
        struct event_cursor *c;
        const struct event *e;
        struct etl_log log;
        size_t n = 0;

        etl_log_begin(&log, &(struct etl_options){.cpus = 1});
        etl_sampled_profile(log.w, etl_log_at(&log, 0, 1), 0x1000, 9, 0);
        etl_thread(log.w, etl_log_at(&log, 0, 2), ETL_DC_END, 3, 7, 9, NULL);
        trace = etl_log_end(&log);
        c = event_cursor_new(trace, &rows[i].options);
        for (; (e = event_next(c)); n++)
            ck_assert_msg(e->pid == rows[i].pid && e->tid == 9, "row %zu", i);
        ck_assert_uint_eq(n, rows[i].passed);
        event_cursor_free(c);
        etl_log_close(&log, trace);
    }
}
