/*
 * attribute - from observations to a profile.
 *
 *     struct observations *seen = observations_new(profile);
 *     format->read(..., seen, ...);
 *     attribute(seen);
 *     observations_free(seen);
 *
 * Works out the lifetimes of processes and threads, what lay where in every
 * address space, and gives every sample its thread and its stack of
 * locations. The columns of observed samples become those of the profile, in
 * order of time.
 */
#ifndef TOPFN_ATTRIBUTE_H
#define TOPFN_ATTRIBUTE_H

#include "engine/attribution/observations.h"

/* Attributes every sample. Call once. */
void attribute(struct observations *seen);

#endif
