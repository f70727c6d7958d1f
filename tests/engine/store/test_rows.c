/* Rows of a table: any number of them, any kind of value, and what fails. */
#include "engine/store/fill.h"

#include "tests/support/suite.h"

static struct store_fill open_table(const char *sql)
{
    struct store_fill fill = {.schema = "main"};

    ck_assert_int_eq(sqlite3_open(":memory:", &fill.db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(fill.db, sql, NULL, NULL, NULL), SQLITE_OK);
    return fill;
}

static void check(const struct store_fill *fill, const char *sql,
                  const char *wanted)
{
    sqlite3_stmt *s = NULL;

    ck_assert_int_eq(sqlite3_prepare_v2(fill->db, sql, -1, &s, NULL),
                     SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(s), SQLITE_ROW);
    ck_assert_str_eq((const char *)sqlite3_column_text(s, 0), wanted);
    sqlite3_finalize(s);
}

/* The first failure is told, and nothing is written behind it. */
TEST(failures_are_kept)
{
    struct store_fill fill = open_table(
        "CREATE TABLE t(id INTEGER PRIMARY KEY, a CHECK(a < 20))");
    struct rows rows;

    rows_open(&rows, &fill, "nowhere", 2);
    rows_i64(&rows, 1);
    rows_null(&rows);
    ck_assert_int_eq(rows_close(&rows), SQLITE_ERROR);
    rows_open(&rows, &fill, "t", 2);
    for (int64_t i = 0; i < 100; i++) {
        rows_id(&rows, (uint64_t)i);
        rows_i64(&rows, i == 20 ? 20 : 0);
    }
    ck_assert_int_eq(rows_close(&rows), SQLITE_CONSTRAINT);
    check(&fill, "SELECT max(id) FROM t", "15");
    sqlite3_close(fill.db);
}
