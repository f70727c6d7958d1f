/*
 * tables - the tables of a Firefox profile, in either of its layouts.
 *
 * Processed profiles have a list for each column:
 *
 *     {"length": 2, "prefix": [null, 0], "frame": [3, 4]}
 *
 * Gecko profiles have rows, whose columns a schema numbers; rows may end
 * early:
 *
 *     {"schema": {"prefix": 0, "frame": 1}, "data": [[null, 3], [0, 4]]}
 *
 * From version 71 on columns that may have no value hold 0 there instead, and a
 * column `flags` says which of them count.
 *
 * What is not there is no value (json_read.h).
 */
#ifndef TOPFN_FIREFOX_TABLES_H
#define TOPFN_FIREFOX_TABLES_H

#include "engine/base/json_read.h"

struct table_read {
    struct json_value table, data; /* data: of rows; none: columns */
    size_t len;
};

/* `by` is a column of every such table, which tells how long it is. */
struct table_read table_of(struct json_value table, const char *by);

/* A column of it, looked up once. */
struct column_read {
    struct json_value values; /* of columns */
    struct json_value rows;   /* of rows, and where the value is in each */
    size_t at;
};

struct column_read column_of(const struct table_read *table, const char *name);
bool table_has(const struct table_read *table, const char *column);

struct json_value column_at(const struct column_read *column, size_t row);
uint64_t column_number(const struct column_read *column, size_t row,
                       uint64_t none);

/* A value of a column that few rows are asked for, and the same where it
 * counts only with a flag. */
uint64_t table_number(const struct table_read *table, const char *column,
                      uint64_t row);
uint64_t table_flagged(const struct table_read *table, const char *column,
                       uint64_t row, uint64_t flag);

#endif
