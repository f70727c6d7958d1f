/* Of a trace those tables are filled that a statement reads, and no others. */
#include <sqlite3.h>

#include "engine/input/trace_events.h"
#include "engine/sql/query_impl.h"
#include "engine/store/fill.h"
#include "engine/store/store.h"
#include "tests/support/full_profile.h"
#include "tests/support/sql_rows.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

static const struct query_limits none = {0, 0};
static const char *const trace[] = {"testdata/etl/orders.etl"};
static struct profile *given;

static const struct profile *give(void *state, bool event_stacks,
                                  struct err *err)
{
    (void)event_stacks;
    (void)state, (void)err;
    return given;
}

static const struct query_source source = {give, NULL, trace, 1,
                                           event_trace_open};

static struct query *open_trace(void)
{
    struct err err = {0};
    struct query *q = query_new(NULL, &none, &err);

    ck_assert_msg(q && !query_add_trace(q, "main", &source, &err), "%s",
                  err.message);
    return q;
}

/* The same profile as a database. */
static struct query *open_database(char path[TEMP_PATH])
{
    struct err err = {0};
    struct query *q;

    temp_file(path, "", 0);
    ck_assert_msg(!store_write(given, path, &err), "%s", err.message);
    q = query_new(path, &none, &err);
    ck_assert_msg(q != NULL, "%s", err.message);
    return q;
}

/* Rows that are there now: asked of SQLite itself, which fills nothing. */
static int rows_in(struct query *q, const char *table)
{
    char *sql = sqlite3_mprintf("SELECT count(*) FROM main.\"%w\"", table);
    sqlite3_stmt *s;
    int rows;

    ck_assert_int_eq(sqlite3_prepare_v2(q->db, sql, -1, &s, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(s), SQLITE_ROW);
    rows = sqlite3_column_int(s, 0);
    sqlite3_finalize(s);
    sqlite3_free(sql);
    return rows;
}

static bool is_counted(const char *table)
{
    for (size_t i = 0; store_counted[i]; i++)
        if (!strcmp(store_counted[i], table))
            return true;
    return false;
}

/* The names of tables or views, one a line. */
static char *names_of(struct query *q, const char *type)
{
    char sql[100];

    snprintf(sql, sizeof(sql),
             "SELECT name FROM main.sqlite_master WHERE type = '%s'", type);
    return sql_rows_well(q, sql);
}

static void check_others(struct query *q, struct query *db, const char *asked)
{
    char *names = names_of(db, "table"), *rest = NULL;

    for (char *name = strtok_r(names, "\n", &rest); name;
         name = strtok_r(NULL, "\n", &rest)) {
        bool filled = !strcmp(name, asked) ||
                      (is_counted(name) && is_counted(asked));

        ck_assert_msg(rows_in(q, name) == (filled ? rows_in(db, name) : 0),
                      "%s: %d rows in %s", asked, rows_in(q, name), name);
    }
    free(names);
}

/* Asked of a trace that nothing else was asked of before. */
static void check_alone(struct query *db, const char *name, bool is_table)
{
    struct query *q = open_trace();
    char sql[100], *of_trace, *of_database;

    snprintf(sql, sizeof(sql), "SELECT * FROM %s", name);
    of_trace = sql_rows_well(q, sql);
    of_database = sql_rows_well(db, sql);
    ck_assert_msg(!strcmp(of_trace, of_database), "%s: %.200s not %.200s",
                  name, of_trace, of_database);
    if (is_table)
        check_others(q, db, name);
    free(of_trace);
    free(of_database);
    query_free(q);
}

static void check_all(const char *type, bool is_table)
{
    char path[TEMP_PATH], *names, *rest = NULL;
    struct query *db;
    unsigned count = 0;

    given = full_profile(3, 50);
    db = open_database(path);
    names = names_of(db, type);
    for (char *name = strtok_r(names, "\n", &rest); name;
         name = strtok_r(NULL, "\n", &rest), count++)
        check_alone(db, name, is_table);
    ck_assert_uint_ge(count, 10);
    free(names);
    query_free(db);
    unlink(path);
    profile_free(given);
}

TEST(tables_are_filled_alone)
{
    check_all("table", true);
}

TEST(views_have_what_they_read)
{
    check_all("view", false);
}
