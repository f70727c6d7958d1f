/*
 * query - the rows that a statement of SQL gives, in every format.
 *
 *     while ((r = query_next(q, &sql, &err)))
 *         query_write(r, &options, memory, out, &err);
 *
 * JSON and CSV are written row by row, whatever there is; text and Markdown
 * are laid out, so they are collected first.
 */
#ifndef TOPFN_REPORT_QUERY_H
#define TOPFN_REPORT_QUERY_H

#include "engine/sql/query.h"
#include "report/report.h"

/* Runs the statement to its end and frees it. At most `memory` bytes are
 * collected (0: any number); more is ERR_LIMIT, as what stopped the statement
 * is an error. */
enum err_code query_write(struct query_result *query,
                          const struct report_options *options,
                          uint64_t memory, struct out *out, struct err *err);

/* Lists every table, view and column that can be queried. */
report_writer query_schema_write;

#endif
