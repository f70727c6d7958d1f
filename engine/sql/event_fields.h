/*
 * event_fields - the fields of one event as columns.
 *
 *     struct event_fields *f = event_fields_new(trace, "Process/Start");
 *     f->fields.data[0].name                              // "ProcessId"
 *     event_fields_read(f, event);
 *     event_fields_value(f, 0)
 *
 * A name is "Provider/Event" or the event's alone. Versions of an event differ
 * in their fields: the columns are those of all that are known when the table
 * is made, each by its name. A field that only a version has which comes up
 * later in the trace is in user_data alone.
 */
#ifndef TOPFN_SQL_EVENT_FIELDS_H
#define TOPFN_SQL_EVENT_FIELDS_H

#include "engine/base/arena.h"
#include "engine/base/vec.h"
#include "engine/events/schema.h"
#include "engine/sql/virtual_table.h"

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
    struct virtual_value *values; /* by column */
    struct arena row;             /* their texts */
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

/* Decodes an event; its values live until the next call. */
void event_fields_read(struct event_fields *f, const struct event *event);
/* Columns behind those of the fields are the addresses of Stack1, Stack2, ...;
 * null where the stack is shorter. */
struct virtual_value event_fields_value(struct event_fields *f, size_t i);

#endif
