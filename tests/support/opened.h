/*
 * opened - a recording's profile, for tests and benchmarks.
 *
 *     struct read_options options = {.threads = 1};
 *     struct profile *p = opened_profile(path, &options);
 */
#ifndef TESTS_SUPPORT_OPENED_H
#define TESTS_SUPPORT_OPENED_H

#include "engine/input/recording.h"

/* Finished, without names. Ends the program if it cannot be read. */
struct profile *opened_profile(const char *path,
                               const struct read_options *options);

#endif
