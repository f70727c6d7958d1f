/* What a statement, and what a file of somebody else, may make SQLite do. */
#include <sqlite3.h>

#include "engine/sql/query_impl.h"
#include "engine/store/load.h"
#include "tests/support/suite.h"

static int value_of(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *s;
    int value;

    ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(s), SQLITE_ROW);
    value = sqlite3_column_int(s, 0);
    sqlite3_finalize(s);
    return value;
}

static int setting(sqlite3 *db, int which)
{
    int value = -1;

    ck_assert_int_eq(sqlite3_db_config(db, which, -1, &value), SQLITE_OK);
    return value;
}

static const struct {
    int limit, most;
} statements[] = {
    {SQLITE_LIMIT_LENGTH, 64 << 20},
    {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
    {SQLITE_LIMIT_EXPR_DEPTH, 200},
    {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200},
    {SQLITE_LIMIT_ATTACHED, 7},
    {SQLITE_LIMIT_WORKER_THREADS, 0},
};

static const struct {
    int limit, most;
} files[] = {
    {SQLITE_LIMIT_LENGTH, 64 << 20},
    {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
    {SQLITE_LIMIT_COLUMN, 100},
    {SQLITE_LIMIT_EXPR_DEPTH, 100},
    {SQLITE_LIMIT_ATTACHED, 0},
    {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
};

TEST(statements_have_limits)
{
    static const struct query_limits none = {0, 0};
    struct err err = {0};
    struct query *q = query_new(NULL, &none, &err);

    ck_assert_msg(q != NULL, "%s", err.message);
    for (size_t i = 0; i < COUNT(statements); i++)
        ck_assert_int_eq(sqlite3_limit(q->db, statements[i].limit, -1),
                         statements[i].most);
    ck_assert_int_eq(setting(q->db, SQLITE_DBCONFIG_DQS_DML), 0);
    ck_assert_int_eq(setting(q->db, SQLITE_DBCONFIG_DQS_DDL), 0);
    ck_assert_int_eq(setting(q->db, SQLITE_DBCONFIG_DEFENSIVE), 1);
    sqlite3_set_authorizer(q->db, NULL, NULL);
    ck_assert_int_eq(value_of(q->db, "PRAGMA temp_store"), 2);
    query_free(q);
}

static void check_no_limits(const struct query *q)
{
    ck_assert_ptr_null(sqlite3_next_stmt(q->db, NULL));
    ck_assert_int_eq(sqlite3_hard_heap_limit64(-1), 0);
    ck_assert_int_eq(q->deadline, 0);
}

/* Limits are those of one statement, from its first row to its last. */
TEST(limits_end_with_the_statement)
{
    static const struct query_limits limits = {INT64_C(3600000000000),
                                               64 << 20};
    static const char *const refused[] = {"SELECT :x", "SELECT 1 +", "", " ;"};
    struct err err = {0};
    struct query *q = query_new(NULL, &limits, &err);
    const char *sql = "SELECT 1 UNION ALL SELECT 2; SELECT 3";
    struct query_result *r;

    ck_assert_msg(q != NULL, "%s", err.message);
    check_no_limits(q);
    for (size_t i = 0; i < COUNT(refused); i++) {
        const char *text = refused[i];

        ck_assert_ptr_null(query_next(q, &text, &err));
        check_no_limits(q);
    }
    r = query_next(q, &sql, &err);
    ck_assert_ptr_nonnull(r);
    ck_assert_str_eq(sql, " SELECT 3");
    ck_assert_int_gt(q->deadline, limits.time_ns);
    ck_assert_int_eq(sqlite3_hard_heap_limit64(-1), q->most_memory);
    ck_assert_int_eq(q->most_memory, sqlite3_memory_used() + (64 << 20));
    ck_assert(query_step(r) && query_step(r) && !query_step(r));
    ck_assert_int_eq(query_end(r, &err), ERR_NONE);
    check_no_limits(q);
    query_free(q);
}

TEST(statements_are_stopped)
{
    static const struct query_limits none = {0, 0};
    struct err err = {0};
    struct query *q = query_new(NULL, &none, &err);
    const char *sql = "SELECT 1";
    struct query_result *r;

    ck_assert_msg(q != NULL, "%s", err.message);
    ck_assert_int_eq(query_is_over(q), 0);
    q->deadline = INT64_MAX;
    ck_assert_int_eq(query_is_over(q), 0);
    q->deadline = 1;
    ck_assert_int_eq(query_is_over(q), 1);
    q->deadline = 0;
    /* One that begins later is another. */
    r = query_next(q, &sql, &err);
    ck_assert_ptr_nonnull(r);
    ck_assert_int_eq(query_is_over(q), 0);
    ck_assert_int_eq(query_end(r, &err), ERR_NONE);
    query_free(q);
}

TEST(files_have_limits)
{
    struct store_bound bound;
    sqlite3 *db;

    ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
    ck_assert_int_eq(store_defend(db, &bound, 1000), SQLITE_OK);
    for (size_t i = 0; i < COUNT(files); i++)
        ck_assert_int_eq(sqlite3_limit(db, files[i].limit, -1),
                         files[i].most);
    ck_assert_int_eq(setting(db, SQLITE_DBCONFIG_ENABLE_VIEW), 0);
    ck_assert_int_eq(setting(db, SQLITE_DBCONFIG_DEFENSIVE), 1);
    ck_assert_int_eq(value_of(db, "PRAGMA query_only"), 1);
    sqlite3_close(db);
}

/* As much work as its size is worth, and a little in any case. */
TEST(files_are_worth_their_size)
{
    static const struct {
        uint64_t size, steps;
    } cases[] = {
        {0, 1 << 20},
        {1000, (1 << 20) + 8000},
        {UINT64_MAX / 16 - 1, (1 << 20) + UINT64_MAX / 2 - 15},
        {UINT64_MAX / 16, (1 << 20) + UINT64_MAX / 2 - 7},
        {UINT64_MAX, (1 << 20) + UINT64_MAX / 2 - 7},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct store_bound bound = {.left = 1};
        sqlite3 *db;

        ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
        ck_assert_int_eq(store_defend(db, &bound, cases[i].size), SQLITE_OK);
        ck_assert_uint_eq(bound.left, cases[i].steps);
        sqlite3_close(db);
    }
}

TEST(work_is_counted_to_the_last)
{
    static const char work[] =
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n"
        " WHERE x < 10000) SELECT count(*) FROM n";
    struct store_bound bound;
    sqlite3 *db;

    ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
    ck_assert_int_eq(store_defend(db, &bound, 0), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, work, NULL, NULL, NULL), SQLITE_OK);
    ck_assert_uint_lt(bound.left, 1 << 20);
    bound.left = 3000;
    ck_assert_int_eq(sqlite3_exec(db, work, NULL, NULL, NULL),
                     SQLITE_INTERRUPT);
    ck_assert_uint_eq(bound.left, 0);
    sqlite3_close(db);
}
