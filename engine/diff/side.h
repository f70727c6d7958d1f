/*
 * diff_side - one side of a comparison: counts, and how sure they are.
 *
 * The dispersion of a unit is by what factor its count varies more than that
 * of independent samples. It comes from the blocks of a single trace, or
 * from how several runs differ; what a side has counted is the estimate of
 * each unit by itself, until diff_dispersion_settle has seen both sides.
 */
#ifndef TOPFN_DIFF_SIDE_H
#define TOPFN_DIFF_SIDE_H

#include "engine/diff/blocks.h"
#include "engine/diff/units.h"

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

/* The divisor that makes a run's count a value, and the variance of its
 * logarithm, which says how sure it is. */
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
    /* If not NULL: keeps the blocks of a side's only run, which are the same
     * whatever its exposure. All 0 until they are counted; the caller's. */
    struct diff_blocks *blocks;
};

/* By unit, and behind the last for all samples together. */
struct diff_weights {
    double *worth;     /* independent samples that the count is worth */
    double *grain;     /* what such a sample counts; of a share, where all
                          others vary too, what gives its variance */
    double mean_grain; /* of all samples */
};

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
    double spread;            /* variance of a count's logarithm from run to
                                 run, where no side has several; else 0 */
    bool shares;              /* a count is at most the total */
    size_t runs;
    unsigned blocks;          /* of a single run; 0: too short, or no times */
};

void diff_side_count(struct diff_side *side, const struct diff_side_of *of);
void diff_side_release(struct diff_side *side);

/* The variance of a count of this grain and dispersion, without that of the
 * exposure. */
double diff_side_variance(const struct diff_side *side, double count,
                          double grain, double dispersion);

/*
 * diff_dispersion - by what factor counts vary more than independent ones.
 *
 *     diff_dispersion_settle(sides, units);
 *     use(sides[0].dispersion[unit], sides[0].df[unit]);
 *
 * A few runs, or a rare function, say little about how much a count varies.
 * So both sides estimate it together: they are the same program but for what
 * changed. Each unit's estimate is drawn towards a line over the counts that
 * all units have in common, the more the less it knows itself (empirical
 * Bayes; the moments are those of Smyth 2004, "limma"). The line's weight is
 * bounded, so that a unit which comes in bursts of its own is not taken for
 * one that does not. The dispersion is never taken to be below 1.
 *
 * A single run against several is as uncertain as they are: only they show
 * what differs from start to start. One run a side shows nothing of that:
 * there the caller sets `spread`.
 */

/* Settles the dispersions that each side has seen by itself. The dispersion of
 * all samples together stays, unless a single run takes over that of several.
 */
void diff_dispersion_settle(struct diff_side sides[2], size_t units);

#endif
