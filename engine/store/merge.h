/*
 * merge - several profiles as one.
 *
 *     struct profile *all = profile_new();
 *     for each profile
 *         if (merge_add(all, profile, &err))
 *             ...
 *     merge_end(all);
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

/* Adds a finished profile with the times of its samples, which stays the
 * caller's. ERR_USAGE, and adds nothing, when it counts other things than those
 * before. */
enum err_code merge_add(struct profile *to, const struct profile *from,
                        struct err *err);

/* Call after the last one: finishes the profile. */
void merge_end(struct profile *to);

#endif
