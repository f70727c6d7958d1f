/*
 * gate - whether a comparison stays within limits.
 *
 *     struct gate_rules rules = {.has_max = true, .max = 5};
 *     struct gate *gate = gate_new(diff, &rules);
 *     return gate->outcome;
 *
 * A function may become slower by a percentage of itself, and in any case by
 * the smallest relevant change of the total: what is small cannot be judged
 * in parts of itself. It fails when the change is real and even the lower
 * bound of its interval is beyond that; it passes when it is at most that
 * with 95 % confidence; else nobody can tell. One recording a side cannot tell
 * a change from what differs from start to start: there a failure is one that
 * nobody can tell, unless `single` takes it for what it is. The first limit
 * whose pattern means a function counts (match.h); `max` for all others. All samples together have a limit of
 * their own, which work that only moved from one function to another keeps.
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
    double max_total; /* percent, of all samples together; not of shares */
    bool single;      /* one recording a side may fail */
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
    VEC(struct gate_finding) findings; /* failed, then inconclusive; passed
                                          rules of their own glob last */
    size_t counts[3]; /* functions and requirements by outcome */
    /* The number of runs per side that would show with 80 % probability that
     * the undecided changes are within their limits, if they are as estimated;
     * 0: all are decided, or no number of runs would be enough. */
    double runs_to_tell;
    /* The row that passed and may have grown most; NULL: none passed. */
    const struct diff_row *missed;
};

struct gate *gate_new(const struct diff *d, const struct gate_rules *rules);
void gate_free(struct gate *gate);

const char *gate_outcome_name(enum gate_outcome outcome);

void gate_rules_release(struct gate_rules *rules);

#endif
