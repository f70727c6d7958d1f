/*
 * event_columns - what all events have in common, as columns.
 *
 * One list for the tables, the plans and `topfn query --schema`. Those of
 * LogParser's ETW input keep their names and types, and are shown only when
 * they are asked for.
 */
#ifndef TOPFN_SQL_EVENT_COLUMNS_H
#define TOPFN_SQL_EVENT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/events/events.h"
#include "engine/sql/virtual_table.h"

enum event_column_id {
    EVENT_TIME,
    EVENT_CPU,
    EVENT_PID,
    EVENT_TID,
    EVENT_PROVIDER,
    EVENT_EVENT,
    EVENT_ID,
    EVENT_VERSION,
    EVENT_LEVEL,
    EVENT_KEYWORDS,
    EVENT_SIZE,
    EVENT_USER_DATA,
    EVENT_PAYLOAD,
    EVENT_TRACE_NAME,
    EVENT_NUMBER,
    EVENT_TIMESTAMP,
    EVENT_INSTANCE,
    EVENT_PARENT_INSTANCE,
    EVENT_PARENT_GUID,
    EVENT_PROVIDER_NAME,
    EVENT_PROVIDER_GUID,
    EVENT_NAME,
    EVENT_DESCRIPTION,
    EVENT_EVENT_VERSION,
    EVENT_GUID,
    EVENT_TYPE,
    EVENT_TYPE_NAME,
    EVENT_TYPE_DESCRIPTION,
    EVENT_TYPE_LEVEL,
    EVENT_THREAD_ID,
    EVENT_PROCESS_ID,
    EVENT_KERNEL_TIME,
    EVENT_USER_TIME,
    EVENT_USER_DATA_TEXT,
    EVENT_PROCESS_NAME,
    EVENT_IMAGE_NAME,
    EVENT_TICKS,
    EVENT_IS_32_BIT,
    EVENT_OPCODE,
    EVENT_TASK,
    EVENT_ACTIVITY,
    EVENT_RELATED,
    EVENT_LABELS,
    EVENT_ATTRIBUTES,
    EVENT_STACK,
    EVENT_FUNCTION,
    EVENT_COLUMNS,
};

struct event_column {
    const char *name, *type, *about;
    bool hidden;  /* not of SELECT * */
    bool of_kind; /* the same for all events of a kind */
};

extern const struct event_column event_columns[EVENT_COLUMNS];

/* The columns of the table `spans` (span_table.c). */
enum span_column_id {
    SPAN_NAME,
    SPAN_START,
    SPAN_END,
    SPAN_DURATION,
    SPAN_PID,
    SPAN_TID,
    SPAN_ACTIVITY,
    SPAN_PROVIDER,
    SPAN_EVENT,
    SPAN_COLUMNS,
};

extern const struct event_column span_columns[SPAN_COLUMNS];

/* The value of a column but the last two of enum event_column_id: one of a
 * kind, or any. */
struct virtual_value event_kind_value(const struct event_kind *kind,
                                      int column);
/* NULL: it is not known. */
struct virtual_value event_guid_value(const uint8_t *bytes);
/* Texts that are made for it are in `row`. */
struct virtual_value event_value(struct event_trace *trace,
                                 const struct event *event, int column,
                                 struct arena *row);

#endif
