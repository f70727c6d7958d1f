/*
 * recording - from paths on a command line to one profile.
 *
 *     struct read_options options = {.threads = 0};
 *     struct recording *r = recording_open(paths, n, &options, &err);
 *     if (r) {
 *         name_profile(r->profile, ...);
 *         profile_finish(r->profile);
 *     }
 *     recording_close(r);
 *
 * Every path may be a trace, a container of traces or a topfn database; several
 * traces of one format become one profile, and a database is read alone. The
 * content tells the format, never the name.
 *
 * Every path is opened once: what lies in a container beside the traces
 * (debug files, images, symbols.bin) can be had from it until the recording
 * is closed, also when it came through a pipe.
 */
#ifndef TOPFN_RECORDING_H
#define TOPFN_RECORDING_H

#include "engine/attribution/trace_format.h"

struct recording {
    struct profile *profile;            /* to be finished */
    VEC(struct container *) containers; /* of the paths, in order */
};

/* NULL: no such file, not a trace, nothing readable in it; `err`, which may be
 * NULL, says which. Damage that leaves something is noted in the profile's
 * quality. */
struct recording *recording_open(const char *const *paths, size_t count,
                                 const struct read_options *options,
                                 struct err *err);

/* Frees the profile, too. `r` may be NULL. */
void recording_close(struct recording *r);

/* Closes all but the profile. */
void recording_close_files(struct recording *r);

/* Closes all but the profile, which is the caller's then, and keeps the names
 * it has; NULL for NULL. */
struct profile *recording_take(struct recording *r);

/* Reads traces of one format into an empty profile, which is left to be
 * finished; of use by itself where bytes are at hand and no file. `err` may be
 * NULL. */
enum err_code recording_read(const struct trace_format *format,
                             const struct entry *entries, size_t count,
                             const struct read_options *options,
                             struct profile *profile, struct err *err);

#endif
