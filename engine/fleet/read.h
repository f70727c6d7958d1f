/*
 * read - recordings of a fleet as one profile.
 *
 *     struct fleet_question q = {.where = "version=2.1"};
 *     struct profile *p = fleet_read("clickhouse://host/fleet", &q, false,
 *                                    &err);
 *
 * Samples are added up by the server, by process and stack; what comes over
 * the net is what differs. The profile is finished. Its processes are told
 * apart by name alone, each has one thread, and there are no processors.
 * Samples have the time at which their slice of time began (in their
 * recording, or behind that of the input before it), or none without `times`.
 */
#ifndef TOPFN_FLEET_READ_H
#define TOPFN_FLEET_READ_H

#include "engine/fleet/where.h"
#include "engine/model/profile.h"

/* ERR_NOT_FOUND when there is no such recording; ERR_USAGE when they count
 * different things. NULL on failure. */
struct profile *fleet_read(const char *address,
                           const struct fleet_question *question, bool times,
                           struct err *err);

#endif
