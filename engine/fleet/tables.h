/*
 * tables - the tables of a fleet's database, as data.
 *
 *     struct out *sql = out_memory();
 *     for (size_t i = 0; fleet_statement(i, "fleet", NULL, &sql); i++)
 *         run(sql);
 *
 * Rows that recordings have in common are stored once: the id of a process,
 * module, method, function, location or stack is a hash of its other columns,
 * so that any number of recordings share its row, whoever sent it. A stack's
 * row names its process and the state of its samples, so that samples add up
 * by the id of their stack. Samples are per recording. The row of a recording
 * in `runs` is written last: nobody reads samples without such a row, and of
 * several rows with one hash only the smallest number counts.
 *
 * In a cluster each table is there twice: NAME_shard holds the rows of a
 * server, NAME those of all. A recording's samples lie on one server.
 */
#ifndef TOPFN_FLEET_TABLES_H
#define TOPFN_FLEET_TABLES_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/out.h"

enum { FLEET_VERSION = 4 }; /* of the schema */

/* A table after those that its rows refer to. */
enum fleet_table_id {
    FLEET_PROCESSES,
    FLEET_MODULES,
    FLEET_METHODS,
    FLEET_FUNCTIONS,
    FLEET_LOCATIONS,
    FLEET_STACKS,
    FLEET_CONTENT, /* how many are known by their content */
    FLEET_SAMPLES = FLEET_CONTENT,
    FLEET_RUNS,
    FLEET_TABLES
};

struct fleet_column {
    const char *name, *type;
    const char *about; /* a phrase */
};

struct fleet_table {
    const char *name, *about;
    const struct fleet_column *columns;
    size_t width;
    const char *engine; /* and order */
    const char *shard;  /* by what rows are spread over servers */
};

extern const struct fleet_table fleet_tables[FLEET_TABLES];

/* Replaces `sql` by statement `i` of those that make the database, or what is
 * missing of it. `cluster` is a name in the servers' configuration, or NULL.
 * False behind the last. */
bool fleet_statement(size_t i, const char *database, const char *cluster,
                     struct out **sql);

#endif
