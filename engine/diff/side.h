/*
 * diff_side - one side of a comparison: counts, and how sure they are.
 *
 * The dispersion of a unit is by what factor its count varies more than that
 * of independent samples. It comes from the blocks of a single trace, or
 * from how several runs differ. A few runs, or a rare function, say little:
 * each estimate is drawn towards the value that all units have in common, the
 * more the less it knows itself (empirical Bayes; Smyth 2004, "limma",
 * section 6.2). It is never taken to be below 1. Between runs the value in
 * common grows with the count, as shares themselves differ from start to
 * start.
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
    double *df;               /* degrees of freedom behind it */
    double common, common_df; /* dispersion of the units together */
    uint64_t total;           /* samples */
    double exposure;          /* what 1 of a value's unit is, in samples */
    bool shares;              /* a count is at most the total */
    size_t runs;
    unsigned blocks;          /* of a single run; 0: too short for any */
};

void diff_side_count(struct diff_side *side, const struct diff_side_of *of);
void diff_side_release(struct diff_side *side);

/* Of a count of this grain and dispersion. */
double diff_side_variance(const struct diff_side *side, double count,
                          double grain, double dispersion);

#endif
