/*
 * event_fields - the fields of one event as columns.
 *
 *     struct event_fields *f = event_fields_new(trace, "Process/Start");
 *     f->fields.data[0].name                              // "ProcessId"
 *     event_fields_read(f, event);
 *     event_fields_result(f, 0, context);
 *
 * A name is "Provider/Event" or the event's alone. Versions of an event differ
 * in their fields: the columns are those of all that are known when the table
 * is made, each by its name. A field that only a version has which comes up
 * later in the trace is in user_data alone.
 */
#ifndef TOPFN_SQL_EVENT_FIELDS_H
#define TOPFN_SQL_EVENT_FIELDS_H

#include <sqlite3.h>

#include "engine/base/arena.h"
#include "engine/base/vec.h"
#include "engine/events/schema.h"

/* Stack1, Stack2, ...: Windows writes no more than 192 frames. */
enum { EVENT_STACK_COLUMNS = 192 };

struct event_field_column {
    const char *name;  /* no two alike */
    const char *field; /* as the schema calls it */
    const char *type; /* INTEGER, REAL, TEXT or BLOB */
};

struct event_fields {
    VEC(struct event_field_column) fields;
    VEC(const struct event_kind *) kinds;
    /* Filters of a cursor for the events of the table. NULL: any provider. */
    const char *providers[1], *events[2];
    struct arena arena;
    /* Values of the event that was read. */
    const struct event *event;
    VEC(struct out *) texts; /* by column; NULL: not a text */
    VEC(sqlite3_int64) numbers;
    VEC(double) reals;
    VEC(uint8_t) types; /* SQLite's; NULL where the event has no such field */
    /* Addresses of the field "Stack", which are columns by number, too. */
    uint64_t stack[EVENT_STACK_COLUMNS];
    size_t stack_count;
    bool has_stack;
};

/* NULL: the trace knows no such event. */
struct event_fields *event_fields_new(struct event_trace *trace,
                                      const char *name);
void event_fields_free(struct event_fields *f);

/* True if there is a column of this name. */
bool event_fields_named(const struct event_fields *f, const char *column);

/* True if the table has the events of this kind. */
bool event_fields_has(struct event_fields *f, const struct event_kind *kind);

/* Decodes; the event must live until the next call. */
void event_fields_read(struct event_fields *f, const struct event *event);
void event_fields_result(const struct event_fields *f, size_t i,
                         sqlite3_context *context);

/* The address of StackN, N from 1; NULL where the stack is shorter. */
void event_fields_stack_result(const struct event_fields *f, size_t n,
                               sqlite3_context *context);

#endif
