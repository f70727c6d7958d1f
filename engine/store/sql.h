/*
 * store_sql - SQLite's ways in ours: texts, distrust, errors.
 */
#ifndef TOPFN_STORE_SQL_H
#define TOPFN_STORE_SQL_H

#include <sqlite3.h>

#include "engine/base/err.h"

/* sqlite3_mprintf, for sqlite3_free; NULL, which sqlite3_exec takes for
 * nothing to do, is memory that ran out. */
char *store_sql_text(const char *format, ...);

/* Ends the program where this result says that memory ran out. */
void store_sql_memory(int result);

/* Nothing in a file of somebody else runs code, and what is damaged in it is
 * noticed; then `pragmas`. The result is SQLite's. */
int store_distrust(sqlite3 *db, const char *pragmas);

/* Records what SQLite says of its last failure; returns our code for it. */
enum err_code store_sql_fail(struct err *err, sqlite3 *db, int result,
                             const char *path, const char *doing);

#endif
