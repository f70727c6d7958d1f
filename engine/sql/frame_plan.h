/*
 * frame_plan - which conditions of a statement a walk over stacks takes.
 *
 *     SCAN frame_of_sample VIRTUAL TABLE INDEX 0:sample>= label=
 *     SCAN frame_of_sample VIRTUAL TABLE INDEX 1:kind= +module -label
 *
 * is what EXPLAIN QUERY PLAN shows: a condition on the subject, which is the
 * sample or the stack of a row, or an equation with a column of functions;
 * each takes the next value. "+module -label" is the order rows come in.
 */
#ifndef TOPFN_QUERY_FRAME_PLAN_H
#define TOPFN_QUERY_FRAME_PLAN_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "engine/sql/frame_columns.h"

/* The number of the index: how rows come. */
enum frame_plan_flags {
    FRAMES_GROUPED = 1,  /* by function: counted first, then in order */
    FRAMES_DISTINCT = 2, /* and of every function one is enough */
};

/* For xBestIndex. */
int frame_plan(sqlite3_vtab *base, sqlite3_index_info *info);

/* A word of the plan. */
struct frame_term {
    enum frame_column_id column;
    const char *op; /* of a condition; NULL: of the order */
    bool descending;
};

/* The first term of the plan, which is moved behind it; false at the end. */
bool frame_plan_next(const char **plan, struct frame_term *term);

/* The column is the sample or the stack of a row. */
bool frame_is_subject(enum frame_column_id column);

#endif
