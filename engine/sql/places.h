/*
 * places - the schemas of a query that are made of traces.
 *
 *     place_open(place, db, "main", source);        // tables, all empty
 *     place_want(place, "samples");                 // a statement reads it
 *     place_fill(place, &err);                      // before it runs
 *
 * Tables are filled once, with the rows of a profile that is read when the
 * first of them is wanted.
 */
#ifndef TOPFN_QUERY_PLACES_H
#define TOPFN_QUERY_PLACES_H

#include <sqlite3.h>

#include "engine/sql/query.h"

enum { PLACE_NAME = 64 };

struct place {
    sqlite3 *db;
    char name[PLACE_NAME];
    const struct query_source *source;
    const struct profile *profile; /* NULL: not read yet */
    uint64_t wanted, filled;       /* a bit for each table */
};

/* The result is SQLite's. */
int place_open(struct place *place, sqlite3 *db, const char *name,
               const struct query_source *source);

/* Tables that are none of ours are not minded. */
void place_want(struct place *place, const char *table);

enum err_code place_fill(struct place *place, struct err *err);

/* Of the source, which is asked once; NULL: err says why there is none. */
const struct profile *place_profile(void *place, struct err *err);

#endif
