/*
 * event_scan - the rows of one table of events: a walk over the trace.
 *
 * What event_table.c puts into its module: SQLite's methods of a cursor.
 */
#ifndef TOPFN_QUERY_EVENT_SCAN_H
#define TOPFN_QUERY_EVENT_SCAN_H

#include <sqlite3.h>

#include "engine/base/vec.h"
#include "engine/sql/event_fields.h"
#include "engine/sql/query.h"

struct trace_place {
    const char *schema;
    const struct query_source *source;
    struct event_trace *trace; /* NULL: not opened yet */
};

struct event_tables {
    sqlite3 *db;
    int (*is_over)(void *);
    void *context;
    VEC(struct trace_place) places;
    struct query_effort effort;
    struct err err;
};

struct event_table {
    sqlite3_vtab base;
    struct event_tables *all;
    size_t place;
    struct event_fields *fields; /* NULL: all events */
};

/* Opens it when it is first asked for; NULL: t->err says why not. */
struct event_trace *event_tables_trace(struct event_tables *t, size_t place);

int event_scan_open(sqlite3_vtab *base, sqlite3_vtab_cursor **made);
int event_scan_close(sqlite3_vtab_cursor *base);
int event_scan_filter(sqlite3_vtab_cursor *base, int flags, const char *plan,
                      int argc, sqlite3_value **argv);
int event_scan_next(sqlite3_vtab_cursor *base);
int event_scan_eof(sqlite3_vtab_cursor *base);
int event_scan_column(sqlite3_vtab_cursor *base, sqlite3_context *context,
                      int i);
int event_scan_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *id);

#endif
