/*
 * definitions - what stacks of samples mean, from a fleet.
 *
 *     struct definitions d = {.f = fleet, .p = profile, .err = err};
 *     definitions_want(&d, FLEET_STACKS, id);
 *     if (!definitions_load(&d))
 *         sample = d.samples.data[definitions_get(&d, FLEET_STACKS, id)];
 *     definitions_release(&d);
 */
#ifndef TOPFN_FLEET_DEFINITIONS_H
#define TOPFN_FLEET_DEFINITIONS_H

#include "engine/base/map.h"
#include "engine/fleet/client.h"
#include "engine/model/profile.h"

struct definition_at {
    uint64_t id;
    uint32_t place; /* among those that are wanted */
    size_t at;      /* in the answer, behind the id */
};

/* Rows of one table. */
struct definition {
    struct fleet_ids ids;  /* that are wanted */
    struct map index;      /* id -> place among them */
    uint32_t *made;        /* by place: the profile's id, or NO_ID; of a stack,
                              its place in `samples` */
    VEC(struct definition_at) rows; /* of what is wanted, each once */
    struct answer answer;
};

struct definitions {
    struct fleet *f;
    struct profile *p;
    struct err *err;
    struct definition of[FLEET_CONTENT];
    /* What a stack's row says of its samples: stack, thread and flags. */
    VEC(struct sample) samples;
};

/* An id of 0 is none. */
void definitions_want(struct definitions *d, enum fleet_table_id table,
                      uint64_t id);

/* Fetches what is wanted and all that it refers to into the profile, which
 * lacks nothing but samples then. ERR_CORRUPT when a row is missing. */
enum err_code definitions_load(struct definitions *d);

/* NO_ID for 0. */
uint32_t definitions_get(const struct definitions *d,
                         enum fleet_table_id table, uint64_t id);
void definitions_release(struct definitions *d);

#endif
