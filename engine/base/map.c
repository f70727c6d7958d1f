#include "engine/base/map.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SMALLEST = 64 };

/* The slot that holds the key, or the free one where it belongs. */
static inline struct map_slot *find_hashed(const struct map *map, uint64_t a,
                                           uint32_t b, uint32_t hash)
{
    size_t mask = map->size - 1;
    size_t i = hash & mask;

    while (map->slots[i].value &&
           (map->slots[i].a != a || map->slots[i].b != b))
        i = (i + 1) & mask;
    return &map->slots[i];
}

static inline struct map_slot *find_slot(const struct map *map, uint64_t a,
                                         uint32_t b)
{
    return find_hashed(map, a, b, map_hash_of(map, a, b));
}

/* Half full is the limit: a key is then mostly in its own slot, and the
 * processor need not guess how many are before it. */
static size_t most_keys(size_t size)
{
    return size / 2;
}

static void grow(struct map *map, size_t size)
{
    struct map old = *map;

    map->slots = mem_new_table(size, sizeof(*map->slots));
    map->size = size;
    map->most = most_keys(size);
    for (size_t i = 0; i < old.size; i++)
        if (old.slots[i].value)
            *find_slot(map, old.slots[i].a, old.slots[i].b) = old.slots[i];
    free(old.slots);
}

/* As find_slot, with room for one more. */
static struct map_slot *slot_for_insert(struct map *map, uint64_t a, uint32_t b)
{
    if (map->used >= map->most)
        grow(map, map->size ? map->size * 2 : SMALLEST);
    return find_slot(map, a, b);
}

void map_reserve(struct map *map, size_t keys)
{
    size_t size = map->size ? map->size : SMALLEST;

    while (keys >= most_keys(size))
        size *= 2;
    if (size > map->size)
        grow(map, size);
}

struct map_slot *map_find_hashed(const struct map *map, uint64_t a, uint32_t b,
                                 uint32_t hash)
{
    struct map_slot *slot = map->size ? find_hashed(map, a, b, hash) : NULL;

    return slot && slot->value ? slot : NULL;
}

struct map_slot *map_find(const struct map *map, uint64_t a, uint32_t b)
{
    return map_find_hashed(map, a, b, map_hash_of(map, a, b));
}

uint32_t map_get(const struct map *map, uint64_t a, uint32_t b)
{
    const struct map_slot *slot = map_find(map, a, b);

    return slot ? slot->value - 1 : MAP_NONE;
}

uint32_t map_add(struct map *map, uint64_t a, uint32_t b, uint32_t fresh)
{
    struct map_slot *slot = slot_for_insert(map, a, b);

    if (slot->value)
        return slot->value - 1;
    assert(fresh < MAP_NONE);
    *slot = (struct map_slot){.a = a, .b = b, .value = fresh + 1};
    map->used++;
    return fresh;
}

void map_set(struct map *map, uint64_t a, uint32_t b, uint32_t value)
{
    struct map_slot *slot = slot_for_insert(map, a, b);

    assert(value < MAP_NONE);
    if (!slot->value)
        map->used++;
    *slot = (struct map_slot){.a = a, .b = b, .value = value + 1};
}

void map_clear(struct map *map)
{
    if (map->used)
        memset(map->slots, 0, map->size * sizeof(*map->slots));
    map->used = 0;
}

void map_release(struct map *map)
{
    free(map->slots);
    memset(map, 0, sizeof(*map));
}
