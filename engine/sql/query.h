/*
 * query - SQL over the tables of a profile and the events of a trace.
 *
 *     struct query *q = query_new(NULL, &limits, &err);
 *     query_add_trace(q, "main", &source, &err);
 *     while ((r = query_next(q, &sql, &err))) {
 *         while (query_step(r))
 *             use(query_value(r, 0));
 *         query_end(r, &err);
 *     }
 *     query_free(q);
 *
 * A database is opened as it is. Tables of a trace are filled when a statement
 * first reads them; its events and frames are virtual tables, walked while the
 * statement runs.
 *
 * SQL can read and nothing else (allow.h), and a statement ends when it takes
 * more time or memory than it may. Wrong SQL and what is refused is
 * ERR_USAGE, what meets a limit ERR_LIMIT.
 */
#ifndef TOPFN_SQL_H
#define TOPFN_SQL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"

struct event_trace;
struct profile;
struct query;
struct query_result;

/* Limits of one statement, not counting the filling of tables; 0: none. */
struct query_limits {
    int64_t time_ns;
    uint64_t memory; /* bytes */
};

/* Where the tables of a trace come from. */
struct query_source {
    /* A finished profile, which stays the source's; NULL: there is none, err
     * says why. Called again, once, if a later statement needs the stacks of
     * events: the query uses the first profile no longer. */
    const struct profile *(*profile)(void *state, bool event_stacks,
                                     struct err *err);
    void *state;
    /* Files of the events; they must live as long as the query. */
    const char *const *paths;
    size_t path_count;
    /* Opens them (input/trace_events.h); the query closes the trace. */
    struct event_trace *(*open_events)(const char *const *paths, size_t count,
                                       struct err *err);
};

/* Over the database at `path`, or with none. NULL: err says why. Names and
 * paths must live as long as the query, here and below. */
struct query *query_new(const char *path, const struct query_limits *limits,
                        struct err *err);
void query_free(struct query *q);

/* Under a name of its own ("main" unless there is a database), which is
 * letters, digits and _. */
enum err_code query_add_trace(struct query *q, const char *name,
                              const struct query_source *source,
                              struct err *err);
enum err_code query_add_database(struct query *q, const char *name,
                                 const char *path, struct err *err);

/* Gives :name, @name or $name of later statements a value; "1" is the name of ?1
 * and of the first ?. It is a number where it reads as one. Texts must live as
 * long as the query. */
void query_parameter(struct query *q, const char *name, const char *value);

/* The first statement of the text, which is moved behind it; NULL at the end
 * and on failure. */
struct query_result *query_next(struct query *q, const char **sql,
                                struct err *err);

/* The next row; false at the end, and on failure. */
bool query_step(struct query_result *r);

/* Frees; the failure that ended it, if one did. */
enum err_code query_end(struct query_result *r, struct err *err);

size_t query_columns(const struct query_result *r);
const char *query_column_name(const struct query_result *r, size_t i);

enum query_type {
    QUERY_NULL,
    QUERY_NUMBER, /* as text, in every locale the same */
    QUERY_TEXT,   /* may hold bytes of 0 */
    QUERY_BLOB,
};

struct query_value {
    enum query_type type;
    const char *text;
    size_t len;
};

/* A value of the current row, valid until the next step. */
struct query_value query_value(const struct query_result *r, size_t i);

/* Buffers of the trace that the last statement read and skipped (events.h). */
struct query_effort {
    uint64_t buffers, skipped;
};

struct query_effort query_effort(const struct query *q);

#endif
