/*
 * map - a hash table from a 96-bit key to a 32-bit value.
 *
 * Every index of the engine is one of these: (address, process) to location,
 * (parent, location) to stack, (function, parent) to tree node. Keys are
 * compared in full; order of insertion never shows, as nothing iterates.
 *
 *     struct map map = {0};
 *     uint32_t id = map_add(&map, address, process, next_id);
 *     if (id == next_id)
 *         next_id++;   // it was new
 *     map_release(&map);
 */
#ifndef TOPFN_MAP_H
#define TOPFN_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/hash.h"
#include "engine/base/mem.h"

#define MAP_NONE UINT32_MAX

struct map_slot {
    uint64_t a;
    uint32_t b;
    uint32_t value; /* value + 1; 0 marks a free slot */
};

struct map {
    struct map_slot *slots;
    size_t size; /* a power of two, or 0 */
    size_t used;
    size_t most; /* keys before it grows */
    bool mixed; /* a key's `a` is a hash (hash.h): it finds the slot itself */
};

/* Makes room for so many keys at once; more may follow. */
void map_reserve(struct map *map, size_t keys);

/* What a key of a map that is not `mixed` is looked up by. */
static inline uint32_t map_hash(uint64_t a, uint32_t b)
{
    return (uint32_t)hash_pair(a, b);
}

/* The same of any map. */
static inline uint32_t map_hash_of(const struct map *map, uint64_t a,
                                   uint32_t b)
{
    return map->mixed ? (uint32_t)a : map_hash(a, b);
}

/* Has the memory fetched that a look-up of a key, soon to come, begins at: of
 * big tables most of it is waiting. */
static inline void map_prefetch_hashed(const struct map *map, uint32_t hash)
{
    if (map->size)
        mem_fetch(&map->slots[hash & (map->size - 1)]);
}

static inline void map_prefetch(const struct map *map, uint64_t a, uint32_t b)
{
    map_prefetch_hashed(map, map_hash_of(map, a, b));
}

/* The value, or MAP_NONE. */
uint32_t map_get(const struct map *map, uint64_t a, uint32_t b);

/* The slot of a key, or NULL. Its value, plus one, may be overwritten until the
 * next key is added. */
struct map_slot *map_find(const struct map *map, uint64_t a, uint32_t b);

/* The same of a key whose map_hash is known. */
struct map_slot *map_find_hashed(const struct map *map, uint64_t a, uint32_t b,
                                 uint32_t hash);

/* The value that is there already, or `fresh` after inserting it. */
uint32_t map_add(struct map *map, uint64_t a, uint32_t b, uint32_t fresh);

/* Inserts or overwrites. A value is below MAP_NONE. */
void map_set(struct map *map, uint64_t a, uint32_t b, uint32_t value);

/* Forgets all keys; the memory is kept for others. */
void map_clear(struct map *map);

void map_release(struct map *map);

#endif
