/* The recordings of a fleet, what has a function on the stack, and what is
 * taken out. */
#include "engine/fleet/runs.h"

#include "engine/fleet/having.h"
#include "engine/fleet/prune.h"
#include "engine/fleet/rows.h"
#include "tests/support/fleet_stand_in.h"
#include "tests/support/suite.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))
/* Each recording once, whoever sent it, alone or in a sum. */
#define CHOSEN                                                                 \
    "run GLOBAL IN (SELECT min(run) FROM runs GROUP BY hash) AND hash GLOBAL " \
    "NOT IN (SELECT arrayJoin(replaces) FROM runs)"
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

/* Statements in their order, and no others. */
static void assert_told(const char *const *wanted, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ck_assert_str_eq(sql(i), wanted[i]);
    ck_assert_uint_eq(fleet_stand_in_count(server), n);
}

/* ---- which there are ---- */

static void serve_runs(void)
{
    static const char *const texts[] = {
        "hash", "a.etl",       "web1",           "Linux",
        "etl",  "cpu-samples", "service=orders", "now"};
    struct out *rows = out_memory();

    for (uint64_t run = 21; run < 23; run++) {
        row_u64(rows, run);
        for (size_t i = 0; i < COUNT(texts); i++)
            row_text(rows, texts[i]);
        for (uint64_t i = 1; i < 9; i++)
            row_u64(rows, 10 * run + i);
    }
    fleet_stand_in_reply(server, "SELECT run, hash", rows);
}

START_TEST(recordings)
{
    static const struct fleet_question some = {
        .where = "host=web1", .since = 5, .until = 9};
    struct fleet_runs runs = {.all = {0}};
    struct err err = {0};
    const struct fleet_run *r;

    serve_runs();
    ck_assert(!fleet_runs(fleet, &some, &runs, &err));
    ck_assert_uint_eq(runs.all.len, 2);
    r = &runs.all.data[1];
    ck_assert_uint_eq(r->number, 22);
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
    ck_assert_uint_eq(r->recordings, 228);
    fleet_runs_release(&runs);
    ck_assert_str_eq(strstr(sql(0), " WHERE "),
                     " WHERE " CHOSEN " AND toUInt32(time) >= 5 AND "
                     "toUInt32(time) < 9 AND ((host = 'web1')) ORDER BY time, "
                     "hash");
}
END_TEST

START_TEST(values)
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
END_TEST

START_TEST(answers_that_are_cut)
{
    static const struct fleet_question wrong = {.where = "host"};
    struct fleet_runs runs = {.all = {0}};
    struct fleet_values values = {.all = {0}};
    struct err err = {0};

    SERVE("SELECT run, hash", 21);
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
END_TEST

/* ---- which have a function ---- */

static void serve_functions(void)
{
    struct out *rows = out_memory();

    row_u64(rows, 3);
    row_text(rows, "Cart::Totals");
    row_u64(rows, 4);
    row_text(rows, "Shop::Cart::Total");
    row_u64(rows, 5);
    row_text(rows, "Cart::Total");
    fleet_stand_in_reply(server, "SELECT id, name FROM functions", rows);
}

/* From functions to locations to stacks to recordings, by their ids. */
START_TEST(having)
{
    struct fleet_runs runs = {.all = {0}};
    const struct fleet_told *told;
    struct err err = {0};

    serve_runs();
    ck_assert(!fleet_runs(fleet, &all, &runs, &err));
    serve_functions();
    SERVE("SELECT DISTINCT id FROM locations", 6, 7);
    SERVE("SELECT DISTINCT id FROM stacks", 8);
    SERVE("SELECT run, sum(weight)", 22, 70, 99, 80);
    ck_assert(!fleet_having(fleet, &all, "Cart::Total", &runs, &err));
    ck_assert_uint_eq(runs.all.data[0].having, 0);
    ck_assert_uint_eq(runs.all.data[1].having, 70);
    ck_assert_str_eq(sql(1), "SELECT id, name FROM functions WHERE "
                             "positionCaseInsensitive(name, 'Cart::Total') "
                             "!= 0");
    told = fleet_stand_in_told(server, 2);
    ck_assert_str_eq(told->sql, "SELECT DISTINCT id FROM locations ARRAY JOIN "
                                "functions AS of WHERE of IN ids");
    ck_assert_uint_eq(told->id_count, 1); /* the one of that very name */
    ck_assert_uint_eq(told->ids[0], 5);
    told = fleet_stand_in_told(server, 3);
    ck_assert_str_eq(told->sql, "SELECT DISTINCT id FROM stacks ARRAY JOIN "
                                "locations AS of WHERE of IN ids AND "
                                "bitAnd(flags, 1) = 0");
    ck_assert_uint_eq(told->id_count, 2);
    told = fleet_stand_in_told(server, 4);
    ck_assert_str_eq(told->sql,
                     "SELECT run, sum(weight) FROM samples WHERE "
                     "run GLOBAL IN (SELECT run FROM runs WHERE " CHOSEN
                     ") AND stack IN ids GROUP BY run");
    ck_assert_uint_eq(told->ids[0], 8);
    fleet_runs_release(&runs);
}
END_TEST

START_TEST(patterns)
{
    static const struct {
        const char *name, *condition;
    } rows[] = {
        {"*Total", "positionCaseInsensitive(name, 'Total') != 0"},
        {"Ca*Total?", "positionCaseInsensitive(name, 'Total') != 0"},
        {"Cart*Tot", "positionCaseInsensitive(name, 'Cart') != 0"},
        {"?ab*cd*", "positionCaseInsensitive(name, 'ab') != 0"},
        {"it's", "positionCaseInsensitive(name, 'it\\'s') != 0"},
        {"*", "name != ''"},
        {"*?*", "name != ''"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct fleet_runs runs = {.all = {0}};
        struct err err = {0};

        fleet_having(fleet, &all, rows[i].name, &runs, &err);
        ck_assert_int_eq(err.code, ERR_NOT_FOUND);
        ck_assert_ptr_nonnull(strstr(err.message, "no function is called "));
        ck_assert_str_eq(sql(i) +
                             strlen("SELECT id, name FROM functions WHERE "),
                         rows[i].condition);
    }
}
END_TEST

/* A name longer than a statement may be is asked for by its beginning. */
START_TEST(long_names)
{
    struct fleet_runs runs = {.all = {0}};
    struct err err = {0};
    char name[300];

    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    fleet_having(fleet, &all, name, &runs, &err);
    ck_assert_uint_eq(strspn(strstr(sql(0), "xx"), "x"), 255);
}
END_TEST

/* A function that nothing was sampled in. */
START_TEST(nothing_further)
{
    struct fleet_runs runs = {.all = {0}};
    struct err err = {0};

    serve_functions();
    ck_assert(!fleet_having(fleet, &all, "Cart::Total*", &runs, &err));
    ck_assert_uint_eq(fleet_stand_in_count(server), 2);
    SERVE("SELECT DISTINCT id FROM locations", 6);
    ck_assert(!fleet_having(fleet, &all, "Cart::Total*", &runs, &err));
    ck_assert_uint_eq(fleet_stand_in_count(server), 2 + 3);
    ck_assert_uint_eq(fleet_stand_in_told(server, 1)->id_count, 2);
}
END_TEST

/* ---- what is taken out ---- */

#define DONE(table)                                                            \
    "SELECT count() FROM system.mutations WHERE database = "                   \
    "currentDatabase() AND table = '" table "' AND NOT is_done"
#define SHARDS                                                                 \
    "SELECT count() FROM system.tables WHERE database = currentDatabase() "    \
    "AND name = 'runs_shard'"
#define REPLACED(runs)                                                         \
    "SELECT run FROM " runs                                                    \
    " WHERE hash GLOBAL IN (SELECT arrayJoin(replaces) FROM runs)"

START_TEST(prune)
{
    static const struct fleet_question old = {
        .where = "host=web1", .since = 3, .until = 9};
    static const char *const wanted[] = {
        SHARDS,
        REPLACED("runs"),
        "ALTER TABLE samples DELETE WHERE run IN (5)", /* first, so that it */
        DONE("samples"),                               /* is found again */
        "ALTER TABLE runs DELETE WHERE run IN (5)",
        DONE("runs"),
        "SELECT run FROM runs WHERE toUInt32(time) >= 3 AND toUInt32(time) < "
        "9 AND ((host = 'web1'))",
        "ALTER TABLE runs DELETE WHERE run IN (21, 22)",
        DONE("runs"),
        DONE("runs"), /* not at once */
        "ALTER TABLE samples DELETE WHERE run IN (21, 22)",
        DONE("samples"),
    };
    struct err err = {0};
    size_t runs = 99;

    SERVE(REPLACED("runs"), 5);
    SERVE("SELECT run FROM runs WHERE toUInt32", 21, 22);
    SERVE(DONE("runs"), 0);
    SERVE(DONE("runs"), 1);
    SERVE(DONE("runs"), 0);
    ck_assert_msg(!fleet_prune(fleet, &old, false, &runs, &err), "%s",
                  err.message);
    ck_assert_uint_eq(runs, 2);
    assert_told(wanted, COUNT(wanted));
}
END_TEST

START_TEST(prune_of_a_shard)
{
    static const char *const wanted[] = {
        SHARDS, REPLACED("runs_shard"),
        "SELECT run FROM runs_shard WHERE toUInt32(time) >= 0"};
    struct err err = {0};
    size_t runs = 99;

    SERVE(SHARDS, 1);
    ck_assert(!fleet_prune(fleet, &all, false, &runs, &err));
    ck_assert_uint_eq(runs, 0);
    assert_told(wanted, COUNT(wanted));
}
END_TEST

START_TEST(prune_that_fails)
{
    struct err err = {0};
    size_t runs = 99;

    SERVE("SELECT run FROM runs WHERE toUInt32", 21);
    fleet_stand_in_refuse(server, "ALTER", "Code: 1. DB::Exception: no");
    ck_assert_int_eq(fleet_prune(fleet, &all, false, &runs, &err),
                     ERR_DATABASE);
    ck_assert_uint_eq(runs, 0);
    ck_assert_uint_eq(fleet_stand_in_count(server), 4);
}
END_TEST

SUITE
{
    const TTest *const tests[] = {
        recordings,       values,          answers_that_are_cut, having,
        patterns,         long_names,      nothing_further,      prune,
        prune_of_a_shard, prune_that_fails};
    TCase *tcase = tcase_create("runs");

    tcase_add_checked_fixture(tcase, begin, end);
    for (size_t i = 0; i < COUNT(tests); i++)
        tcase_add_test(tcase, tests[i]);
    return suite_run_case("runs", tcase);
}
