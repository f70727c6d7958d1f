/*
 * chosen_columns - the columns of a table that --columns names.
 *
 *     table_write_chosen(&table, o->columns, o->format, o->width, out);
 *
 * A name is what stands above a column or its member in JSON: text and
 * Markdown look for the first, CSV for the second, and then each for the
 * other. Columns are called in the output as they were named.
 */
#ifndef TOPFN_CHOSEN_COLUMNS_H
#define TOPFN_CHOSEN_COLUMNS_H

#include "report/table/table.h"

/* Columns that a report may have, of one of its tables. */
struct column_set {
    const struct column *list; /* NULL: behind the last set */
    size_t count;
};

/* All columns where `names` is NULL. Names that are none of this table's are
 * passed over; a table of which nothing is left is not written. */
void table_write_chosen(const struct table *table, const char *names,
                        enum format format, size_t width, struct out *out);

/* Whether sets have all of these columns; if not, `*wrong` and `*n` are the
 * first name that is none. */
bool column_sets_have(const struct column_set *sets, enum format format,
                      const char *names, const char **wrong, size_t *n);

/* The name of column `i` of those that can be chosen; NULL behind the last. */
const char *column_sets_name(const struct column_set *sets, enum format format,
                             size_t i);

#endif
