/*
 * What of a statement goes down to the reader of events and to the walk over
 * frames, as EXPLAIN QUERY PLAN shows it, and what is left for SQLite to sort.
 */
#include "engine/input/trace_events.h"
#include "engine/sql/query.h"
#include "engine/sql/virtual_table.h"
#include "engine/store/store.h"
#include "tests/support/cells.h"
#include "tests/support/full_profile.h"
#include "tests/support/sql_rows.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

#define CELLS_FILE "tests/engine/sql/plans.cells"

static struct query *asked;

static void check_plan(const struct cells *row)
{
    static const char before[] = "VIRTUAL TABLE INDEX ";
    char sql[300], shown[300], *text, *index, *conditions;
    long number;
    bool is_sorted;

    snprintf(sql, sizeof(sql), "EXPLAIN QUERY PLAN SELECT %s", row->cell[0]);
    text = sql_rows_well(asked, sql);
    is_sorted = strstr(text, "TEMP B-TREE");
    index = strstr(text, before);
    ck_assert_msg(index != NULL, "%s: %s", row->cell[0], text);
    index += strlen(before);
    index[strcspn(index, "\n")] = '\0';
    number = strtol(index, &conditions, 10);
    snprintf(shown, sizeof(shown), "%s%ld%s",
             number >= VIRTUAL_FLAGS ? "grouped " : "",
             number % VIRTUAL_FLAGS, conditions);
    cells_expect(row, 1, shown);
    cells_expect(row, 2, is_sorted ? "sorted" : "");
    free(text);
}

static struct query *new_query(const char *path)
{
    static const struct query_limits none = {0, 0};
    struct err err = {0};
    struct query *q = query_new(path, &none, &err);

    ck_assert_msg(q != NULL, "%s", err.message);
    return q;
}

static struct query *open_database(char path[TEMP_PATH])
{
    struct profile *p = full_profile(9, 60);
    struct err err = {0};

    temp_file(path, "", 0);
    ck_assert_msg(!store_write(p, path, &err), "%s", err.message);
    profile_free(p);
    return new_query(path);
}

TEST(events_are_planned)
{
    static const char *const trace[] = {"testdata/etl/orders.etl"};
    struct query_source source = {NULL, NULL, trace, 1, event_trace_open};
    struct query *q = new_query(NULL);
    struct err err = {0};

    ck_assert(!query_add_trace(q, "main", &source, &err));
    asked = q;
    cells_each(CELLS_FILE, "events", check_plan);
    query_free(q);
}

TEST(frames_are_planned)
{
    char path[TEMP_PATH];
    struct query *q = open_database(path);

    asked = q;
    cells_each(CELLS_FILE, "frames", check_plan);
    query_free(q);
    unlink(path);
}

/* The walk that is narrowed is the inner one, whichever stands first. */
TEST(joins_look_up_stacks)
{
    static const char *const joins[][2] = {
        {"1 FROM samples s JOIN frame_of_stack f ON f.stack = s.stack",
         "SCAN f VIRTUAL TABLE INDEX 0:stack=?"},
        {"1 FROM frame_of_stack f JOIN samples s ON f.stack = s.stack",
         "SCAN f VIRTUAL TABLE INDEX 0:stack=?"},
        {"1 FROM frame_of_stack a JOIN frame_of_stack b ON a.stack = b.stack"
         " AND b.label = 'x'",
         "SCAN a VIRTUAL TABLE INDEX 0:stack=?"},
    };
    char path[TEMP_PATH];
    struct query *q = open_database(path);

    for (size_t i = 0; i < COUNT(joins); i++) {
        char sql[300], *text;

        snprintf(sql, sizeof(sql), "EXPLAIN QUERY PLAN SELECT %s",
                 joins[i][0]);
        text = sql_rows_well(q, sql);
        ck_assert_msg(strstr(text, joins[i][1]), "%s: %s", sql, text);
        free(text);
    }
    query_free(q);
    unlink(path);
}
