/*
 * full_profile - profiles with every member in use, from a seed.
 *
 *     struct profile *p = full_profile(seed, 200);
 *
 * `size` scales every vector; the same seed gives the same profile. Finished,
 * and sane by the invariants of profile.h, but its values make no sense.
 */
#ifndef TOPFN_FULL_PROFILE_H
#define TOPFN_FULL_PROFILE_H

#include "engine/model/profile.h"

struct profile *full_profile(uint64_t seed, uint32_t size);

/* xorshift64*, reduced to below `below`. */
uint32_t random_below(uint64_t *state, uint32_t below);

#endif
