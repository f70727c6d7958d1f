/* Tables of one event: which events are of its name, which columns their
 * fields become, and what stands in these. */
#include "engine/base/text.h"
#include "engine/input/trace_events.h"
#include "engine/sql/query.h"
#include "tests/support/etl_events.h"
#include "tests/support/etl_log.h"
#include "tests/support/event_info.h"
#include "tests/support/sql_rows.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

/* Types of fields as Windows numbers them. */
enum { TEXT = 1, INT32 = 7, UINT32 = 8, DOUBLE = 12, BOOL = 13, POINTER = 16 };

struct field {
    const char *name;
    unsigned type;
};

/* Of one provider and id. */
struct schema {
    const char *guid, *provider, *task;
    unsigned id, opcode;
    struct field fields[8];
};

#define FIRST "11111111-2222-3333-0102-030405060708"
#define SECOND "22222222-2222-3333-0102-030405060708"

static const struct schema schemas[] = {
    {FIRST, "My", "Job", 7, 1,
     {{"time", UINT32}, {"provider", UINT32}, {"flag", BOOL}, {"low", INT32},
      {"Same", UINT32}, {"same", UINT32}, {"at", POINTER}}},
    {FIRST, "My", "Job", 8, 1,
     {{"low", TEXT}, {"SAME", DOUBLE}, {"flag", TEXT}, {"own", UINT32}}},
    {SECOND, "Job", "Start", 9, 0, {{"n", UINT32}}},
    {SECOND, "Other", "Stop", 10, 0, {{"n", UINT32}}},
};

static void put_schema(struct etl_log *log, struct etl_at at,
                       const struct schema *s)
{
    struct etl_guid metadata;
    struct event_info info;
    unsigned count = 0;
    uint8_t guid[16];

    while (s->fields[count].name)
        count++;
    guid_parse(guid, s->guid);
    event_info_begin(&info, guid, count);
    event_info_set(&info, INFO_ID, s->id | 1 << 16);
    event_info_set(&info, INFO_OPCODES, s->opcode << 8);
    event_info_set_text(&info, INFO_PROVIDER, s->provider);
    event_info_set_text(&info, INFO_TASK, s->task);
    if (s->opcode)
        event_info_set_text(&info, INFO_OPCODE, "Start");
    for (unsigned i = 0; i < count; i++)
        event_info_property(&info, i, 0, s->fields[i].name, s->fields[i].type,
                            1);
    etl_guid_parse("bbccf6c1-6cd1-48c4-80ff-839482e37671", &metadata);
    etl_begin_full(log->w, at, &metadata, 32, 0);
    etl_put_bytes(log->w, info.bytes, info.size);
    etl_end(log->w);
}

static void begin_event(struct etl_log *log, int64_t ms, const struct schema *s)
{
    struct etl_descriptor d = {.id = (uint16_t)s->id,
                               .version = 1,
                               .opcode = (uint8_t)s->opcode};

    etl_guid_parse(s->guid, &d.provider);
    etl_begin_event(log->w, etl_log_at(log, 0, ms), &d);
}

static void put_first(struct etl_log *log, int64_t ms)
{
    begin_event(log, ms, &schemas[0]);
    etl_pack(log->w, "IIIIIIQ", 11, 12, 1, (uint32_t)-13, 14, 15,
             UINT64_C(0xffffffffffff0000));
    etl_end(log->w);
}

/* The same fields in other types, and one that the first does not have. */
static void put_second(struct etl_log *log, int64_t ms)
{
    begin_event(log, ms, &schemas[1]);
    etl_put_wstr(log->w, "deep");
    etl_put_u64(log->w, UINT64_C(0x3FE0000000000000));
    etl_put_wstr(log->w, "up");
    etl_put_u32(log->w, 16);
    etl_end(log->w);
}

static void put_number(struct etl_log *log, int64_t ms, const struct schema *s,
                       uint32_t n)
{
    begin_event(log, ms, s);
    etl_put_u32(log->w, n);
    etl_end(log->w);
}

static void write_log(char path[TEMP_PATH])
{
    struct event_trace *trace;
    struct etl_log log;

    etl_log_begin(&log, &(struct etl_options){.cpus = 1});
    put_first(&log, 1);
    put_second(&log, 2);
    put_number(&log, 3, &schemas[2], 17);
    put_number(&log, 4, &schemas[3], 18);
    put_first(&log, 5);
    for (size_t i = 0; i < COUNT(schemas); i++)
        put_schema(&log, etl_log_at(&log, 0, 9), &schemas[i]);
    trace = etl_log_end(&log);
    temp_file(path, log.bytes, log.size);
    etl_log_close(&log, trace);
}

static const struct {
    const char *sql, *rows;
} cases[] = {
    /* A field called as one of the columns beside it has a _ behind. */
    {"time_, provider, flag, low, Same FROM \"My/Job/Start\" LIMIT 1",
     "11 12 1 -13 14\n"},
    {"time, event_provider FROM \"My/Job/Start\" LIMIT 1", "0.001 My\n"},
    {"typeof(time_), typeof(flag), typeof(low), typeof(at)"
     " FROM \"My/Job/Start\" LIMIT 1",
     "integer integer integer integer\n"},
    {"at FROM \"My/Job/Start\" LIMIT 1", "-65536\n"},
    /* Of fields that are alike but for their case the first counts. */
    {"same, SAME FROM \"My/Job/Start\" LIMIT 1", "14 14\n"},
    /* What the other has is of its own type, and NULL what it has not. */
    {"low, Same, flag, time_, at FROM \"My/Job/Start\" WHERE id = 8",
     "deep 0.5 up - -\n"},
    {"typeof(low), typeof(Same), typeof(flag) FROM \"My/Job/Start\""
     " WHERE id = 8",
     "text real text\n"},
    {"low FROM \"My/Job/Start\" ORDER BY time", "-13\ndeep\n-13\n"},
    {"flag, own FROM \"My/Job/Start\" ORDER BY time", "1 -\nup 16\n1 -\n"},
    {"low FROM \"my/JOB/start\" ORDER BY time", "-13\ndeep\n-13\n"},
    /* A provider's, where there is one of that name. */
    {"n FROM \"Job/Start\"", "17\n"},
    {"n FROM \"Other/Stop\"", "18\n"},
    {"count(*) FROM \"My/Job\"", "3\n"},
};

/* What no event is called. */
static const char *const missing[] = {
    "\"My/Start\"", "\"Other/Job/Start\"", "\"/Job/Start\"", "\"My/\"",
    "\"Job/Start/\"",
};

TEST(fields_are_columns)
{
    char path[TEMP_PATH], sql[200];
    const char *const paths[] = {path};
    struct query *q;

    write_log(path);
    q = sql_rows_open(&(struct query_source){NULL, NULL, paths, 1,
                                              event_trace_open});
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *rows;

        snprintf(sql, sizeof(sql), "SELECT %s", cases[i].sql);
        rows = sql_rows_well(q, sql);
        ck_assert_msg(!strcmp(rows, cases[i].rows), "%s: %s", sql, rows);
        free(rows);
    }
    for (size_t i = 0; i < COUNT(missing); i++) {
        struct err err = {0};

        snprintf(sql, sizeof(sql), "SELECT * FROM %s", missing[i]);
        ck_assert_msg(!sql_rows(q, sql, &err), "%s", sql);
        ck_assert_msg(strstr(err.message, "no such table"), "%s: %s", sql,
                      err.message);
    }
    query_free(q);
    unlink(path);
}
