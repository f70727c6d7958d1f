/* The recordings of a fleet, and the values of their labels. */
#include "engine/fleet/runs.h"

#include "engine/fleet/clickhouse.h"
#include "tests/support/fleet_stand_in.h"
#include "tests/support/suite.h"

/* Each recording once, whoever sent it. */
#define CHOSEN "run GLOBAL IN (SELECT min(run) FROM runs GROUP BY hash)"
#define BY_NUMBERS                                                             \
    " ORDER BY arrayMap(x -> toUInt64OrZero(x), extractAll(name, '[0-9]+')), " \
    "name"

static struct fleet_stand_in *server;
static struct fleet *fleet;

static const struct fleet_question all;

static void begin(void)
{
    static const struct fleet_access nobody;
    struct err err = {0};

    server = fleet_stand_in_start();
    fleet = fleet_open(fleet_stand_in_address(server), &nobody, &err);
    ck_assert_ptr_nonnull(fleet);
}

static void end(void)
{
    fleet_close(fleet);
    fleet_stand_in_stop(server);
}

static void serve(const char *beginning, const uint64_t *numbers, size_t n)
{
    struct out *rows = out_memory();

    for (size_t i = 0; i < n; i++)
        row_u64(rows, numbers[i]);
    fleet_stand_in_reply(server, beginning, rows);
}

#define SERVE(beginning, ...)                                                  \
    serve(beginning, (const uint64_t[]){__VA_ARGS__},                          \
          sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static const char *sql(size_t n)
{
    const struct fleet_told *told = fleet_stand_in_told(server, n);

    return told ? told->sql : "";
}

/* ---- which there are ---- */

static void serve_runs(void)
{
    static const char *const texts[] = {
        "hash", "a.etl",       "web1",           "Linux",
        "etl",  "cpu-samples", "service=orders", "now"};
    struct out *rows = out_memory();

    for (uint64_t run = 21; run < 23; run++) {
        for (size_t i = 0; i < COUNT(texts); i++)
            row_text(rows, texts[i]);
        for (uint64_t i = 1; i < 8; i++)
            row_u64(rows, 10 * run + i);
    }
    fleet_stand_in_reply(server, "SELECT hash", rows);
}

TEST(recordings)
{
    static const struct fleet_question some = {
        .where = "host=web1", .since = 5};
    struct fleet_runs runs = {.all = {0}};
    struct err err = {0};
    const struct fleet_run *r;

    serve_runs();
    ck_assert(!fleet_runs(fleet, &some, &runs, &err));
    ck_assert_uint_eq(runs.all.len, 2);
    r = &runs.all.data[1];
    ck_assert_str_eq(r->hash, "hash");
    ck_assert_str_eq(r->file, "a.etl");
    ck_assert_str_eq(r->host, "web1");
    ck_assert_str_eq(r->os, "Linux");
    ck_assert_str_eq(r->format, "etl");
    ck_assert_str_eq(r->metric, "cpu-samples");
    ck_assert_str_eq(r->labels, "service=orders");
    ck_assert_str_eq(r->time, "now");
    ck_assert_uint_eq(r->duration_ns, 221);
    ck_assert_uint_eq(r->samples, 222);
    ck_assert_uint_eq(r->complete, 223);
    ck_assert_uint_eq(r->unnamed, 224);
    ck_assert_uint_eq(r->lost_events, 225);
    ck_assert_uint_eq(r->lost_buffers, 226);
    ck_assert_uint_eq(r->skipped_bytes, 227);
    fleet_runs_release(&runs);
    ck_assert_str_eq(strstr(sql(0), " WHERE "),
                     " WHERE " CHOSEN " AND toUInt32(time) >= 5 AND "
                     "((host = 'web1')) ORDER BY time, "
                     "hash");
}

TEST(values)
{
    struct fleet_values values = {.all = {0}};
    struct out *rows = out_memory();
    struct err err = {0};

    row_text(rows, "2.9");
    row_text(rows, "2.10");
    fleet_stand_in_reply(server, "SELECT DISTINCT", rows);
    ck_assert(!fleet_values(fleet, &all, "host", &values, &err));
    ck_assert_uint_eq(values.all.len, 2);
    ck_assert_str_eq(values.all.data[1], "2.10");
    ck_assert_str_eq(sql(0), "SELECT DISTINCT host AS name FROM runs WHERE "
                             "name != '' AND " CHOSEN BY_NUMBERS);
    fleet_values_release(&values);
}

TEST(answers_that_are_cut)
{
    static const struct fleet_question wrong = {.where = "host"};
    struct fleet_runs runs = {.all = {0}};
    struct fleet_values values = {.all = {0}};
    struct err err = {0};

    SERVE("SELECT hash", 21);
    fleet_stand_in_reply(server, "SELECT DISTINCT", out_memory());
    ck_assert_int_eq(fleet_runs(fleet, &all, &runs, &err), ERR_CORRUPT);
    ck_assert_uint_eq(runs.all.len, 0);
    ck_assert(!fleet_values(fleet, &all, "host", &values, &err));
    ck_assert_uint_eq(values.all.len, 0);
    ck_assert_int_eq(fleet_runs(fleet, &wrong, &runs, &err), ERR_USAGE);
    ck_assert_int_eq(fleet_values(fleet, &wrong, "host", &values, &err),
                     ERR_USAGE);
    ck_assert_uint_eq(fleet_stand_in_count(server), 2);
    fleet_runs_release(&runs);
    fleet_values_release(&values);
}

SUITE_FIXTURE(begin, end)
