/*
 * parts - the parts of samples' stacks, as frames or as keys of frames.
 *
 * The recorder defines the frames of a key when it evicts the key from its
 * cache, seconds after it was used; then the key is used again, for another
 * stack. A use is resolved by the first definition of its mode (kernel or
 * user) that comes after it. All uses of one key between two definitions share
 * one reference:
 *
 *     struct etl_part part = etl_part_by_key(parts, key, user, false, 0);
 *     etl_parts_define(parts, fact, lasting);
 *     part = etl_part_resolve(parts, part, &address);
 *
 * Facts come with the number of their run of frames (etl.h), so a run that
 * was met before is found without hashing.
 */
#ifndef TOPFN_ETL_PARTS_H
#define TOPFN_ETL_PARTS_H

#include "engine/format/etl/etl.h"

/* A part of a sample's stack, as far as it is known. */
enum etl_part_kind {
    PART_NONE,
    PART_FRAMES,  /* `id` is a callchain */
    PART_KEY,     /* `id` is a reference: frames once its key is defined */
    PART_ADDRESS, /* `id` is a callchain: the sampled address, standing in */
};

struct etl_part {
    uint32_t id;
    enum etl_part_kind kind;
};

static const struct etl_part etl_no_part = {0, PART_NONE};

/* The uses of a key before its definition. */
struct etl_key_uses {
    uint32_t chain;   /* its frames; 0: it is not defined (yet) */
    uint64_t address; /* sampled by the first sample whose own part it is */
};

struct etl_parts {
    struct callchains *chains;
    VEC(uint32_t) runs; /* chain by number of a run; 0: none yet */
    struct map keys;    /* (key, user) -> reference, while it is in use */
    VEC(struct etl_key_uses) uses; /* by reference */
};

/* All frames of a fact. `lasting`: as etl_correlate. */
struct etl_part etl_part_of_fact(struct etl_parts *parts,
                                 const struct etl_fact *fact, bool lasting);

/* The frames of a fact from `start` to before `end`. */
struct etl_part etl_part_of_frames(struct etl_parts *parts,
                                   const struct etl_fact *fact, uint32_t start,
                                   uint32_t end, bool lasting);

/* A use of a key. `own`: by the sample, taken at `address`, that is the part's
 * own; the first such address is kept. */
struct etl_part etl_part_by_key(struct etl_parts *parts, uint64_t key,
                                bool user, bool own, uint64_t address);

/* Keeps the address for a part whose own sample is known later than its use. */
void etl_part_remember(struct etl_parts *parts, struct etl_part part,
                       uint64_t address);

/* Takes a key's definition, if a use waits for it. */
void etl_parts_define(struct etl_parts *parts, const struct etl_fact *fact,
                      bool lasting);

/* The frames behind a part; none when its key was never defined, with the
 * address that was to begin it in *address. */
struct etl_part etl_part_resolve(const struct etl_parts *parts,
                                 struct etl_part part, uint64_t *address);

/* References without a definition. */
uint64_t etl_parts_undefined(const struct etl_parts *parts);

void etl_parts_release(struct etl_parts *parts);

#endif
