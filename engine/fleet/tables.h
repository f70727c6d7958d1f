/*
 * tables - what a fleet's database looks like, as data.
 *
 *     struct out *sql = out_memory();
 *     struct fleet_layout layout = {.database = "fleet"};
 *     for (size_t i = 0; fleet_statement(i, &layout, &sql); i++)
 *         run(sql);
 *
 * What recordings have in common is stored once: rows of the first tables are
 * known by what is in them (fleet_id), so that the same function, stack or
 * module of any number of recordings, sent by whomever and however often, is
 * one row. A stack's row says of which process it is, too, and what its samples
 * were doing, so that samples are added up by the number of their stack alone.
 * Samples are per recording, and a recording is there when its row
 * in `runs` is: it is written last, and nobody reads samples without it, nor
 * those of a row whose hash another row replaces.
 *
 * In a cluster each table is there twice: NAME_shard holds the rows of a
 * server, NAME those of all. A recording's samples lie on one server.
 */
#ifndef TOPFN_FLEET_TABLES_H
#define TOPFN_FLEET_TABLES_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/out.h"

enum { FLEET_VERSION = 3 }; /* of the schema */

/* Of a recording's number so many bits are drawn; those before them are the
 * same for the same labels. */
enum { FLEET_RUN_BITS = 52 };

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

struct fleet_layout {
    const char *database;
    const char *cluster; /* as the servers' configuration names it, or NULL */
    bool replicas; /* by the servers' macros {shard} and {replica} */
};

/* Replaces `sql` by statement `i` of those that make the database, or what is
 * missing of it. False behind the last. */
bool fleet_statement(size_t i, const struct fleet_layout *layout,
                     struct out **sql);

#endif
