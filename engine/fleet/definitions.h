/*
 * definitions - the stacks of a fleet's samples, with all they refer to.
 *
 *     struct definitions d = {.f = fleet, .p = profile, .err = err};
 *     if (!definitions_load(&d, &stack_ids))
 *         sample = definitions_sample(&d, id);
 *     definitions_release(&d);
 */
#ifndef TOPFN_FLEET_DEFINITIONS_H
#define TOPFN_FLEET_DEFINITIONS_H

#include "engine/base/map.h"
#include "engine/fleet/client.h"
#include "engine/model/profile.h"

struct definitions {
    struct fleet *f;
    struct profile *p;
    struct err *err;
    struct map made[FLEET_CONTENT]; /* id -> the profile's; of a stack its
                                       place in `samples` */
    VEC(struct sample) samples;     /* stack, thread and flags */
};

/* Fetches these stacks and the rows they refer to into the profile, which then
 * lacks nothing but samples. ERR_CORRUPT when a row is missing. */
enum err_code definitions_load(struct definitions *d,
                               const struct fleet_ids *stacks);

/* A sample of this stack; NULL: there is no such stack. */
const struct sample *definitions_sample(const struct definitions *d,
                                        uint64_t stack);
void definitions_release(struct definitions *d);

#endif
