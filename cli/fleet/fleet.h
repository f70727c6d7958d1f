/*
 * fleet - what options and the environment ask of a fleet.
 *
 *     struct fleet_asked asked;
 *     const struct fleet_question *q =
 *         fleet_asked_by(&asked, options, NULL, &err);
 *     if (q)
 *         profile = fleet_read(address, q, true, &err);
 *     fleet_asked_release(&asked);
 */
#ifndef TOPFN_CLI_FLEET_H
#define TOPFN_CLI_FLEET_H

#include "cli/options/options.h"
#include "cli/status.h"
#include "engine/fleet/question.h"
#include "engine/input/recording.h"

struct fleet_asked {
    struct fleet_question question;
    char *password; /* from a file; NULL: none */
};

/* NULL when the file of the password cannot be read. */
const struct fleet_question *fleet_asked_by(struct fleet_asked *asked,
                                            const struct options *options,
                                            const char *apart,
                                            struct err *err);
/* The recordings of a fleet as one, in place of recording_open. */
struct recording *fleet_recording(const struct options *options,
                                  const char *const *files, size_t count,
                                  const struct read_options *read,
                                  const char *apart, struct err *err);

/* What --over says, or what it is unless it is given. */
const char *fleet_key(const struct options *options);

void fleet_asked_release(struct fleet_asked *asked);

/* What a command does with a fleet that has tables, and how that ended. */
typedef enum status fleet_work(void *context, struct fleet *fleet,
                               const struct fleet_question *question,
                               const struct options *options);

/* Does it with the fleet of that address; a message says why not. */
enum status fleet_do(const char *address, const struct options *options,
                     fleet_work *work, void *context);

#endif
