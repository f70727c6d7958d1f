/*
 * store_fill - the tables of a database in an open connection.
 *
 *     struct store_fill fill = {.db = db, .schema = "main"};
 *     if (!store_create(&fill))
 *         store_fill(&fill, profile);
 *
 * What SQL is to be asked of a trace needs a few of the tables only: `wanted`
 * says which, and is NULL for all. All functions return a result code of
 * SQLite.
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

/* The rows of a finished profile into those wanted. */
int store_fill(const struct store_fill *fill, const struct profile *p);

#endif
