/*
 * store_counts - what a database's views and quick reports need counted.
 *
 * Everything here follows from the stored tables; it is computed once, when
 * the database is written.
 */
#ifndef TOPFN_STORE_COUNTS_H
#define TOPFN_STORE_COUNTS_H

#include <sqlite3.h>

#include "engine/profile.h"

/* Fill the computed tables; the result is SQLite's. */
int store_write_groups(sqlite3 *db, const struct profile *p);
int store_write_counts(sqlite3 *db, const struct profile *p);

#endif
