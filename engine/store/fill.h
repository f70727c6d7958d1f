/*
 * store_fill - the tables of a database in an open connection.
 *
 *     struct store_fill fill = {.db = db, .schema = "main"};
 *     if (!store_create(&fill))
 *         store_fill(&fill, profile);
 *
 * An SQL query of a trace needs a few of the tables only: `wanted` says which;
 * NULL means all. All functions return a result code of SQLite.
 */
#ifndef TOPFN_STORE_FILL_H
#define TOPFN_STORE_FILL_H

#include <sqlite3.h>

#include "engine/model/profile.h"

struct store_fill {
    sqlite3 *db;
    const char *schema; /* a name that needs no quotes */
    bool (*wanted)(void *context, const char *table);
    void *context;
};

/* All tables and views, empty. */
int store_create(const struct store_fill *fill);

/* Writes the rows of a finished profile into the wanted tables. */
int store_fill(const struct store_fill *fill, const struct profile *p);

#endif
