/* Every column of an event, against a log whose records are made by hand. */
#include "engine/base/text.h"
#include "engine/input/trace_events.h"
#include "engine/sql/query.h"
#include "tests/support/etl_events.h"
#include "tests/support/etl_log.h"
#include "tests/support/event_info.h"
#include "tests/support/sql_rows.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

static const struct etl_guid provider = {
    0x11111111, 0x2222, 0x3333, {1, 2, 3, 4, 5, 6, 7, 8}};

#define GUID_TEXT "11111111-2222-3333-0102-030405060708"

/* An INSTANCE record of a class that nobody knows. */
static void put_instance(struct etl_log *log, struct etl_at at)
{
    etl_begin_raw(log->w, at, 0, 21, 0xC0, 0);
    etl_put_u8(log->w, 5); /* opcode, level, version */
    etl_pack(log->w, "BHIIQ", 3, 2, 68, 100, at.tick);
    etl_put_guid(log->w, &provider);
    etl_put_u32(log->w, 9); /* kernel and user time */
    etl_put_u32(log->w, 8);
    etl_put_u32(log->w, 12); /* instance, parent */
    etl_put_u32(log->w, 13);
    etl_put_guid(log->w, &provider);
    etl_put_u16(log->w, 0xBBAA);
    etl_end(log->w);
}

/* f64, u32, i64, text, and a pointer. */
static void put_schema(struct etl_log *log, struct etl_at at)
{
    struct etl_guid metadata;
    struct event_info info;
    uint8_t guid[16];

    guid_parse(guid, GUID_TEXT);
    event_info_begin(&info, guid, 5);
    event_info_set(&info, INFO_ID, 7 | 2 << 16);
    event_info_set_text(&info, INFO_PROVIDER, "My");
    event_info_set_text(&info, INFO_TASK, "Job");
    event_info_set_text(&info, INFO_MESSAGE, "done");
    event_info_property(&info, 0, 0, "d", 12, 1);
    event_info_property(&info, 1, 0, "n", 8, 1);
    event_info_property(&info, 2, 0, "i", 9, 1);
    event_info_property(&info, 3, 0, "t", 1, 1);
    event_info_property(&info, 4, 0, "pid", 16, 1);
    etl_guid_parse("bbccf6c1-6cd1-48c4-80ff-839482e37671", &metadata);
    etl_begin_full(log->w, at, &metadata, 32, 0);
    etl_put_bytes(log->w, info.bytes, info.size);
    etl_end(log->w);
}

static void put_event(struct etl_log *log, struct etl_at at, uint64_t bits,
                      uint32_t n, int64_t i, const char *text)
{
    const struct etl_descriptor d = {.provider = provider, .id = 7,
                                     .version = 2, .level = 4, .opcode = 1,
                                     .task = 6,
                                     .keyword = 0x4000000000000003};

    etl_begin_event(log->w, at, &d);
    etl_pack(log->w, "QIQ", bits, n, (uint64_t)i);
    etl_put_wstr(log->w, text);
    etl_put_u64(log->w, 0x1000);
    etl_end(log->w);
}

enum { HALF = 0x3FE, EXPONENT = 52 };

static void write_log(char path[TEMP_PATH])
{
    struct event_trace *trace;
    struct etl_log log;

    etl_log_begin(&log, &(struct etl_options){.cpus = 2});
    put_instance(&log, etl_log_at(&log, 0, 2));
    put_event(&log, etl_log_at(&log, 1, 5), (uint64_t)HALF << EXPONENT,
              4000000000, -5, "x");
    put_event(&log, etl_log_at(&log, 1, 6), (uint64_t)HALF << EXPONENT, 7, 5,
              "");
    etl_sampled_profile(log.w, etl_log_at(&log, 0, 7), 0x401000, 4, 0);
    put_schema(&log, etl_log_at(&log, 0, 9));
    trace = etl_log_end(&log);
    temp_file(path, log.bytes, log.size);
    etl_log_close(&log, trace);
}

static const struct profile *give_none(void *state, bool event_stacks,
                                       struct err *err)
{
    (void)event_stacks;
    (void)state;
    err_set(err, ERR_UNSUPPORTED, "no profile here");
    return NULL;
}

static const struct {
    const char *columns, *instance, *event;
} columns[] = {
    {"time", "0.002", "0.005"},
    {"cpu", "0", "1"},
    {"pid, ProcessID", "100 100", "100 100"},
    {"tid, ThreadID", "68 68", "104 104"},
    {"provider, ProviderDescription", GUID_TEXT " " GUID_TEXT, "My My"},
    {"event", "Opcode(5)", "Job/Start"},
    {"EventName", "Opcode(5)", "Job"},
    {"EventTypeName", "", "Start"},
    {"id, EventType", "5 5", "7 7"},
    {"version, EventVersion", "2 2", "2 2"},
    {"level, EventTypeLevel", "3 3", "4 4"},
    {"keywords", "0", "4611686018427387907"},
    {"size", "2", "32"},
    {"hex(payload)", "AABB",
     "000000000000E03F00286BEEFBFFFFFFFFFFFFFF780000000010000000000000"},
    {"EventNumber", "3", "4"},
    {"InstanceID, ParentInstanceID", "12 13", "- -"},
    {"ParentGUID", "{" GUID_TEXT "}", "-"},
    {"ProviderGUID", "{9e814aad-3204-11d2-9a82-006008a86939}",
     "{" GUID_TEXT "}"},
    {"EventGUID", "{" GUID_TEXT "}", "-"},
    {"EventDescription", "-", "-"},
    {"EventTypeDescription", "-", "done"},
    {"KernelTime, UserTime", "9 8", "0 0"},
    {"Timestamp", "2024-03-01 00:00:00.0020000",
     "2024-03-01 00:00:00.0050000"},
    {"UserData", "0xaabb (2 bytes)", "0.5|4000000000|-5|x|0x1000"},
    {"user_data", "{\"_rest\":\"0xaabb\"}",
     "{\"d\":0.5,\"n\":4000000000,\"i\":-5,\"t\":\"x\",\"pid\":\"0x1000\"}"},
};

/* What only the rows of one event have: its fields. */
static const struct {
    const char *sql, *rows;
} fields[] = {
    {"SELECT d, n, i, t, pid_ FROM \"My/Job/Start\"",
     "0.5 4000000000 -5 x 4096\n0.5 7 5  4096\n"},
    {"SELECT typeof(d), typeof(n), typeof(i), typeof(t), typeof(pid_)"
     " FROM \"My/Job/Start\" LIMIT 1",
     "real integer integer text integer\n"},
    {"SELECT sum(d), sum(n) FROM \"My/Job/Start\"", "1.0 4000000007\n"},
    {"SELECT n FROM \"My/Job/Start\" WHERE n < 10", "7\n"},
    {"SELECT pid FROM \"My/Job/Start\" LIMIT 1", "100\n"},
    /* Order of time needs no sort. */
    {"SELECT EventNumber FROM events WHERE id = 7 ORDER BY time", "4\n5\n"},
    {"SELECT EventNumber FROM events WHERE id = 7 ORDER BY time DESC",
     "5\n4\n"},
    {"SELECT count(*), count(pid), count(tid) FROM events"
     " WHERE event = 'PerfInfo/Sample'",
     "1 0 1\n"},
    {"SELECT count(*) FROM events WHERE pid = 100", "4\n"},
    {"SELECT count(*) FROM events WHERE pid = 4294967396", "0\n"},
    {"SELECT count(*) FROM events WHERE tid = 68", "1\n"},
    {"SELECT count(DISTINCT rowid), count(*) FROM events"
     " WHERE provider = 'My'",
     "2 2\n"},
};

static void check(struct query *q, const char *sql, const char *wanted)
{
    char *rows = sql_rows_well(q, sql);

    ck_assert_msg(!strcmp(rows, wanted), "%s: %s, not %s", sql, rows, wanted);
    free(rows);
}

TEST(columns_are_what_records_say)
{
    char path[TEMP_PATH], sql[200], wanted[200];
    const char *const paths[] = {path};
    struct query *q;

    write_log(path);
    q = sql_rows_open(&(struct query_source){give_none, NULL, paths, 1,
                                              event_trace_open});
    for (size_t i = 0; i < COUNT(columns); i++) {
        snprintf(sql, sizeof(sql), "SELECT %s FROM events WHERE event = 'Opcode(5)'",
                 columns[i].columns);
        snprintf(wanted, sizeof(wanted), "%s\n", columns[i].instance);
        check(q, sql, wanted);
        snprintf(sql, sizeof(sql),
                 "SELECT %s FROM events WHERE id = 7 AND time < 0.0055",
                 columns[i].columns);
        snprintf(wanted, sizeof(wanted), "%s\n", columns[i].event);
        check(q, sql, wanted);
    }
    snprintf(wanted, sizeof(wanted), "%s\n", path);
    check(q, "SELECT TraceName FROM events WHERE event = 'Opcode(5)'", wanted);
    query_free(q);
    unlink(path);
}

TEST(fields_have_their_types)
{
    char path[TEMP_PATH];
    const char *const paths[] = {path};
    struct query *q;

    write_log(path);
    q = sql_rows_open(&(struct query_source){give_none, NULL, paths, 1,
                                              event_trace_open});
    for (size_t i = 0; i < COUNT(fields); i++)
        check(q, fields[i].sql, fields[i].rows);
    query_free(q);
    unlink(path);
}

/* Sorted by SQLite or by the reader. */
TEST(order_of_time_needs_no_sort)
{
    char path[TEMP_PATH], *plan;
    const char *const paths[] = {path};
    struct query *q;

    write_log(path);
    q = sql_rows_open(&(struct query_source){give_none, NULL, paths, 1,
                                              event_trace_open});
    plan = sql_rows_well(
        q, "EXPLAIN QUERY PLAN SELECT event FROM events ORDER BY time");
    ck_assert_ptr_null(strstr(plan, "TEMP B-TREE"));
    free(plan);
    plan = sql_rows_well(
        q, "EXPLAIN QUERY PLAN SELECT event FROM events ORDER BY time DESC");
    ck_assert_ptr_nonnull(strstr(plan, "TEMP B-TREE"));
    free(plan);
    query_free(q);
    unlink(path);
}
