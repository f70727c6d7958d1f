/*
 * fleet - recordings of a fleet, as options and the environment ask for them.
 */
#ifndef TOPFN_CLI_FLEET_H
#define TOPFN_CLI_FLEET_H

#include "cli/load/load.h"
#include "cli/terminal/terminal.h"
#include "engine/fleet/where.h"

/* Opens recordings by an address of a fleet (load/load.h). */
extern const struct input_scheme fleet_scheme;

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
