/*
 * where - the question to a fleet: which recordings, and which of them apart.
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
#include <stdint.h>

#include "engine/fleet/client.h"

struct fleet_question {
    struct fleet_access access;
    const char *where; /* a condition; NULL: all */
    int64_t since;     /* recordings begun then or later, seconds since 1970 */
    /* Recordings that differ in this key stay apart, as inputs of the profile;
     * NULL: all are one. */
    const char *apart;
};

/* A condition over the table `runs`, in parentheses. ERR_USAGE, and what was
 * expected where, when the text is no condition. */
enum err_code where_sql(const char *text, struct out *sql, struct err *err);

/* The SQL of a key's value, as text. */
void where_key_sql(const char *key, struct out *sql);

/* The condition over `runs` of the recordings that are meant: one row of each,
 * as a recording may have been sent several times. */
enum err_code choose_runs(const struct fleet *f,
                          const struct fleet_question *question,
                          struct out *sql, struct err *err);

/* True if a key can be a label's: letters, digits, "_", "-", ".". */
bool where_is_key(const char *key);

/* True for a key that every recording has, whatever its labels. */
bool where_is_known(const char *key);

#endif
