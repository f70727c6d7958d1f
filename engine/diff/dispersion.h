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
 * what differs from start to start.
 */
#ifndef TOPFN_DIFF_DISPERSION_H
#define TOPFN_DIFF_DISPERSION_H

#include "engine/diff/side.h"

/* From what each side has seen by itself. What all samples are together is
 * left as it is, but for what a single run takes over. */
void diff_dispersion_settle(struct diff_side sides[2], size_t units);

#endif
