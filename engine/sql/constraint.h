/*
 * constraint - conditions of SQLite as the plans of our tables write them.
 */
#ifndef TOPFN_QUERY_CONSTRAINT_H
#define TOPFN_QUERY_CONSTRAINT_H

#include <sqlite3.h>

/* "=", ">=", ... of a SQLITE_INDEX_CONSTRAINT_...; NULL: not one that compares
 * by order. */
const char *constraint_operator(int op);

#endif
