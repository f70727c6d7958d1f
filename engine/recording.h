/*
 * recording - from paths on a command line to one profile.
 *
 *     struct read_options options = {.threads = 0};
 *     struct profile *p = recording_open(paths, n, &options, &err);
 *     profile_finish(p);
 *
 * Every path may be a trace, a container of traces or a topfn database;
 * several traces of one format become one profile, databases cannot be mixed
 * with traces. Formats are told by content, never by name.
 */
#ifndef TOPFN_RECORDING_H
#define TOPFN_RECORDING_H

#include "engine/observations/trace_format.h"

/* A profile to be finished, or NULL: no such file, not a trace, nothing
 * readable in it. Damage that leaves something is noted in its quality. */
struct profile *recording_open(const char *const *paths, size_t count,
                               const struct read_options *options,
                               struct err *err);

#endif
