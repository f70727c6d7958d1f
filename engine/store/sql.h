/*
 * store_sql - SQLite's memory, errors and defences.
 */
#ifndef TOPFN_STORE_SQL_H
#define TOPFN_STORE_SQL_H

#include <sqlite3.h>

#include "engine/base/err.h"

/* sqlite3_mprintf; the caller calls sqlite3_free. Ends the program when memory
 * runs out: sqlite3_exec would take NULL for an empty statement. */
char *store_sql_text(const char *format, ...);

/* Ends the program when this result code says that memory ran out. */
void store_sql_memory(int result);

/* Makes SQLite run no code of the file's author and check the pages it reads;
 * then runs `pragmas`. The result is SQLite's. */
int store_distrust(sqlite3 *db, const char *pragmas);

/* Sets err to SQLite's message for its last failure; returns our code. */
enum err_code store_sql_fail(struct err *err, sqlite3 *db, int result,
                             const char *path, const char *doing);

#endif
