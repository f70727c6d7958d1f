/*
 * diff_odd_runs - recordings of a side that differ from its others.
 *
 *     bool *odd = diff_odd_runs(counts, &distance);
 *     if (odd[input])
 *         leave_out(input, distance[input]);
 *     free(odd);
 *
 * A run with another input, of another build, or on a machine that throttled,
 * differs from the other runs of its side in many functions at once. It would
 * widen the intervals of them all until nothing can be told. So from four runs a
 * side on, a run is left out, and named, when its functions lie farther from the
 * side's medians than those of the other runs do, by more than chance gives once
 * in a thousand runs. At most a third of a side is left out, less one.
 */
#ifndef TOPFN_DIFF_ODD_RUNS_H
#define TOPFN_DIFF_ODD_RUNS_H

#include "engine/diff/size_factors.h"

/* By input, the caller's; NULL if no run is odd. distance[input] becomes by how
 * many times an odd run is farther from the medians than the others are. */
bool *diff_odd_runs(const struct diff_counts *counts, double *distance);

#endif
