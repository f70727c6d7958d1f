/*
 * compare - the two sides of a comparison, as the command line names them.
 *
 *     struct compared c;
 *     enum status status;
 *     if (compare_load(&c, options, files, count, &status)) {
 *         use(c.inputs, c.count);
 *         compare_release(&c);
 *     }
 */
#ifndef TOPFN_CLI_COMPARE_H
#define TOPFN_CLI_COMPARE_H

#include "cli/options/options.h"
#include "cli/terminal/terminal.h"
#include "engine/diff/diff.h"
#include "engine/input/recording.h"

struct compared {
    struct recording **recordings;
    size_t recording_count;
    /* With a selection of each run: of a file made by topfn merge, each of
     * its inputs is a run. */
    struct diff_input *inputs;
    struct filter *filters; /* by input */
    size_t count;
    struct diff_options options; /* as the command line has them */
    struct diff_rename *renames; /* of the options, names in full */
    struct arena texts;
};

/* False, and a status other than 0, when there is nothing to compare: wrong
 * use, unreadable input, or kinds of samples that cannot be compared. A
 * status other than 0 on success is for the end (--strict). */
bool compare_load(struct compared *c, const struct options *options,
                  const char *const *files, size_t count,
                  enum status *status);
void compare_release(struct compared *c);

#endif
