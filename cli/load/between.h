/*
 * between - the samples between two events, of the option of that name.
 */
#ifndef TOPFN_CLI_BETWEEN_H
#define TOPFN_CLI_BETWEEN_H

#include "cli/options/options.h"
#include "cli/status.h"
#include "engine/model/profile.h"

/* Finds the times in the files that the profile was read from. False, and
 * says why, when they do not tell any. */
bool mark_between(struct profile *p, const struct options *o,
                  const char *const *files, size_t count, enum status *status);

#endif
