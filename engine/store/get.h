/*
 * store_get - one value of a database's row, checked, into the profile.
 *
 * Every getter returns false when the value is not valid for its column; the
 * error then names the file, the table, the row and the column.
 */
#ifndef TOPFN_STORE_GET_H
#define TOPFN_STORE_GET_H

#include <sqlite3.h>

#include "engine/store/schema.h"

/* A database being read. */
struct store_load {
    sqlite3 *db;
    const char *name; /* of the file */
    struct err *err;
    struct profile *p;
    uint64_t bytes_left; /* all further text must fit into these */
};

/* A row being read. */
struct store_row {
    struct store_load *load;
    sqlite3_stmt *row;
    const char *table;
    uint64_t id;
};

/* Column `i` of the row into its member of the profile, at `value`. */
bool store_get(const struct store_row *at, int i,
               const struct store_column *column, void *value);

/* An integer from `least` to `most`. */
bool store_get_integer(const struct store_row *at, int i, const char *column,
                       int64_t least, int64_t most, int64_t *value);

/* Sets err to what is wrong with a row; returns false. */
bool store_bad(const struct store_row *at, const char *column,
               const char *what);

#endif
