/*
 * prune_impl - what prune.c and daily.c share.
 */
#ifndef TOPFN_FLEET_PRUNE_IMPL_H
#define TOPFN_FLEET_PRUNE_IMPL_H

#include "engine/fleet/question.h"

struct pruning {
    struct fleet *f;
    const struct fleet_question *q;
    const char *suffix; /* of the tables that hold this server's rows */
    struct err *err;
};

/* Numbers that a statement selects; `ids` may be NULL. */
enum err_code prune_ask(struct pruning *p, const char *sql,
                        const struct fleet_ids *ids, struct fleet_ids *numbers);

/* Takes rows with these numbers out of a table, and waits until they are. */
enum err_code prune_delete(struct pruning *p, const char *table,
                           const struct fleet_ids *runs);

/* Adds up the chosen recordings of this server, those of each day, host, set
 * of labels, system, format, metric and interval; their own rows, which then
 * are not read any more, stay. `runs`: how many were added up. */
enum err_code daily_add_up(struct pruning *p, size_t *runs);

#endif
