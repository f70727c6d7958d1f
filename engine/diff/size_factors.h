/*
 * diff_others - how much of a run is what it would be without the change.
 *
 *     struct diff_counts *counts = diff_counts_new(pairs, inputs, n);
 *     struct diff_factor *factors = mem_new(n, sizeof(*factors));
 *     if (diff_others_find(factors, counts, NULL, &common))
 *         use(factors[input].value);
 *     diff_counts_free(counts);
 *
 * When a function takes twice the time the shares of all others shrink, and
 * none of them changed. So a run is measured by the others: its factor is the
 * share that they have in it, divided by the share that they have in all runs
 * together. A series begins with the median over the functions of these
 * ratios, weighted by samples (the size factors of Anders and Huber 2010). A
 * diff begins with the functions whose shares changed most alike. Later rounds
 * leave out the functions that the round before found changed, and take the sum
 * of the rest, which is less noisy than a median.
 */
#ifndef TOPFN_DIFF_SIZE_FACTORS_H
#define TOPFN_DIFF_SIZE_FACTORS_H

#include "engine/diff/pair.h"

enum {
    OTHERS_LEAST = 8,    /* functions in common */
    OTHERS_SAMPLES = 20, /* of each function, in a run of average length */
    OTHERS_ROUNDS = 3    /* after the first; more find no more */
};

/* Exclusive samples of functions, whatever a diff counts. */
struct diff_counts {
    const struct diff_pairs *pairs;
    const struct diff_input *inputs;
    size_t count, units;
    uint64_t **of;      /* by input, by unit */
    uint64_t *pooled;   /* by unit: of all inputs */
    uint64_t total;     /* of all inputs and units */
    double mean_weight; /* of a sample */
};

struct diff_counts *diff_counts_new(const struct diff_pairs *pairs,
                                    const struct diff_input *inputs, size_t n);
void diff_counts_free(struct diff_counts *c);

struct diff_factor {
    double value;
    double variance; /* of its logarithm */
};

/* Marks by unit the common functions outside the shortest interval of ratios
 * AFTER : BEFORE that holds half of the samples. Functions inside hardly differ
 * from each other, so most of them did not change. This holds even if a third
 * of the samples is of functions that grew, which shifts a median. */
void diff_others_outside(const struct diff_counts *counts, bool *outside);

/* Factors by input. `changed` tells by unit which functions to leave out in a
 * later round; NULL: this is the first. False where both sides have too few
 * functions in common; *common becomes how many, with samples enough. */
bool diff_others_find(struct diff_factor *factors,
                      const struct diff_counts *counts, const bool *changed,
                      size_t *common);

#endif
