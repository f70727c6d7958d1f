/*
 * diff_side - one side of a comparison: counts, and how sure they are.
 *
 * The dispersion of a unit is by what factor its count varies more than that
 * of independent samples. It comes from the blocks of a single trace, or
 * from how several runs differ; what a side has counted is the estimate of
 * each unit by itself, until diff/dispersion.h has settled both sides.
 */
#ifndef TOPFN_DIFF_SIDE_H
#define TOPFN_DIFF_SIDE_H

#include "engine/diff/blocks.h"
#include "engine/diff/weights.h"

/* By unit; behind the last unit stands what all samples are together, which
 * means something for rates only. */
struct diff_side {
    uint64_t *counts;
    struct diff_weights weights;
    double *dispersion;
    double *df;               /* degrees of freedom behind it, when settled */
    double common, common_df; /* dispersion of the units together, freedom of
                                 each estimate */
    uint64_t total;           /* samples */
    double exposure;          /* what 1 of a value's unit is, in samples */
    double unsure;            /* variance of the exposure's logarithm */
    bool shares;              /* a count is at most the total */
    size_t runs;
    unsigned blocks;          /* of a single run; 0: too short for any */
};

void diff_side_count(struct diff_side *side, const struct diff_side_of *of);
void diff_side_release(struct diff_side *side);

/* Of a count of this grain and dispersion; what makes the exposure unsure is
 * still to be added, for a value. */
double diff_side_variance(const struct diff_side *side, double count,
                          double grain, double dispersion);

#endif
