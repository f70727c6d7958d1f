/*
 * keys - stacks that an event refers to by key.
 *
 * The frames of a key are defined when the recorder evicts it from its cache,
 * seconds after it was used; then the key is used again, for another stack. A
 * use is resolved by the first definition of its mode (kernel or user) that
 * comes after it. All uses of one key between two definitions share one
 * reference:
 *
 *     struct etl_key key = etl_key_of(address, user);
 *     struct etl_part part = etl_keys_use(keys, key, false, 0);
 *     uint32_t *frames = etl_keys_define(keys, key);
 *     if (frames)
 *         *frames = ...; // a callchain
 *     part = etl_keys_resolve(keys, part, &address);
 */
#ifndef TOPFN_ETL_KEYS_H
#define TOPFN_ETL_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/map.h"
#include "engine/base/vec.h"

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

/* A key of kernel mode may be that of a user part, too. */
struct etl_key {
    uint64_t key;
    bool user;
};

static inline struct etl_key etl_key_of(uint64_t key, bool user)
{
    return (struct etl_key){key, user};
}

struct etl_keys {
    struct map ids; /* (key, user) -> see keys.c */
    /* By reference: the frames of its key, a callchain; 0: it is not defined
     * (yet). Apart from what few ask for, as these are many and looked up at
     * random. */
    VEC(uint32_t) frames;
    VEC(uint64_t) first; /* sampled address of its first own sample, or 0 */
};

/* A use of a key. `own`: by the sample, taken at `address`, that is the part's
 * own; the first such address is kept. */
struct etl_part etl_keys_use(struct etl_keys *keys, struct etl_key key,
                             bool own, uint64_t address);

/* The same for a part whose own sample is known later than its use. */
void etl_keys_remember(struct etl_keys *keys, struct etl_part part,
                       uint64_t address);

/* Where the frames of a key's definition go; NULL: nothing waits for it. */
uint32_t *etl_keys_define(struct etl_keys *keys, struct etl_key key);

/* The frames behind a part; none when its key was never defined, with the
 * address that was to begin it in *address. */
static inline struct etl_part etl_keys_resolve(const struct etl_keys *keys,
                                               struct etl_part part,
                                               uint64_t *address)
{
    uint32_t frames;

    if (part.kind != PART_KEY)
        return part;
    frames = keys->frames.data[part.id];
    if (frames)
        return (struct etl_part){frames, PART_FRAMES};
    *address = keys->first.data[part.id];
    return etl_no_part;
}

/* The frames of a part whose key is defined by now, else the part itself. */
static inline struct etl_part etl_keys_so_far(const struct etl_keys *keys,
                                              struct etl_part part)
{
    uint32_t frames;

    if (part.kind != PART_KEY)
        return part;
    frames = keys->frames.data[part.id];
    return frames ? (struct etl_part){frames, PART_FRAMES} : part;
}

/* References without a definition. */
uint64_t etl_keys_undefined(const struct etl_keys *keys);

void etl_keys_release(struct etl_keys *keys);

#endif
