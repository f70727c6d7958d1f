/*
 * frame_scan - the rows of one table of frames: a walk over stacks.
 *
 * What frame_table.c puts into its module: SQLite's methods of a cursor;
 * frame_plan.h has the plans they follow.
 */
#ifndef TOPFN_QUERY_FRAME_SCAN_H
#define TOPFN_QUERY_FRAME_SCAN_H

#include <sqlite3.h>

#include "engine/base/err.h"
#include "engine/sql/frame_columns.h"

/* The profile of a schema. */
struct frame_place {
    const char *schema;
    const struct profile *(*give)(void *state, struct err *err);
    void *state;
    bool wanted;
    struct frame_texts texts; /* without a profile: not given yet */
    bool *used;               /* stacks of samples; NULL: not looked for yet */
};

struct frame_table {
    sqlite3_vtab base;
    struct frame_place *place;
    int (*is_over)(void *);
    void *context;
    bool of_samples; /* else of stacks */
    enum frame_column_id columns[FRAME_COLUMNS];
    int width;
};

int frame_scan_open(sqlite3_vtab *base, sqlite3_vtab_cursor **made);
int frame_scan_close(sqlite3_vtab_cursor *base);
int frame_scan_filter(sqlite3_vtab_cursor *base, int flags, const char *plan,
                      int argc, sqlite3_value **argv);
int frame_scan_next(sqlite3_vtab_cursor *base);
int frame_scan_eof(sqlite3_vtab_cursor *base);
int frame_scan_column(sqlite3_vtab_cursor *base, sqlite3_context *context,
                      int i);
int frame_scan_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *id);

#endif
