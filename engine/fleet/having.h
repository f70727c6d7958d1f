/*
 * having - how much of each recording has a function on the stack.
 *
 *     if (!fleet_runs(fleet, &question, &runs, &err) &&
 *         !fleet_having(fleet, &question, "Cart::Total", &runs, &err))
 *         use(runs.all.data[0].having, runs.all.data[0].samples);
 */
#ifndef TOPFN_FLEET_HAVING_H
#define TOPFN_FLEET_HAVING_H

#include "engine/fleet/runs.h"

/* Fills `having` of all runs. A name means functions as match_label's does
 * (match.h), by recorded names; ERR_NOT_FOUND where it means none. */
enum err_code fleet_having(struct fleet *f, const struct fleet_question *q,
                           const char *name, struct fleet_runs *runs,
                           struct err *err);

#endif
