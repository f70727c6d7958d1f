/*
 * format - printf and format of SQL, which say when they meet a limit.
 *
 *     struct formats *f = formats_new(db);
 *     sqlite3_close(db);
 *     formats_free(f);
 *
 * SQLite's own give NULL for a text that would be too long, after they worked
 * for as long as its width says, which nothing can interrupt. These fail with
 * SQLITE_TOOBIG, by the connection's SQLITE_LIMIT_LENGTH; else they do what
 * SQLite's do.
 */
#ifndef TOPFN_QUERY_FORMAT_H
#define TOPFN_QUERY_FORMAT_H

#include <sqlite3.h>

struct formats;

struct formats *formats_new(sqlite3 *db);
void formats_free(struct formats *f);

#endif
