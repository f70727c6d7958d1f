/*
 * diff_blocks - how much counts of samples vary in the course of a trace.
 *
 * Samples of one thread are not independent: a function that runs for a
 * millisecond is met by ten samples in a row or by none. A trace is cut into
 * equal blocks, and a unit's counts in neighbouring blocks show how much it
 * varies. A slow drift, such as a start-up phase, is the program's behaviour
 * and not noise: so the variance comes from differences of neighbours (von
 * Neumann 1941), not from the distance to the mean.
 *
 * Blocks must be longer than what correlates, and many. Their length is the
 * shortest of a series of doublings with length^3 > 2 n f^2, where f is by
 * what factor the variance at this length exceeds that of independent
 * samples (Flyvbjerg and Petersen 1989; the rule is that of Lee et al. 2011).
 */
#ifndef TOPFN_DIFF_BLOCKS_H
#define TOPFN_DIFF_BLOCKS_H

#include "engine/diff/units.h"

enum { BLOCKS_MOST = 512, BLOCKS_LEAST = 16 };

struct diff_blocks {
    double *variance; /* by unit, and behind the last of all samples: of the
                         count; all 0 when blocks is 0 */
    double df;        /* degrees of freedom of a variance */
    unsigned blocks;  /* 0: no times, or too few samples to tell */
};

struct diff_blocks_of {
    const struct diff_input *input; /* with the times of its samples */
    const struct diff_places *places;
    size_t units;
    bool shares; /* variance of shares, by blocks of equal numbers of
                    samples; else of rates, by blocks of equal time */
    const uint64_t *counts; /* by unit: of all blocks together */
    const double *grain;    /* by unit, see diff/side.h */
};

void diff_blocks_count(struct diff_blocks *blocks,
                       const struct diff_blocks_of *of);
void diff_blocks_release(struct diff_blocks *blocks);

#endif
