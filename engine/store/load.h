/*
 * store_load - a profile from an open database.
 *
 * store_read calls this once the file is open; the fuzz target calls it with
 * an image in memory. Every value is checked: each table must have our CREATE
 * statement to the letter, ids must count up without gaps, references must be
 * to rows that exist, and all text together must not be longer than the file.
 */
#ifndef TOPFN_STORE_LOAD_H
#define TOPFN_STORE_LOAD_H

#include <sqlite3.h>

#include "engine/store/schema.h"
#include "engine/store/store.h"

/*
 * store_get - one value of a database's row, checked, into the profile.
 *
 * Every getter returns false when the value is not valid for its column; the
 * error then names the file, the table, the row and the column.
 */

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

/* `size` is that of the database in bytes; `name` is for messages. */
struct profile *store_load(sqlite3 *db, const char *name, uint64_t size,
                           bool times, struct err *err);

/* A profile with trace.files alone, for messages. They stay empty when the
 * database cannot be read. */
struct profile *store_load_files(sqlite3 *db, const char *name, uint64_t size);

/* Checks that all our tables and views are there, to the letter. */
enum err_code store_check_schema(sqlite3 *db, const char *name, uint64_t size,
                                 struct err *err);

/* Steps that SQLite's virtual machine may still take: a row takes up to twenty
 * of them and more than eight bytes. Where a hostile file names the same pages
 * again and again, reading ends with ERR_LIMIT. */
struct store_bound {
    uint64_t left;
};

/* Switches SQLite's defences on; call it before any other read. It sets
 * `bound` for a file of `size` bytes; `bound` must live as long as `db`. */
int store_defend(sqlite3 *db, struct store_bound *bound, uint64_t size);

#endif
