/*
 * fleet - recordings of a fleet, as options and the environment ask for them.
 */
#ifndef TOPFN_CLI_FLEET_H
#define TOPFN_CLI_FLEET_H

#include "cli/options/options.h"
#include "cli/terminal/terminal.h"
#include "engine/fleet/where.h"
#include "engine/input/recording.h"

/* The recordings of a fleet as one, in place of recording_open. */
struct recording *fleet_recording(const struct options *options,
                                  const char *const *files, size_t count,
                                  const struct read_options *read,
                                  const char *apart, struct err *err);

/* The key of --over, or its default. */
const char *fleet_key(const struct options *options);

/* The work of a command on a fleet that has tables. */
typedef enum status fleet_work(void *context, struct fleet *fleet,
                               const struct fleet_question *question,
                               const struct options *options);

/* Opens the fleet of that address and calls `work`, or says why not. `create`
 * makes the tables where there are none. */
enum status fleet_do(const char *address, const struct options *options,
                     bool create, fleet_work *work, void *context);

#endif
