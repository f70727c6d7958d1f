/*
 * SQL over a trace: what it may do, what is read for it, and that conditions
 * that go down to the reader change nothing but the work.
 */
#include "engine/sql/query.h"

#include <sqlite3.h>
#include <unistd.h>

#include "engine/base/out.h"
#include "engine/input/trace_events.h"
#include "engine/store/store.h"
#include "tests/support/cells.h"
#include "tests/support/full_profile.h"
#include "tests/support/sql_rows.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

static const char *const trace[] = {"testdata/etl/orders.etl"};

/* A profile of its own for the tables, counted. */
struct tables {
    struct profile *p;
    unsigned asked;
};

static const struct profile *give(void *state, bool event_stacks,
                                  struct err *err)
{
    struct tables *t = state;

    (void)event_stacks;
    (void)err;
    t->asked++;
    if (!t->p)
        t->p = full_profile(3, 50);
    return t->p;
}

static struct tables tables;
static struct query_source source;

static struct query *open_trace(const struct query_limits *limits)
{
    static const struct query_limits none = {0, 0};
    struct err err = {0};
    struct query *q = query_new(NULL, limits ? limits : &none, &err);

    ck_assert_msg(q != NULL, "%s", err.message);
    tables = (struct tables){NULL, 0};
    source = (struct query_source){give, &tables, trace, 1, event_trace_open};
    ck_assert_msg(!query_add_trace(q, "main", &source, &err), "%s",
                  err.message);
    return q;
}

static void close_trace(struct query *q)
{
    query_free(q);
    profile_free(tables.p);
}

static void check(struct query *q, const char *sql, const char *wanted)
{
    char *text = sql_rows_well(q, sql);

    ck_assert_str_eq(text, wanted);
    free(text);
}

/* ---- what is read ---- */

TEST(tables_are_filled_when_they_are_asked_for)
{
    struct query *q = open_trace(NULL);

    check(q, "SELECT 1", "1\n");
    check(q, "SELECT count(*) FROM events WHERE event = 'Process/DCStart'",
          "4\n");
    ck_assert_uint_eq(tables.asked, 0);
    check(q, "SELECT count(*) FROM processes", "6\n");
    check(q, "SELECT count(*) > 10, min(id) FROM sample", "1 1\n");
    check(q, "SELECT count(*) > 10 FROM main.samples", "1\n");
    check(q, "SELECT count(*) > 0 FROM trace_quality", "1\n");
    check(q, "SELECT count(*) > 0 FROM sample_groups", "1\n");
    ck_assert_uint_eq(tables.asked, 1);
    close_trace(q);
}

/* The profile is asked for again when it has to have the stacks of events. */
TEST(stacks_of_events_need_another_profile)
{
    struct query *q = open_trace(NULL);

    check(q, "SELECT count(*) FROM processes", "6\n");
    check(q, "SELECT count(DISTINCT sample) > 10 FROM frame_of_sample", "1\n");
    check(q, "SELECT count(stack), count(function) FROM events", "0 0\n");
    ck_assert_uint_eq(tables.asked, 2);
    check(q, "SELECT count(*) FROM processes", "6\n");
    check(q, "SELECT count(DISTINCT sample) > 10 FROM frame_of_sample", "1\n");
    check(q, "SELECT name FROM spans", "PerfInfo/Collection\n");
    ck_assert_uint_eq(tables.asked, 2);
    close_trace(q);
}

/* ---- conditions that go down ---- */

TEST(buffers_out_of_range_are_not_decoded)
{
    struct query *q = open_trace(NULL);
    uint64_t all;

    check(q, "SELECT count(*) FROM events", "4365\n");
    all = query_effort(q).buffers;
    ck_assert_uint_gt(all, 10);
    ck_assert_uint_eq(query_effort(q).skipped, 0);
    check(q, "SELECT count(*) > 0 FROM events WHERE time > 0.1 AND time < 0.11",
          "1\n");
    ck_assert_uint_lt(query_effort(q).buffers, all);
    ck_assert_uint_eq(query_effort(q).buffers + query_effort(q).skipped, all);
    check(q, "SELECT count(*) FROM events WHERE time < 0", "0\n");
    ck_assert_uint_lt(query_effort(q).buffers, all / 2);
    check(q, "SELECT count(*) FROM events WHERE +time > 100", "0\n");
    ck_assert_uint_eq(query_effort(q).buffers, all);
    close_trace(q);
}

static void check_condition(const struct cells *row)
{
    static const char *const wanted[] = {
        "count(*), total(time), total(size), total(EventNumber), max(event)",
        "count(*)", "count(DISTINCT event), group_concat(DISTINCT provider)"};
    struct query *q = open_trace(NULL);

    for (size_t i = 0; i < 3; i++) {
        char sql[2][300], *below, *above;

        for (int k = 0; k < 2; k++)
            snprintf(sql[k], sizeof(sql[k]), "SELECT %s FROM events WHERE %s",
                     wanted[i], row->cell[k]);
        below = sql_rows_well(q, sql[0]);
        above = sql_rows_well(q, sql[1]);
        ck_assert_msg(!strcmp(below, above), "%s: %s is not %s", sql[0], below,
                      above);
        free(below);
        free(above);
    }
    close_trace(q);
}

TEST(conditions_mean_the_same_below)
{
    cells_each("tests/engine/sql/query.cells", "conditions", check_condition);
}

TEST(groups_are_those_of_a_sort)
{
    static const char *const pairs[][2] = {
        {"SELECT EventName, count(*) FROM events GROUP BY EventName",
         "SELECT EventName, count(*) FROM events GROUP BY +EventName"},
        {"SELECT provider, event, id, count(*) FROM events"
         " GROUP BY 1, 2, 3 ORDER BY 1 DESC, 2, 3 DESC",
         "SELECT provider, event, id, count(*) FROM events"
         " GROUP BY +provider, +event, +id ORDER BY +provider DESC, +event,"
         " +id DESC"},
        {"SELECT DISTINCT EventGUID, EventTypeName FROM events ORDER BY 1, 2",
         "SELECT DISTINCT +EventGUID, +EventTypeName FROM events"
         " ORDER BY +EventGUID, +EventTypeName"},
        {"SELECT event, count(*) FROM events WHERE pid = 3120 GROUP BY event",
         "SELECT event, count(*) FROM events WHERE +pid = 3120"
         " GROUP BY +event"},
        {"SELECT version, count(*) FROM events WHERE time < 0.2 GROUP BY 1",
         "SELECT version, count(*) FROM events WHERE +time < 0.2"
         " GROUP BY +version"},
    };
    struct query *q = open_trace(NULL);

    for (size_t i = 0; i < COUNT(pairs); i++) {
        char *grouped = sql_rows_well(q, pairs[i][0]);
        char *sorted = sql_rows_well(q, pairs[i][1]);

        ck_assert_str_eq(grouped, sorted);
        free(grouped);
        free(sorted);
    }
    close_trace(q);
}

/* ---- what SQL may do ---- */

static const struct {
    const char *sql;
    enum err_code code;
    const char *message;
} refused[] = {
    {"ATTACH 'x' AS y", ERR_USAGE, "--attach"},
    {"ATTACH ':memory:' AS y", ERR_USAGE, "--attach"},
    {"DETACH main", ERR_USAGE, "DETACH is not allowed"},
    {"VACUUM", ERR_USAGE, "not allowed"},
    {"VACUUM INTO 'x'", ERR_USAGE, "not allowed"},
    {"PRAGMA user_version=1", ERR_USAGE, "PRAGMA is not allowed"},
    {"PRAGMA writable_schema=1", ERR_USAGE, "PRAGMA is not allowed"},
    {"PRAGMA temp_store_directory='/tmp'", ERR_USAGE, "PRAGMA is not allowed"},
    {"PRAGMA journal_mode=DELETE", ERR_USAGE, "PRAGMA is not allowed"},
    {"PRAGMA hard_heap_limit=0", ERR_USAGE, "PRAGMA is not allowed"},
    {"SELECT * FROM pragma_hard_heap_limit(0)", ERR_USAGE, ""},
    {"UPDATE sqlite_master SET sql = ''", ERR_USAGE, "may not be modified"},
    {"INSERT INTO samples(id) VALUES(1)", ERR_USAGE, "INSERT is not allowed"},
    {"UPDATE samples SET cpu=1", ERR_USAGE, "UPDATE is not allowed"},
    {"DELETE FROM events", ERR_USAGE, ""},
    {"CREATE TABLE t(x)", ERR_USAGE, "a change of the schema is not allowed"},
    {"CREATE TEMP VIEW v AS SELECT 1", ERR_USAGE, "not allowed"},
    {"CREATE VIRTUAL TABLE t USING topfn_event", ERR_USAGE, "not allowed"},
    {"DROP TABLE events", ERR_USAGE, "not allowed"},
    {"ALTER TABLE samples RENAME TO s", ERR_USAGE, "not allowed"},
    {"ANALYZE", ERR_USAGE, "not allowed"},
    {"BEGIN", ERR_USAGE, "a transaction is not allowed"},
    {"SAVEPOINT s", ERR_USAGE, "a transaction is not allowed"},
    {"SELECT load_extension('x')", ERR_USAGE, "this function is not allowed"},
    {"SELECT fts3_tokenizer('x')", ERR_USAGE, ""},
    {"SELECT * FROM topfn_events", ERR_USAGE, "no such table"},
    {"SELECT \"no such column\"", ERR_USAGE, "no such column"},
    {"SELECT 1 +", ERR_USAGE, "incomplete input"},
    {"SELECT :x", ERR_USAGE, "--param x=VALUE"},
    {"SELECT ?", ERR_USAGE, "no value"},
    {"SELECT randomblob(1000000000)", ERR_LIMIT, "longer than"},
    {"SELECT zeroblob(1000000000)", ERR_LIMIT, "longer than"},
    {"SELECT hex(zeroblob(60000000))", ERR_LIMIT, "longer than"},
    {"SELECT replace(hex(zeroblob(1000000)), '0', hex(zeroblob(1000)))",
     ERR_LIMIT, "longer than"},
    {"SELECT group_concat(printf('%1000000d', time)) FROM"
     " (SELECT time FROM events LIMIT 100)",
     ERR_LIMIT, "longer than"},
    {"WITH RECURSIVE n(x) AS (SELECT 1 UNION SELECT x + 1 FROM n)"
     " SELECT count(*) FROM n",
     ERR_LIMIT, "--max-memory"},
    {"WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
     " SELECT x FROM n ORDER BY random()",
     ERR_LIMIT, "--max-memory"},
    {"SELECT json_group_array(a.user_data) FROM events a, events b"
     " WHERE b.event = 'PerfInfo/Sample'",
     ERR_LIMIT, ""},
};

TEST_LOOP(sql_reads_and_nothing_else, COUNT(refused))
{
    struct query_limits limits = {0, 96 << 20};
    struct query *q = open_trace(&limits);
    struct err err = {0};
    char *text = sql_rows(q, refused[_i].sql, &err);

    ck_assert_ptr_null(text);
    ck_assert_msg(err.code == refused[_i].code, "%s: %d: %s", refused[_i].sql,
                  err.code, err.message);
    ck_assert_msg(strstr(err.message, refused[_i].message) != NULL, "%s: %s",
                  refused[_i].sql, err.message);
    check(q, "SELECT count(*) FROM events", "4365\n");
    close_trace(q);
}

static const char *const allowed[] = {
    "PRAGMA table_info(samples)",   "PRAGMA table_list",
    "PRAGMA user_version",          "SELECT * FROM pragma_table_info('sample')",
    "EXPLAIN SELECT 1",             "SELECT * FROM sqlite_master",
    "SELECT json_extract('[1]', '$[0]')", "VALUES(1), (2)",
};

TEST_LOOP(sql_may_look_around, COUNT(allowed))
{
    struct query *q = open_trace(NULL);

    free(sql_rows_well(q, allowed[_i]));
    close_trace(q);
}

TEST_LOOP(endless_statements_end, 6)
{
    static const char *const endless[] = {
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
        " SELECT count(*) FROM n",
        "SELECT count(*) FROM events a, events b, events c",
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
        " SELECT count(*) FROM n JOIN events e ON e.pid = 999999 + n.x % 2",
        "SELECT count(*) FROM samples a, samples b, samples c, samples d,"
        " samples e, samples f, samples g",
        "SELECT count(*) FROM frame_of_sample a CROSS JOIN frame_of_sample b"
        " CROSS JOIN frame_of_sample c WHERE c.label = 'nowhere'",
        "SELECT count(*) FROM frame_of_sample a, frame_of_sample b,"
        " (SELECT label FROM frame_of_sample GROUP BY label) c"
        " WHERE a.label || b.label = c.label",
    };
    struct query_limits limits = {50000000, 0};
    struct query *q = open_trace(&limits);
    struct err err = {0};

    ck_assert_ptr_null(sql_rows(q, endless[_i], &err));
    ck_assert_int_eq(err.code, ERR_LIMIT);
    ck_assert_msg(strstr(err.message, "--max-time") != NULL, "%s", err.message);
    close_trace(q);
}

/* ---- files ---- */

TEST(names_are_words)
{
    static const char *const bad[] = {"",      "a b", "1a",     "a\"b", "a.b",
                                      "select", "main x", "temp;", "main",
                                      "MAIN"};
    struct query *q = open_trace(NULL);

    for (size_t i = 0; i < COUNT(bad); i++) {
        struct err err = {0};

        ck_assert_int_eq(query_add_trace(q, bad[i], &source, &err), ERR_USAGE);
    }
    close_trace(q);
}

TEST_LOOP(altered_databases_are_refused, 4)
{
    static const char *const changes[] = {
        "DROP VIEW top_functions; CREATE VIEW top_functions AS SELECT 1",
        "DROP TABLE labels",
        "PRAGMA user_version=4",
        "PRAGMA application_id=1",
    };
    static const struct query_limits none = {0, 0};
    struct profile *p = full_profile(3, 20);
    char path[TEMP_PATH];
    struct err err = {0};
    sqlite3 *db;

    temp_file(path, "", 0);
    ck_assert(!store_write(p, path, &err));
    profile_free(p);
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, changes[_i], NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    ck_assert_ptr_null(query_new(path, &none, &err));
    ck_assert(err.code == ERR_CORRUPT || err.code == ERR_UNSUPPORTED);
    unlink(path);
}
