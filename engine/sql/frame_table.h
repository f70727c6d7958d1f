/*
 * frame_table - frame_of_sample and frame_of_stack as virtual tables, which
 * walk the stacks of a profile instead of joining their rows.
 *
 *     struct frame_tables *t = frame_tables_new(db, is_over, context);
 *     frame_tables_add(t, "main", give, state);
 *     frame_tables_reads(t, "main", "frame_of_sample");  // a statement does
 *     frame_tables_fill(t, &err);                        // before it runs
 *
 * Their rows and columns are those of the views of a database, by sample and
 * then from the inside out. Conditions on the sample or the stack are looked
 * up, those on a function once for each function.
 */
#ifndef TOPFN_QUERY_FRAME_TABLE_H
#define TOPFN_QUERY_FRAME_TABLE_H

#include <sqlite3.h>
#include <stdbool.h>

#include "engine/base/err.h"

struct frame_tables;
struct profile;

/* `is_over` is asked now and then while stacks are walked: true ends it. */
struct frame_tables *frame_tables_new(sqlite3 *db, int (*is_over)(void *),
                                      void *context);
/* After the connection is closed. */
void frame_tables_free(struct frame_tables *t);

/* In a schema, in the place of the views there: two tables of the profile that
 * `give` gives, which is called once at most; NULL: err says why there is
 * none. The result is SQLite's. */
int frame_tables_add(struct frame_tables *t, const char *schema,
                     const struct profile *(*give)(void *state,
                                                   struct err *err),
                     void *state);

/* A statement reads a table of a schema (NULL: of some); others than these
 * are not minded. */
void frame_tables_reads(struct frame_tables *t, const char *schema,
                        const char *table);

/* Gets the profiles of those that are read. */
enum err_code frame_tables_fill(struct frame_tables *t, struct err *err);

#endif
