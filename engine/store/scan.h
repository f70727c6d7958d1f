/*
 * store_scan - the rows of one of our tables, in order.
 *
 *     struct store_row at;
 *     bool ok = store_scan(&at, load, "threads", sql, 0);
 *     while (ok && store_scan_next(&at, &ok))
 *         use(&at);                       // columns by store/get.h
 *     store_scan_end(&at);
 *
 * Ids must count up from the first without a gap. A failure is in the
 * load's err.
 */
#ifndef TOPFN_STORE_SCAN_H
#define TOPFN_STORE_SCAN_H

#include "engine/store/get.h"

/* False unless the table was made by the statement `sql`, to the letter. */
bool store_scan(struct store_row *at, struct store_load *load,
                const char *table, const char *sql, uint64_t first);

/* Whether something of our own ("table", "trigger") was made by the statement
 * `sql`, to the letter. */
bool store_scan_check(struct store_load *load, const char *type,
                      const char *name, const char *sql);

/* The next row, whose id becomes at->id; false at the end and on failure. */
bool store_scan_next(struct store_row *at, bool *ok);

void store_scan_end(struct store_row *at);

/* Records what SQLite says of its last failure; returns false. */
bool store_load_fail(struct store_load *load, int result, const char *what);

#endif
