/*
 * fleet - recordings of a fleet, as options and the environment ask for them.
 */
#ifndef TOPFN_CLI_FLEET_H
#define TOPFN_CLI_FLEET_H

#include "cli/options/options.h"
#include "cli/terminal/terminal.h"
#include "engine/fleet/where.h"
#include "engine/input/recording.h"

/* What the options and the environment ask of a fleet. */
struct fleet_question fleet_question_of(const struct options *options,
                                        const char *apart);

/* The recordings of a fleet as one, in place of recording_open. */
struct recording *fleet_recording(const struct options *options,
                                  const char *const *files, size_t count,
                                  const struct read_options *read,
                                  const char *apart, struct err *err);

/* What --over says, or what it is unless it is given. */
const char *fleet_key(const struct options *options);

/* What a command does with a fleet that has tables, and how that ended. */
typedef enum status fleet_work(void *context, struct fleet *fleet,
                               const struct fleet_question *question,
                               const struct options *options);

/* Does it with the fleet of that address; a message says why not. `create`:
 * makes the tables where there are none. */
enum status fleet_do(const char *address, const struct options *options,
                     bool create, fleet_work *work, void *context);

#endif
