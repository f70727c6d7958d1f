/*
 * store_counts - what a database's views and quick reports need counted.
 *
 *     struct store_counts *counts = store_counts_new(p);   // any thread
 *     result = store_counts_write(counts, fill, pool);
 *     store_counts_free(counts);
 *
 * Everything here follows from the stored tables. Counting only reads the
 * profile, so it can go on while the tables are being written.
 */
#ifndef TOPFN_STORE_COUNTS_H
#define TOPFN_STORE_COUNTS_H

#include "engine/base/threads.h"
#include "engine/store/fill.h"

struct store_counts;

struct store_counts *store_counts_new(const struct profile *p);
void store_counts_free(struct store_counts *counts);

/* The tables that are counted, those of store/groups.h too; NULL ends. */
extern const char *const store_counted[];

/* Fills all of them but the groups, as one asks for all or none; the result
 * is SQLite's. */
int store_counts_write(struct store_counts *counts,
                       const struct store_fill *fill, struct threads *pool);

#endif
