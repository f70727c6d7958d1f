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

/* As many as fit one statement, fewer and more. */
TEST(any_number_of_rows)
{
    for (int64_t count = 0; count < 50; count++) {
        struct store_fill fill =
            open_table("CREATE TABLE t(id INTEGER PRIMARY KEY, a NOT NULL)");
        char wanted[60];
        struct rows rows;

        rows_open(&rows, &fill, "t", 2);
        for (int64_t i = 0; i < count; i++) {
            rows_id(&rows, (uint64_t)i);
            rows_i64(&rows, i * i);
        }
        ck_assert_int_eq(rows_close(&rows), SQLITE_OK);
        snprintf(wanted, sizeof(wanted), "%d %d", (int)count,
                 (int)((count - 1) * count * (2 * count - 1) / 6));
        check(&fill, "SELECT count(*) || ' ' || total(a) FROM t WHERE a=id*id",
              strcat(wanted, ".0"));
        sqlite3_close(fill.db);
    }
}

/* From 0, from 1, with gaps. */
TEST(ids_are_those_given)
{
    static const uint64_t ids[][4] = {
        {0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 5, 6}, {0, 7, 8, 10}};

    for (size_t k = 0; k < COUNT(ids); k++) {
        struct store_fill fill =
            open_table("CREATE TABLE t(id INTEGER PRIMARY KEY, a)");
        char wanted[60];
        struct rows rows;

        rows_open(&rows, &fill, "t", 2);
        for (size_t i = 0; i < 4; i++) {
            rows_id(&rows, ids[k][i]);
            rows_u64(&rows, ids[k][i]);
        }
        ck_assert_int_eq(rows_close(&rows), SQLITE_OK);
        snprintf(wanted, sizeof(wanted), "%d,%d,%d,%d", (int)ids[k][0],
                 (int)ids[k][1], (int)ids[k][2], (int)ids[k][3]);
        check(&fill, "SELECT group_concat(id) FROM t WHERE a=id", wanted);
        sqlite3_close(fill.db);
    }
}

TEST(values_of_every_type)
{
    struct store_fill fill =
        open_table("CREATE TABLE t(id INTEGER PRIMARY KEY, a)");
    struct rows rows;

    rows_open(&rows, &fill, "t", 2);
    rows_i64(&rows, 0);
    rows_u64(&rows, UINT64_MAX);
    rows_i64(&rows, 1);
    rows_null(&rows);
    rows_i64(&rows, 2);
    rows_text(&rows, "textual", 4);
    rows_i64(&rows, 3);
    rows_blob(&rows, "\0b", 2);
    rows_i64(&rows, 4);
    rows_text(&rows, "", 0);
    ck_assert_int_eq(rows_close(&rows), SQLITE_OK);
    check(&fill, "SELECT group_concat(quote(a)) FROM t",
          "-1,NULL,'text',X'0062',''");
    sqlite3_close(fill.db);
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
