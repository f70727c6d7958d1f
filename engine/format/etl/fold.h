/*
 * fold - samples that are final and equal become one, which weighs as much.
 *
 *     etl_fold(correlator, records); // now and then, as samples become many
 *
 * A long log has the same stacks again and again. Where nobody asks for times,
 * samples of one thread, parts and flags are kept once, at the place of the
 * first: so all that is numbered in the order of samples is numbered as it
 * would be of each. Memory then grows with distinct stacks.
 *
 * Final is what no part can change any more (correlate.c). Equal are parts
 * whose frames are the same, or whose key waits for the same definition.
 *
 * What a thread is and what lay at its addresses changes with time, and is
 * known when all records are in. attribute sees whether a folded sample was
 * the same all the time, and the log is read again without folding if not
 * (observed_samples.h). That is to be rare: what was sampled before and after
 * a record that says that a thread, its process or code of it ended is kept
 * apart (changes.h).
 */
#ifndef TOPFN_ETL_FOLD_H
#define TOPFN_ETL_FOLD_H

#include "engine/format/etl/correlator.h"

/* If the recording's samples may be folded and have become many since the last
 * time. Indices of those that the correlator holds are adapted. */
void etl_fold(struct etl_correlator *c, const struct etl_records *records);

#endif
