/*
 * event_values - what all events have in common, as values of SQL.
 */
#ifndef TOPFN_QUERY_EVENT_VALUES_H
#define TOPFN_QUERY_EVENT_VALUES_H

#include <sqlite3.h>

#include "engine/events/events.h"

/* Of a column that is the same for all events of a kind: a text, which may be
 * NULL, or a number. */
struct kind_value {
    bool is_text;
    const char *text;
    sqlite3_int64 number;
    char guid[40]; /* the text may be this */
};

void kind_value(const struct event_kind *kind, int column,
                struct kind_value *value);
void kind_result(const struct event_kind *kind, int column,
                 sqlite3_context *context);

/* Any column of enum event_column_id. */
void event_result(struct event_trace *trace, const struct event *event,
                  int column, sqlite3_context *context);

#endif
