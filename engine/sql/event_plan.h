/*
 * event_plan - which conditions of a statement the reader of events takes.
 *
 *     SCAN events VIRTUAL TABLE INDEX 2:time>=? time<? provider=?
 *
 * is what EXPLAIN QUERY PLAN shows. The reader lets through what fits, and
 * perhaps a little more; SQLite looks at every condition again.
 */
#ifndef TOPFN_QUERY_EVENT_PLAN_H
#define TOPFN_QUERY_EVENT_PLAN_H

#include <sqlite3.h>

#include "engine/base/vec.h"
#include "engine/events/events.h"

/* The number of the index: how rows come. */
enum event_plan_flags {
    PLAN_ORDERED = 1,  /* by time; otherwise as they are stored */
    PLAN_GROUPED = 2,  /* by kind: counted first, then given in order */
    PLAN_DISTINCT = 4, /* and of every kind one is enough */
    PLAN_NUMBERED = 8,
    PLAN_SUBJECTS = 16, /* processes are asked for */
};

/* For xBestIndex. */
int event_plan(sqlite3_index_info *info);

/* The order that a grouped plan is to give. */
struct event_order {
    uint8_t column; /* enum event_column_id */
    bool descending;
};

/* What the reader is told, with the lists it points to. */
struct event_filter {
    struct event_options options;
    VEC(const char *) providers, events;
    VEC(uint32_t) pids, tids;
    struct event_order order[8];
    size_t orders;
    VEC(char *) texts; /* to be freed */
    bool any_provider, any_event; /* one of those listed is empty */
};

/* For xFilter, from what event_plan made. */
void event_filter_init(struct event_filter *f, int flags, const char *plan,
                       sqlite3_value **values);
void event_filter_release(struct event_filter *f);

#endif
