/*
 * The tables that walk stacks have the rows of a database's views, whatever is
 * asked of them.
 */
#include "engine/input/trace_events.h"
#include "engine/sql/query.h"
#include "engine/store/store.h"
#include "tests/support/full_profile.h"
#include "tests/support/sql_rows.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

static char path[TEMP_PATH];

static struct query *open_database(uint64_t seed)
{
    static const struct query_limits none = {0, 0};
    struct profile *p = full_profile(seed, 60);
    struct err err = {0};
    struct query *q;

    temp_file(path, "", 0);
    ck_assert_msg(!store_write(p, path, &err), "%s", err.message);
    profile_free(p);
    q = query_new(path, &none, &err);
    ck_assert_msg(q != NULL, "%s", err.message);
    return q;
}

static void close_database(struct query *q)
{
    query_free(q);
    unlink(path);
}

/* Of the table and of the view that it hides. */
static void check_same(struct query *q, const char *before, const char *view,
                       const char *after)
{
    char sql[400], *table_rows, *view_rows;

    snprintf(sql, sizeof(sql), "%s %s %s", before, view, after);
    table_rows = sql_rows_well(q, sql);
    snprintf(sql, sizeof(sql), "%s main.%s %s", before, view, after);
    view_rows = sql_rows_well(q, sql);
    ck_assert_msg(!strcmp(table_rows, view_rows), "%s: %.300s\n%.300s", sql,
                  table_rows, view_rows);
    free(table_rows);
    free(view_rows);
}

/* A value and its type, of every column. */
TEST(rows_are_those_of_the_view)
{
    static const char *const types =
        "SELECT *, typeof(depth), typeof(function), typeof(label), "
        "typeof(module), typeof(file), typeof(line), typeof(tier), "
        "typeof(waits), typeof(cause), typeof(function_id) FROM";

    for (uint64_t seed = 1; seed < 6; seed++) {
        struct query *q = open_database(seed);

        check_same(q, "SELECT count(*) FROM", "frame_of_sample", "");
        check_same(q, "SELECT 1 / (count(*) > 100) FROM", "frame_of_sample",
                   "");
        check_same(q, types, "frame_of_sample", "ORDER BY sample, depth");
        check_same(q, "SELECT typeof(time), typeof(pid), typeof(thread), "
                      "typeof(period), hex(function), hex(process) FROM",
                   "frame_of_sample", "ORDER BY sample, depth");
        check_same(q, types, "frame_of_stack", "ORDER BY stack, depth");
        close_database(q);
    }
}

/* What is counted by function instead of sorted, and what is not. */
static const struct {
    const char *before, *after;
} groups[] = {
    {"SELECT label, count(*) FROM", "GROUP BY label"},
    {"SELECT label, module, count(*) FROM", "GROUP BY 2, 1"},
    {"SELECT label, count(*) FROM", "GROUP BY label ORDER BY label DESC"},
    {"SELECT kind, count(*), count(DISTINCT label) FROM", "GROUP BY kind"},
    {"SELECT cause, count(*) FROM", "GROUP BY cause ORDER BY 1 DESC"},
    {"SELECT function_id, waits FROM", "ORDER BY function_id"},
    {"SELECT function, module FROM", "ORDER BY module DESC, function"},
    {"SELECT DISTINCT module FROM", "ORDER BY module"},
    {"SELECT count(*) FROM (SELECT DISTINCT label, kind FROM", ")"},
    {"SELECT label, count(*) FROM", "WHERE kind = 'managed' GROUP BY label"},
    {"SELECT kind, count(*) FROM", "WHERE sample > 7 GROUP BY kind"},
    {"SELECT label, sum(depth) FROM", "GROUP BY label"},
    {"SELECT label, min(file) FROM", "GROUP BY label ORDER BY label"},
};

TEST_LOOP(groups_are_counted, COUNT(groups))
{
    struct query *q = open_database(11);

    check_same(q, groups[_i].before, "frame_of_sample", groups[_i].after);
    if (!strstr(groups[_i].after, "sample"))
        check_same(q, groups[_i].before, "frame_of_stack", groups[_i].after);
    close_database(q);
}

static const char *const conditions[] = {
    "sample = 7",
    "sample = '7'",
    "sample = 7.0",
    "sample = 7.5",
    "sample = NULL",
    "sample = -1",
    "sample = 9223372036854775807",
    "sample < -9223372036854775807",
    "sample > -9223372036854775807 - 1 AND sample < 4",
    "sample <= -9223372036854775807 - 1",
    "sample >= 0 AND sample <= 1",
    "sample >= 5 AND sample < 9",
    "sample > 5 AND sample <= 9",
    "sample > 5.5 AND sample < 9.5",
    "sample BETWEEN 9 AND 5",
    "sample IN (3, 4, 400)",
    "function_id = 3",
    "function_id = '3'",
    "function_id = 3.0",
    "function_id IN (1, 2, 3)",
    "function_id = -1",
    "function_id = NULL",
    "waits = 0",
    "waits = '1'",
    "kind = 'managed'",
    "kind = 'MANAGED'",
    "kind = 'MANAGED' COLLATE NOCASE",
    "label = (SELECT label FROM labels WHERE function = 4)",
    "label = 4",
    "function = (SELECT name FROM function_labels WHERE function = 5)",
    "module = '[unknown]'",
    "module <> '[unknown]'",
    "cause = 'no_symbols'",
    "cause IS NULL",
    "cause = 'no_symbols' AND kind = 'native' AND sample > 4",
    "label LIKE '%a%'",
    "cpu = '0'",
    "pid = '4'",
    "depth = '1'",
    "inlined",
    "tier IS NOT NULL",
};

TEST_LOOP(conditions_leave_the_same_rows, COUNT(conditions))
{
    struct query *q = open_database(7);
    char after[200];

    snprintf(after, sizeof(after), "WHERE %s ORDER BY sample, depth",
             conditions[_i]);
    check_same(q, "SELECT * FROM", "frame_of_sample", after);
    close_database(q);
}

TEST(stacks_are_looked_up)
{
    struct query *q = open_database(8);

    for (int stack = -1; stack < 70; stack++) {
        char after[100];

        snprintf(after, sizeof(after), "WHERE stack = %d ORDER BY depth",
                 stack);
        check_same(q, "SELECT * FROM", "frame_of_stack", after);
    }
    check_same(q, "SELECT f.* FROM sample s JOIN", "frame_of_stack",
               "f ON f.stack = s.stack WHERE s.id < 20"
               " ORDER BY s.id, f.depth");
    close_database(q);
}

static struct profile *given;

static const struct profile *give(void *state, bool event_stacks,
                                  struct err *err)
{
    (void)event_stacks;
    (void)state, (void)err;
    return given;
}

static const struct profile *give_none(void *state, bool event_stacks,
                                       struct err *err)
{
    (void)event_stacks;
    (void)state;
    err_set(err, ERR_IO, "there is none");
    return NULL;
}

/* Of a trace they stand in the place of its views, in every schema. */
TEST(traces_have_them_too)
{
    static const char *const paths[] = {"testdata/etl/orders.etl"};
    struct query_source source = {give, NULL, paths, 1, event_trace_open};
    struct query_source none = {give_none, NULL, paths, 1, event_trace_open};
    struct query *q = open_database(10);
    struct err err = {0};

    given = full_profile(10, 60);
    ck_assert(!query_add_trace(q, "b", &source, &err));
    ck_assert(!query_add_trace(q, "c", &none, &err));
    for (int i = 0; i < 2; i++) {
        static const char *const views[] = {
            "SELECT * FROM %sframe_of_sample ORDER BY sample, depth",
            "SELECT * FROM %sframe_of_stack ORDER BY stack, depth"};
        char sql[100], *of_trace, *of_database;

        snprintf(sql, sizeof(sql), i ? views[1] : views[0], "b.");
        of_trace = sql_rows_well(q, sql);
        snprintf(sql, sizeof(sql), i ? views[1] : views[0], "main.");
        of_database = sql_rows_well(q, sql);
        ck_assert_str_eq(of_trace, of_database);
        free(of_trace);
        free(of_database);
    }
    ck_assert_ptr_null(sql_rows(q, "SELECT * FROM c.frame_of_sample", &err));
    ck_assert_str_eq(err.message, "there is none");
    close_database(q);
    profile_free(given);
}
