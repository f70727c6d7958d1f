/*
 * same_profile - whether two profiles would give the same reports.
 *
 * Every member is compared, strings by their text. Returns NULL, or what is
 * different first: "threads[3].tid".
 */
#ifndef TOPFN_SAME_PROFILE_H
#define TOPFN_SAME_PROFILE_H

#include "engine/model/profile.h"

const char *same_profile(const struct profile *a, const struct profile *b);

#endif
