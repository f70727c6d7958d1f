/*
 * store_sql - bulk inserts and SQLite's errors in our words.
 *
 *     struct rows rows;
 *     rows_open(&rows, fill, "samples", 6, ROWS_NUMBERED);
 *     rows_i64(&rows, time); ...             // value by value, row by row
 *     if (rows_close(&rows)) ...             // an SQLite result code
 *
 * Rows are gathered and inserted many at a time by one statement, which is
 * twice as fast as one by one. The first failure is kept and the rest of the
 * rows dropped. Text and blobs must live until rows_close.
 */
#ifndef TOPFN_STORE_SQL_H
#define TOPFN_STORE_SQL_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/store/fill.h"

enum { ROWS_VALUES = 896 /* of one statement; SQLite's old limit is 999 */ };

enum rows_ids {
    ROWS_NUMBERED, /* by SQLite, from 1: the fast way to append */
    ROWS_GIVEN     /* the id is the first value of every row */
};

struct rows_value {
    union {
        int64_t number;
        const void *bytes; /* of text and blobs */
    };
    int size;
    int type; /* SQLITE_INTEGER, ... */
};

struct rows {
    const struct store_fill *fill;
    const char *table;
    sqlite3_stmt *full; /* inserts `batch` rows */
    size_t width, batch, used;
    enum rows_ids ids;
    int result;
    struct rows_value values[ROWS_VALUES];
};

void rows_open(struct rows *rows, const struct store_fill *fill,
               const char *table, size_t width, enum rows_ids ids);
void rows_i64(struct rows *rows, int64_t value);
void rows_u64(struct rows *rows, uint64_t value); /* the int64 of its bits */
void rows_null(struct rows *rows);
void rows_text(struct rows *rows, const char *text, size_t n);
void rows_blob(struct rows *rows, const void *bytes, size_t n);
int rows_close(struct rows *rows);

/* sqlite3_mprintf, for sqlite3_free; NULL, which sqlite3_exec takes for
 * nothing to do, is memory that ran out. */
char *store_sql_text(const char *format, ...);

/* Ends the program where this result says that memory ran out. */
void store_sql_memory(int result);

/* Nothing in a file of somebody else runs code, and what is damaged in it is
 * noticed; then `pragmas`. The result is SQLite's. */
int store_distrust(sqlite3 *db, const char *pragmas);

/* Records what SQLite says of its last failure; returns our code for it. */
enum err_code store_sql_fail(struct err *err, sqlite3 *db, int result,
                             const char *path, const char *doing);

#endif
