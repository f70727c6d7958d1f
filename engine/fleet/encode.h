/*
 * encode - a profile as rows of a batch.
 *
 * What is not sampled is left out, and so is where code lay in memory while
 * it was recorded: rows tell what is the same wherever it ran.
 */
#ifndef TOPFN_FLEET_ENCODE_H
#define TOPFN_FLEET_ENCODE_H

#include "engine/fleet/batch_impl.h"

/* Adds the rows that the profile's samples need, and the samples. */
void encode_samples(struct batch *b, const struct profile *p,
                    uint64_t slice_ns);

#endif
