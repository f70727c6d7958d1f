/*
 * table_text - the text format of tables: widths, alignment, shortening.
 */
#ifndef TOPFN_TABLE_TEXT_H
#define TOPFN_TABLE_TEXT_H

#include "report/table/table.h"

void table_write_text(const struct table *table, size_t width,
                      struct out *out);

/* The value in a row of a column. */
struct value table_cell(const struct table *t, size_t column, size_t row);

/* Whether the column is to be aligned right: its values are numbers. */
bool column_is_number(const struct table *t, size_t column);

#endif
