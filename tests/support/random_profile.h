/*
 * random_profile - profiles nobody thought of, for tests of what must hold
 * for all of them.
 */
#ifndef TOPFN_RANDOM_PROFILE_H
#define TOPFN_RANDOM_PROFILE_H

#include "engine/model/profile.h"
#include "engine/analysis/filter.h"

/* Recursion, inlined functions, missing names, several threads and
 * processes, idle samples; the same for equal seeds on every machine. */
struct profile *random_profile(uint32_t seed);

/* One of a few filters, each of which keeps a part of such a profile. */
struct filter random_filter(uint32_t seed);

/* Twenty such profiles, each with what a filter selects of it. */
typedef void random_check(const struct profile *p,
                          const struct selection *sel);
void random_selections(random_check *check);

#endif
