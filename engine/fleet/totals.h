/*
 * totals - what chosen recordings amount to, and the inputs they make.
 */
#ifndef TOPFN_FLEET_TOTALS_H
#define TOPFN_FLEET_TOTALS_H

#include "engine/fleet/question.h"
#include "engine/model/profile.h"

/* An input of the profile. */
struct fleet_unit {
    uint64_t number; /* choose_unit's */
    int64_t from;    /* its part of time */
};

struct fleet_units {
    VEC(struct fleet_unit) all; /* sorted by number; empty: all are one */
};

/* The recordings that were chosen. */
struct fleet_chosen {
    struct fleet_ids runs; /* their numbers */
    uint64_t samples;      /* sum of all weights, as their rows say */
};

/* Fills trace, quality and inputs of a profile. `chosen` is the SQL of
 * choose_runs. With `times`, recordings that are one lie on top of each other,
 * so that no part of the time has their processors. What is in `units` and
 * `runs` before is forgotten. */
enum err_code fleet_totals(struct fleet *f,
                           const struct fleet_question *question,
                           const char *chosen, bool times, struct profile *p,
                           struct fleet_units *units, struct fleet_chosen *runs,
                           struct err *err);

#endif
