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
                           const struct store_options *options,
                           struct err *err);

/* Switches SQLite's defences on; call before anything else is read. */
int store_defend(sqlite3 *db);

#endif
