/* What SQLite's results mean to a command. */
#include <sqlite3.h>

#include "engine/store/sql.h"
#include "tests/support/suite.h"

TEST(results_have_codes)
{
    static const struct {
        int result;
        enum err_code code;
        const char *message; /* the end of it */
    } cases[] = {
        {SQLITE_IOERR, ERR_IO, "a.db: reading: disk I/O error"},
        {SQLITE_IOERR_READ, ERR_IO, "a.db: reading: disk I/O error"},
        {SQLITE_FULL, ERR_IO, "a.db: reading: database or disk is full"},
        {SQLITE_CANTOPEN, ERR_IO,
         "a.db: reading: unable to open database file"},
        {SQLITE_PERM, ERR_IO, "a.db: reading: access permission denied"},
        {SQLITE_READONLY, ERR_IO,
         "a.db: reading: attempt to write a readonly database"},
        {SQLITE_CORRUPT, ERR_CORRUPT,
         "a.db: reading: database disk image is malformed"},
        {SQLITE_NOTADB, ERR_CORRUPT, "a.db: reading: file is not a database"},
        {SQLITE_TOOBIG, ERR_LIMIT, "a.db: reading: string or blob too big"},
        {SQLITE_INTERRUPT, ERR_LIMIT,
         "a.db: reading: needs more work than a file of its size should"},
        {SQLITE_ERROR, ERR_DATABASE, "a.db: reading: SQL logic error"},
        {SQLITE_BUSY, ERR_DATABASE, "a.db: reading: database is locked"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct err err = {0};

        ck_assert_int_eq(store_sql_fail(&err, NULL, cases[i].result, "a.db",
                                        "reading"),
                         cases[i].code);
        ck_assert_int_eq(err.code, cases[i].code);
        ck_assert_str_eq(err.message, cases[i].message);
    }
}

/* The connection's own words, as long as they are about this. */
TEST(connections_say_more)
{
    struct err err = {0}, later = {0};
    sqlite3 *db;

    ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, "SELECT * FROM t", NULL, NULL, NULL),
                     SQLITE_ERROR);
    store_sql_fail(&err, db, SQLITE_ERROR, "a.db", "reading");
    ck_assert_str_eq(err.message, "a.db: reading: no such table: t");
    store_sql_fail(&later, db, SQLITE_FULL, "a.db", "reading");
    ck_assert_str_eq(later.message,
                     "a.db: reading: database or disk is full");
    sqlite3_close(db);
}

/* Ours is not the memory of the file. */
TEST(memory_is_another_matter)
{
    store_sql_memory(SQLITE_OK);
    store_sql_memory(SQLITE_ERROR);
    store_sql_memory(SQLITE_FULL);
}

static int number_of(sqlite3 *db, const char *pragma)
{
    sqlite3_stmt *s;
    int number;

    ck_assert_int_eq(sqlite3_prepare_v2(db, pragma, -1, &s, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(s), SQLITE_ROW);
    number = sqlite3_column_int(s, 0);
    sqlite3_finalize(s);
    return number;
}

static int setting(sqlite3 *db, int which)
{
    int value = -1;

    ck_assert_int_eq(sqlite3_db_config(db, which, -1, &value), SQLITE_OK);
    return value;
}

TEST(files_of_others_are_not_trusted)
{
    sqlite3 *db;

    ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
    ck_assert_int_eq(store_distrust(db, "PRAGMA user_version=7"), SQLITE_OK);
    ck_assert_int_eq(setting(db, SQLITE_DBCONFIG_DEFENSIVE), 1);
    ck_assert_int_eq(setting(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA), 0);
    ck_assert_int_eq(setting(db, SQLITE_DBCONFIG_ENABLE_TRIGGER), 0);
    ck_assert_int_eq(setting(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION), 0);
    ck_assert_int_eq(number_of(db, "PRAGMA cell_size_check"), 1);
    ck_assert_int_eq(number_of(db, "PRAGMA user_version"), 7);
    ck_assert_int_ne(store_distrust(db, "nonsense"), SQLITE_OK);
    sqlite3_close(db);
}
