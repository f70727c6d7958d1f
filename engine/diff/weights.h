/*
 * diff_weights - what samples of unequal weight are worth.
 *
 * A sample may stand for microseconds that a thread waited. The sum W of
 * weights w of independent samples does not vary by W but by Q, the sum of
 * their squares: as much as W^2 / Q samples of weight Q / W each (Kish 1965,
 * effective sample size). Without weights these are W and 1.
 *
 *     struct diff_weights w;
 *     diff_weights_find(&w, &side_of, counts, total);
 *     use(w.worth[unit], w.grain[unit]);
 *     diff_weights_release(&w);
 *
 * A few samples of a unit rarely have its heaviest: how unequal its weights
 * are is drawn towards what units have in common.
 */
#ifndef TOPFN_DIFF_WEIGHTS_H
#define TOPFN_DIFF_WEIGHTS_H

#include "engine/diff/places.h"

/* By what a run's count is divided to be a value, and how sure that is: the
 * variance of its logarithm. */
struct diff_exposed {
    double exposure, variance;
};

/* Runs of this side among the inputs. Places and exposures by input. */
struct diff_side_of {
    const struct diff_input *inputs;
    const struct diff_places *places;
    const struct diff_exposed *exposed;
    size_t count, units;
    bool after, shares;
};

/* By unit, and behind the last for all samples together. */
struct diff_weights {
    double *worth;     /* independent samples that the count is worth */
    double *grain;     /* what such a sample counts; of a share, where all
                          others vary too, what gives its variance */
    double mean_grain; /* of all samples */
};

/* For the side's counts by unit, and their total. */
void diff_weights_find(struct diff_weights *to, const struct diff_side_of *of,
                       const uint64_t *counts, uint64_t total);
void diff_weights_release(struct diff_weights *weights);

#endif
