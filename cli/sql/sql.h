/*
 * sql - the statements of `topfn query`: given, in a file, or typed.
 */
#ifndef TOPFN_CLI_SQL_H
#define TOPFN_CLI_SQL_H

#include "cli/options/options.h"
#include "cli/terminal/terminal.h"
#include "engine/sql/query.h"

/* Runs all statements of a text; the first that fails ends it, and is said. */
enum status sql_run(struct query *q, const char *sql, const struct options *o);

/* Of a file ("-": standard input), which is to be freed; NULL: said why. */
char *sql_read(const char *path, enum status *status);

/* Every table, view and column, and what it is. */
enum status sql_show_schema(const struct options *o);

/* Asks until the end of the input. A statement that fails is said. */
enum status sql_prompt(struct query *q, const struct options *o);

#endif
