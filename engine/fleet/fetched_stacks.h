/*
 * fetched_stacks - the stacks of a fleet's samples, with all they refer to.
 *
 *     struct fetched_stacks d = {.f = fleet, .p = profile, .err = err};
 *     if (!fetched_stacks_load(&d, &stack_ids))
 *         sample = fetched_stacks_sample(&d, id);
 *     fetched_stacks_release(&d);
 */
#ifndef TOPFN_FLEET_FETCHED_STACKS_H
#define TOPFN_FLEET_FETCHED_STACKS_H

#include "engine/base/map.h"
#include "engine/fleet/client.h"
#include "engine/model/profile.h"

struct fetched_stacks {
    struct fleet *f;
    struct profile *p;
    struct err *err;
    struct map made[FLEET_CONTENT]; /* id -> the profile's; of a stack its
                                       place in `samples` */
    VEC(struct sample) samples;     /* stack, thread and flags */
};

/* Fetches these stacks and the rows they refer to into the profile, which then
 * lacks nothing but samples. ERR_CORRUPT when a row is missing. */
enum err_code fetched_stacks_load(struct fetched_stacks *d,
                                  const struct fleet_ids *stacks);

/* A sample of this stack; NULL: there is no such stack. */
const struct sample *fetched_stacks_sample(const struct fetched_stacks *d,
                                           uint64_t stack);
void fetched_stacks_release(struct fetched_stacks *d);

#endif
