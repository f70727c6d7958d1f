/*
 * store_counts - tables that count the samples: for the views, and for reports
 * that need no times.
 *
 *     result = store_counts_write(fill, profile);   // SQLite's
 */
#ifndef TOPFN_STORE_COUNTS_H
#define TOPFN_STORE_COUNTS_H

#include "engine/store/fill.h"

/* Names of these tables; NULL ends. */
extern const char *const store_counted[];

/* Fills all of them, whichever is wanted. */
int store_counts_write(const struct store_fill *fill, const struct profile *p);

#endif
