/*
 * gate - decides whether a comparison stays within limits.
 *
 *     struct gate_rules rules = {.has_max = true, .max = 5};
 *     struct gate *gate = gate_new(diff, &rules);
 *     return gate->outcome;
 *
 * A function may become slower by a percentage of itself, and in any case by
 * the smallest relevant change of the total. It fails when the change is real
 * and even the lower bound of its interval is beyond that. Otherwise it
 * passes, and the report says how large a change the recordings could have
 * shown. With `require_power` a function passes only if its change is within
 * the limit with 95 % confidence, and is inconclusive else.
 *
 * A limit for all functions leaves out those below `least_share`, and interrupt
 * handlers of the kernel, which run whenever a device asks. The first limit
 * whose pattern means a function counts (match.h); `max` for all others.
 *
 * All samples together have the limit `max_total`, else `max`, in CPU time of a
 * run. They never pass when their estimate is beyond it: a change that is not
 * sure is inconclusive.
 *
 * One recording a side cannot tell a change from what differs from run to run:
 * the gate is inconclusive then, unless `single` is set.
 */
#ifndef TOPFN_GATE_H
#define TOPFN_GATE_H

#include "engine/diff/diff.h"

struct gate_limit {
    const char *glob;
    double max; /* percent */
};

struct gate_rules {
    VEC(struct gate_limit) limits;
    VEC(const char *) required; /* globs: AFTER must have such a function */
    bool has_max;
    double max; /* percent */
    bool has_total;
    double max_total; /* percent, of all samples together */
    bool single;      /* one recording a side may decide */
    bool require_power;
    double least_share; /* percent of all samples, on either side */
};

enum gate_outcome { GATE_PASS, GATE_FAIL, GATE_INCONCLUSIVE };

struct gate_finding {
    enum gate_outcome outcome;
    const struct diff_row *row; /* NULL: about `glob` itself */
    const char *glob;           /* of the rule; "*" of the general one */
    double allowed;             /* by how much the row may grow */
    double max;                 /* percent of the rule */
    bool beyond; /* surely, in these recordings: failed, but for their number */
};

struct gate {
    enum gate_outcome outcome;
    bool too_few_runs; /* one recording a side, and not `single` */
    VEC(struct gate_finding) findings; /* failed, then inconclusive; passed
                                          rules of their own glob last */
    size_t counts[3]; /* functions and requirements by outcome */
    /* This many runs a side would decide the inconclusive rows with a
     * probability of 80 %, were their changes as estimated; 0: all are decided,
     * or one recording a side is too few. */
    double runs_to_tell;
    /* The row that passed and may have grown most; NULL: none passed. */
    const struct diff_row *missed;
};

struct gate *gate_new(const struct diff *d, const struct gate_rules *rules);
void gate_free(struct gate *gate);

const char *gate_outcome_name(enum gate_outcome outcome);

void gate_rules_release(struct gate_rules *rules);

#endif
