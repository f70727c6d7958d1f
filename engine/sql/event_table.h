/*
 * event_table - the events of a trace as virtual tables of SQLite.
 *
 *     struct event_tables *t = event_tables_new(db, is_over, context);
 *     event_tables_add(t, "main", &source);        // main.events
 *     event_tables_make(t, "no such table: Windows Kernel/Process/Start");
 *
 * `events` has a row for every event: what all have in common and the payload
 * as JSON. A table that is named after an event has a column for each of its
 * fields; it is made when a statement first names it.
 *
 * Conditions on time, provider, event, process and thread go down to the
 * reader (event_plan.h), which passes over buffers that hold none such; only
 * columns that are asked for are decoded.
 */
#ifndef TOPFN_QUERY_EVENT_TABLE_H
#define TOPFN_QUERY_EVENT_TABLE_H

#include <sqlite3.h>

#include "engine/sql/query.h"

struct event_tables;

/* `is_over` is asked now and then while a trace is walked: true ends it. */
struct event_tables *event_tables_new(sqlite3 *db, int (*is_over)(void *),
                                      void *context);
/* After the connection is closed. */
void event_tables_free(struct event_tables *t);

/* For the trace of a schema; the result is SQLite's. */
int event_tables_add(struct event_tables *t, const char *schema,
                     const struct query_source *source);

/* Makes the table that a message says is missing. False: it is none of an
 * event of these traces. */
bool event_tables_make(struct event_tables *t, const char *message);

/* A statement begins: forgets effort and failure. */
void event_tables_begin(struct event_tables *t);
struct query_effort event_tables_effort(const struct event_tables *t);

/* Whether a trace could not be read, and why. */
bool event_tables_failed(const struct event_tables *t, struct err *err);

#endif
