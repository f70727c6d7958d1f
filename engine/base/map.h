/*
 * map - the one hash table: from a 96-bit key to a 32-bit value.
 *
 * Every index of the engine is one of these: (address, process) to location,
 * (parent, location) to stack, (function, parent) to tree node. Keys are
 * compared in full. Nothing walks over a map, so the order of its slots never
 * shows in an output.
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
};

/* The value, or MAP_NONE. */
uint32_t map_get(const struct map *map, uint64_t a, uint32_t b);

/* The value that the key has already, or `fresh` after inserting it. */
uint32_t map_add(struct map *map, uint64_t a, uint32_t b, uint32_t fresh);

/* Inserts or overwrites. A value is below MAP_NONE. */
void map_set(struct map *map, uint64_t a, uint32_t b, uint32_t value);

void map_release(struct map *map);

#endif
