/*
 * query_impl - a query, which the files of this room share.
 */
#ifndef TOPFN_SQL_QUERY_IMPL_H
#define TOPFN_SQL_QUERY_IMPL_H

#include <sqlite3.h>

#include "engine/base/vec.h"
#include "engine/events/spans.h"
#include "engine/sql/allow.h"
#include "engine/sql/frame_columns.h"
#include "engine/sql/query.h"

enum {
    MOST_PLACES = 8,
    PLACE_NAME = 64,
    QUERY_LONGEST_VALUE = 64 << 20, /* bytes */
};

struct parameter {
    const char *name, *value;
};

/* A schema that is a database. */
struct database {
    const char *name, *path;
};

/* A schema whose rows come from a source: a trace, or the frames of the first
 * database. */
struct place {
    char name[PLACE_NAME];
    const struct query_source *source;
    const struct profile *profile; /* NULL: not read yet */
    bool has_tables;               /* to be filled; a database has its own */
    uint64_t wanted, filled;       /* a bit for each table */
    struct event_trace *trace;     /* NULL: not opened yet */
    bool wants_frames;
    bool wants_event_stacks, has_event_stacks; /* of the profile */
    struct frame_texts texts; /* without a profile: not wanted yet */
    struct event_spans spans; /* without names: not found yet */
    bool *used;               /* stacks of samples; NULL: not known yet */
};

struct query {
    sqlite3 *db;
    struct query_limits limits;
    struct access access;
    struct place places[MOST_PLACES + 1];
    size_t place_count;
    VEC(struct database) databases;
    struct query_source stored_source; /* of the database's frames */
    struct profile *stored;            /* NULL: not read yet */
    VEC(struct parameter) parameters;
    sqlite3_int64 most_memory; /* in use by SQLite; 0: no limit */
    int64_t deadline;          /* of the statement that runs */
    struct query_effort effort;
    struct err trace_err; /* why a trace of events could not be opened */
};

/* The statement that runs has had its time. The context is the query. */
int query_is_over(void *context);

/* Runs SQL of the program's own and frees it. The result is SQLite's. */
int query_run(struct query *q, char *sql);

/* ---- places.c ---- */

/* Makes the tables of a trace, all empty. The result is SQLite's. */
int place_open(struct query *q, struct place *place);

/* A statement reads a table of this name. */
void place_want(struct place *place, const char *table);

/* Before a statement runs: fills the tables that it reads, each once, with rows
 * of the profile, which is read when the first of them is wanted. */
enum err_code place_fill(struct query *q, struct place *place, struct err *err);
void place_release(struct place *place);

/* NULL: there is none of that name. */
struct place *query_place(struct query *q, const char *schema);

/* Opens the events once; NULL: trace_err says why. */
struct event_trace *place_open_events(struct query *q, struct place *place);

/* ---- event_table.c ---- */

/* `events` has a row for every event, with the columns that all events have and
 * the payload as JSON. A table that is named after an event ("Process/Start")
 * has a column for each of its fields. */
extern const struct virtual_kind event_table_kind;

/* Makes the table that is missing by SQLite's message. False: it is not named
 * after an event of these traces. */
bool event_tables_make(struct query *q, const char *message);

/* ---- span_table.c ---- */

/* `spans` has a row for what one event starts and another stops. */
extern const struct virtual_kind span_table_kind;

/* ---- frame_table.c ---- */

/* frame_of_sample and frame_of_stack, which walk the stacks of a profile
 * instead of joining their rows, in place of the views of that name. */
extern const struct virtual_kind frame_table_kind;
int frame_tables_add(struct query *q, const struct place *place);
bool is_frame_table(const char *name);

#endif
