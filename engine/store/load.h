/*
 * store_load - a profile from an open database.
 *
 * What store_read does once the file is open; fuzzing enters here with an
 * image in memory. Nothing in the database is believed: the tables read must
 * be ours to the letter of their CREATE statement, ids must count up without
 * gaps, references must be to rows that exist, and text cannot add up to
 * more than the file holds.
 */
#ifndef TOPFN_STORE_LOAD_H
#define TOPFN_STORE_LOAD_H

#include <sqlite3.h>

#include "engine/store/store.h"

/* `size` is that of the database in bytes; `name` is for messages. */
struct profile *store_load(sqlite3 *db, const char *name, uint64_t size,
                           bool times, struct err *err);

/* A profile that has the files it was made of and nothing else, as far as the
 * database tells. */
struct profile *store_load_files(sqlite3 *db, const char *name, uint64_t size);

/* Whether all tables and views of ours are there, to the letter. */
enum err_code store_check_schema(sqlite3 *db, const char *name, uint64_t size,
                                 struct err *err);

/* Steps of SQLite's machine that are left. A row takes some twenty of them
 * and more than eight bytes; pages that are named again and again, in the
 * tree of the schema too, end the reading with ERR_LIMIT. */
struct store_bound {
    uint64_t left;
};

/* Switches SQLite's defences on; call before anything else is read. `bound`
 * is set for a file of `size` bytes and must live as long as `db`. */
int store_defend(sqlite3 *db, struct store_bound *bound, uint64_t size);

#endif
