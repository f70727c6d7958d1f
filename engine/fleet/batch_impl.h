/*
 * batch_impl - what encode.c fills and batch.c sends.
 */
#ifndef TOPFN_FLEET_BATCH_IMPL_H
#define TOPFN_FLEET_BATCH_IMPL_H

#include "engine/base/map.h"
#include "engine/fleet/batch.h"

/* Samples of one stack and slice. */
struct batch_sample {
    uint64_t stack; /* id */
    uint32_t slice;
    uint64_t weight;
};

struct batch_run {
    char hash[FLEET_HASH_SIZE];
    uint16_t day;           /* since 1970 */
    uint64_t family;        /* of its number, the first bits */
    size_t first, end;      /* its samples in the batch's */
    struct out *row;        /* of runs, all but the number of this run */
    bool is_there;          /* on the server: not to be sent */
    uint64_t run;           /* of this attempt */
};

struct batch {
    VEC(struct batch_run) runs;
    VEC(struct batch_sample) samples;
    struct out *content[FLEET_CONTENT]; /* rows; NULL: none */
    struct map known[FLEET_CONTENT];    /* ids of rows added ever */
};

#endif
