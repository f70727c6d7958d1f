/*
 * rows - the rows of a table being written.
 *
 *     struct rows rows;
 *     rows_open(&rows, fill, "samples", 7, ROWS_NUMBERED);
 *     rows_i64(&rows, time); ...             // value by value, row by row
 *     if (rows_close(&rows)) ...             // an SQLite result code
 *
 * They become pages of the fill's file where there is one. Else SQL inserts
 * them, many by one statement, which is twice as fast as one by one: text and
 * blobs must then live until rows_close. The first failure is kept and the
 * rest of the rows dropped.
 */
#ifndef TOPFN_ROWS_H
#define TOPFN_ROWS_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/store/btree.h"
#include "engine/store/fill.h"
#include "engine/store/record.h"

enum { ROWS_VALUES = 896 /* of one statement; SQLite's old limit is 999 */ };

enum rows_ids {
    ROWS_NUMBERED, /* from 1 */
    ROWS_GIVEN,    /* the id is the first value of every row */
    ROWS_SINGLE,   /* numbered; what a row points to is needed no longer than
                      until its last value is there */
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
    struct store_fill fill;
    const char *table;
    sqlite3_stmt *full; /* inserts `batch` rows */
    size_t width, batch, used;
    enum rows_ids ids;
    uint32_t id; /* of the last row */
    int result;
    struct record record;
    struct btree tree;
    struct rows_value values[ROWS_VALUES];
};

void rows_open(struct rows *rows, const struct store_fill *fill,
               const char *table, size_t width, enum rows_ids ids);
void rows_i64(struct rows *rows, int64_t value);
void rows_null(struct rows *rows);
void rows_text(struct rows *rows, const char *text, size_t n);
void rows_blob(struct rows *rows, const void *bytes, size_t n);
int rows_close(struct rows *rows);

/* The int64 of its bits. */
static inline void rows_u64(struct rows *rows, uint64_t value)
{
    rows_i64(rows, (int64_t)value);
}

#endif
