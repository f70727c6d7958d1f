/*
 * merge - several profiles as one.
 *
 *     struct profile *all = profile_merge(profiles, n, &err);
 *     store_write(all, "all.topfn", &err);
 *     profile_free(all);
 *
 * The profiles follow each other in time; processes, threads and images stay
 * those of their input, functions of one name and module become one. The
 * parts of time are kept (trace.inputs), so that a comparison can still see
 * how the inputs differ. Joining is associative: joining what was joined
 * gives the same profile as joining all at once.
 */
#ifndef TOPFN_MERGE_H
#define TOPFN_MERGE_H

#include "engine/base/err.h"
#include "engine/model/profile.h"

/* Finished profiles with the times of their samples; they stay the caller's.
 * NULL when they count different things (ERR_USAGE). */
struct profile *profile_merge(const struct profile *const *profiles,
                              size_t count, struct err *err);

#endif
