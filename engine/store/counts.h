/*
 * store_counts - what a database's views and quick reports need counted.
 *
 *     struct store_counts *counts = store_counts_new(p);   // any thread
 *     result = store_counts_write(counts, db);
 *     store_counts_free(counts);
 *
 * Everything here follows from the stored tables. Counting only reads the
 * profile, so it can go on while the tables are being written.
 */
#ifndef TOPFN_STORE_COUNTS_H
#define TOPFN_STORE_COUNTS_H

#include <sqlite3.h>

#include "engine/model/profile.h"

struct store_counts;

struct store_counts *store_counts_new(const struct profile *p);
void store_counts_free(struct store_counts *counts);

/* Fills the existing tables; the result is SQLite's. */
int store_counts_write(const struct store_counts *counts, sqlite3 *db);

#endif
