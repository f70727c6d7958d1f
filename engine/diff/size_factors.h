/*
 * diff_others - how much of a run is what it would be without the change.
 *
 *     struct diff_factor *factors = mem_new(n, sizeof(*factors));
 *     if (diff_others_find(factors, pairs, inputs, n, &common))
 *         use(factors[input].value);
 *
 * When a function takes twice the time the shares of all others shrink, and
 * none of them changed. So a run is measured by the others: its factor is the
 * median, over the functions, of the share that each has in the run by the
 * share that it has in all runs together (the size factors of Anders and
 * Huber 2010). Half the functions may change without moving it much. How sure a
 * median is tell its neighbours (McKean and Schrader 1984).
 */
#ifndef TOPFN_DIFF_SIZE_FACTORS_H
#define TOPFN_DIFF_SIZE_FACTORS_H

#include "engine/diff/pair.h"

enum { OTHERS_LEAST = 20 /* functions, and samples of each in a run */ };

struct diff_factor {
    double value;
    double variance; /* of its logarithm */
};

/* Factors by input. False where both sides have too few functions in common;
 * *common becomes how many, with samples enough. */
bool diff_others_find(struct diff_factor *factors,
                      const struct diff_pairs *pairs,
                      const struct diff_input *inputs, size_t n,
                      size_t *common);

#endif
