/*
 * store_fill - the tables of a database in an open connection.
 *
 *     struct store_fill fill = {.db = db, .schema = "main"};
 *     if (!store_create(&fill))
 *         store_fill(&fill, profile);
 *
 * An SQL query of a trace needs a few of the tables only: `wanted` says which;
 * NULL means all. All functions return a result code of SQLite.
 */
#ifndef TOPFN_STORE_FILL_H
#define TOPFN_STORE_FILL_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/model/profile.h"

struct store_fill {
    sqlite3 *db;
    const char *schema; /* a name that needs no quotes */
    bool (*wanted)(void *context, const char *table);
    void *context;
};

/* All tables and views, empty. */
int store_create(const struct store_fill *fill);

/* Writes the rows of a finished profile into the wanted tables. */
int store_fill(const struct store_fill *fill, const struct profile *p);

/*
 * rows - INSERTs of the rows of one table.
 *
 *     struct rows rows;
 *     rows_open(&rows, fill, "samples", 8);
 *     rows_id(&rows, 1); rows_i64(&rows, time); ...    // value by value
 *     if (rows_close(&rows)) ...                       // an SQLite result code
 *
 * The table is empty, and rows come in order of their ids. 3 M samples take
 * 1.27 s one by one, 0.90 s when a statement inserts several rows, and 0.69 s
 * when SQLite also finds their ids itself. Text and blobs must live until
 * rows_close. The first failure is kept and the rest of the rows dropped.
 */

struct rows {
    sqlite3_stmt *insert;
    int width; /* values of a row */
    int bound; /* values of the next statement so far */
    int result;
    uint64_t last_id;
};

void rows_open(struct rows *rows, const struct store_fill *fill,
               const char *table, size_t width);
void rows_id(struct rows *rows, uint64_t id);
void rows_i64(struct rows *rows, int64_t value);
void rows_null(struct rows *rows);
void rows_text(struct rows *rows, const char *text, size_t n);
int rows_close(struct rows *rows);

/* The int64 of its bits. */
static inline void rows_u64(struct rows *rows, uint64_t value)
{
    rows_i64(rows, (int64_t)value);
}

/*
 * store_counts - tables that count the samples: for the views, and for reports
 * that need no times.
 *
 *     result = store_counts_write(fill, profile);   // SQLite's
 */

/* Names of these tables; NULL ends. */
extern const char *const store_counted[];

/* Fills all of them, whichever is wanted. */
int store_counts_write(const struct store_fill *fill, const struct profile *p);

#endif
