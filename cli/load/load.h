/*
 * load - the profile a command is about, and what to say about it.
 */
#ifndef TOPFN_CLI_LOAD_H
#define TOPFN_CLI_LOAD_H

#include "cli/options/options.h"
#include "cli/terminal/terminal.h"
#include "engine/base/arena.h"
#include "engine/base/vec.h"
#include "engine/input/recording.h"
#include "symbols/naming.h"

/* Each asks for less than the one before. `info` alone asks for LOAD_COUNTS:
 * it lists what idle samples have too, and with LOAD_ALL it takes 0.95 s
 * instead of 0.06 for a database of 16 million samples. */
enum load_what {
    LOAD_EVENTS, /* every sample, and the stacks of events for SQL */
    LOAD_ALL,    /* every sample with its time */
    LOAD_COUNTS, /* enough for the options' filter to count samples */
    LOAD_BUSY    /* like LOAD_COUNTS, but idle samples are only counted */
};

/* Opens inputs that are addresses of a kind; a row of `schemes` in load.c. */
struct input_scheme {
    bool (*has)(const char *address);
    /* Opens `inputs`, one of which is such an address, in place of
     * recording_open. `each_run`: runs stay apart as inputs of the profile. */
    struct recording *(*open)(const struct options *options,
                              const char *const *inputs, size_t count,
                              const struct read_options *read, bool each_run,
                              struct err *err);
};

/* Reads the files into a finished profile and warns of damage. NULL, and a
 * status other than 0, when there is nothing to go on with. */
struct profile *load(const struct options *options, const char *const *files,
                     size_t count, enum load_what what, enum status *status);

/* The same, and what is in its containers can still be had; `log`, which is to
 * be released, may be NULL. */
struct recording *load_recording(const struct options *options,
                                 const char *const *files, size_t count,
                                 enum load_what what, struct naming_log *log,
                                 enum status *status);

/* Warns of ranges of the input that were skipped: a line for each reason. */
void warn_of_skipped(const struct profile *p);

/* Reads a file once for all later calls of load and load_recording for it,
 * which then have to come from processes forked off this one: each changes the
 * recording. Says nothing; a file that cannot be read is read again by each
 * call, which says why. The caller keeps the options for as long. */
void load_keep(const struct options *options, const char *file);

/* Reads each file into a recording of its own, with all samples; the files stay
 * open for --with-source alone. The caller sets the array to NULL before.
 * Returns false and sets a status other than 0 if one file gives no recording;
 * closes the others then. */
bool load_recordings(const struct options *options, const char *const *files,
                     size_t count, struct recording **recordings,
                     enum status *status);

/* The same for their profiles alone. */
bool load_each(const struct options *options, const char *const *files,
               size_t count, struct profile **profiles, enum status *status);

/* Names what is in a recording as the options say, and finishes its profile.
 * `log`, which is to be released, may be NULL. */
void load_names(struct recording *r, const struct options *options,
                struct naming_log *log);

/* Gives functions the names and the grouping that reports are to show. */
void load_labels(struct profile *p, const struct options *options);

/* The same, then load_filtered. */
void load_for_people(struct profile *p, const struct options *options);

/* Applies the options about stacks (algebra.h) to a profile, and warns of
 * names in them that match nothing. */
void load_filtered(struct profile *p, const struct options *options);

/*
 * recordings - files on a command line, and folders of them.
 *
 *     struct recordings r = {0};
 *     if (recordings_add(&r, "main-branch/"))
 *         use(r.paths.data, r.paths.len);
 *     recordings_release(&r);
 *
 * A folder stands for the recordings in it, in order of their names; what
 * else lies there is passed over, and so are folders in it.
 */

struct recordings {
    VEC(const char *) paths;
    struct arena arena;
};

/* A path that is no folder is added as it is, whatever it leads to. False,
 * with a message, where a folder has no recording or cannot be read. */
bool recordings_add(struct recordings *recordings, const char *path);
void recordings_release(struct recordings *recordings);

/* True for a file that begins as a recording, a container or a database does. */
bool is_recording(const char *path);

#endif
