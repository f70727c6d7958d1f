/*
 * The tables that walk stacks have the rows of a database's views, whatever is
 * asked of them.
 */
#include "engine/input/trace_events.h"
#include "engine/sql/query.h"
#include "engine/store/store.h"
#include "tests/support/cells.h"
#include "tests/support/full_profile.h"
#include "tests/support/sql_rows.h"
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

static void check_group(const struct cells *row)
{
    struct query *q = open_database(11);

    check_same(q, row->cell[0], "frame_of_sample", row->cell[1]);
    if (!strstr(row->cell[1], "sample"))
        check_same(q, row->cell[0], "frame_of_stack", row->cell[1]);
    close_database(q);
}

TEST(groups_are_counted)
{
    cells_each("tests/engine/sql/frames.cells", "groups", check_group);
}

static void check_condition(const struct cells *row)
{
    struct query *q = open_database(7);
    char after[200];

    snprintf(after, sizeof(after), "WHERE %s ORDER BY sample, depth",
             row->cell[0]);
    check_same(q, "SELECT * FROM", "frame_of_sample", after);
    close_database(q);
}

TEST(conditions_leave_the_same_rows)
{
    cells_each("tests/engine/sql/frames.cells", "conditions", check_condition);
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
