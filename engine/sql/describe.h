/*
 * describe - every table, view and column there is, and what it is.
 *
 *     size_t n;
 *     struct described *rows = query_describe(&n);
 *     for (size_t i = 0; i < n; i++)
 *         show(rows[i].table, rows[i].column, rows[i].about);
 *     free(rows);
 *
 * Views come first, then the events, then tables; each as a row without a
 * column, and one for each of its columns.
 */
#ifndef TOPFN_SQL_DESCRIBE_H
#define TOPFN_SQL_DESCRIBE_H

#include <stddef.h>

struct described {
    const char *table;
    const char *kind;   /* view, table, or events: a virtual table */
    const char *column; /* NULL: the row is about the table */
    const char *type;   /* INTEGER, TEXT, ...; NULL: a view's columns */
    const char *about;
};

/* To be freed; the texts live as long as the program. */
struct described *query_describe(size_t *count);

#endif
