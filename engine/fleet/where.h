/*
 * where - which recordings of a fleet are meant.
 *
 *     struct out *sql = out_memory();
 *     if (!where_sql("version=2.1 and service=orders", sql, &err))
 *         ask("SELECT run FROM runs WHERE ", out_text(sql, NULL));
 *
 * Comparisons joined by `and`, `or`, `not` and parentheses, which bind as in
 * SQL. A comparison is a key, one of = != < <= > >=, and a value, in quotes of
 * either kind if blanks or parentheses are in it:
 *
 *     key      a label, or host, os, file, format, metric, run, day
 *     = !=     the same text, or a glob with * and ?; "" where a label is not
 *     < <= > >=  by the numbers in it, one after the other: 2.9 < 2.10; a
 *                recording without the label is on neither side
 */
#ifndef TOPFN_FLEET_WHERE_H
#define TOPFN_FLEET_WHERE_H

#include <stdbool.h>

#include "engine/base/err.h"
#include "engine/base/out.h"

/* A condition over the table `runs`, in parentheses. ERR_USAGE, and what was
 * expected where, when the text is no condition. */
enum err_code where_sql(const char *text, struct out *sql, struct err *err);

/* The SQL of a key's value, as text. */
void where_key_sql(const char *key, struct out *sql);

/* Whether a key can be a label's: letters, digits, "_", "-", ".". */
bool where_is_key(const char *key);

/* Whether a key is what every recording has, whatever its labels. */
bool where_is_known(const char *key);

#endif
