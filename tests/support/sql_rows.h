/*
 * sql_rows - what a statement of SQL gives, as a text.
 *
 *     char *rows = sql_rows_well(q, "SELECT 1, NULL");   // "1 -\n"
 *     free(rows);
 */
#ifndef TESTS_SUPPORT_SQL_ROWS_H
#define TESTS_SUPPORT_SQL_ROWS_H

#include "engine/sql/query.h"

/* A query of one recording, `source`, which has to stay as long as it. */
struct query *sql_rows_open(const struct query_source *source);

/* All rows of the first statement, values parted by blanks, to be freed;
 * NULL: err says why there are none. */
char *sql_rows(struct query *q, const char *sql, struct err *err);

/* The same of a statement that must not fail: it ends the program. */
char *sql_rows_well(struct query *q, const char *sql);

#endif
