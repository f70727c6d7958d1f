/*
 * query_impl - what query.c, which opens, and statement.c, which runs, share.
 */
#ifndef TOPFN_QUERY_IMPL_H
#define TOPFN_QUERY_IMPL_H

#include <signal.h>
#include <sqlite3.h>

#include "engine/base/vec.h"
#include "engine/sql/allow.h"
#include "engine/sql/event_table.h"
#include "engine/sql/format.h"
#include "engine/sql/frame_table.h"
#include "engine/sql/places.h"
#include "engine/sql/query.h"

enum {
    MOST_PLACES = 8,
    QUERY_LONGEST_VALUE = 64 << 20, /* bytes */
};

struct parameter {
    const char *name, *value;
};

/* A schema that is a database. */
struct database {
    const char *name, *path;
};

struct query {
    sqlite3 *db;
    struct query_limits limits;
    struct access access;
    struct place places[MOST_PLACES];
    size_t place_count;
    VEC(struct database) databases;
    struct event_tables *events;
    struct frame_tables *frames;
    struct profile *stored; /* of the database, once frames are read */
    struct formats *formats;
    VEC(struct parameter) parameters;
    sqlite3_int64 most_memory; /* in use by SQLite; 0: no limit */
    int64_t deadline; /* of the statement that runs */
    volatile sig_atomic_t stopped; /* it is to end */
};

/* Whether the statement that runs is to end: has had its time, or was
 * stopped. The context is the query. */
int query_is_over(void *context);

#endif
