#include "engine/base/map.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/hash.h"
#include "engine/base/mem.h"

enum { SMALLEST = 64 };

/* The slot that holds the key, or the free one where it belongs. */
static inline struct map_slot *find_slot(const struct map *map, uint64_t a,
                                         uint32_t b)
{
    size_t mask = map->size - 1;
    size_t i = hash_pair(a, b) & mask;

    while (map->slots[i].value &&
           (map->slots[i].a != a || map->slots[i].b != b))
        i = (i + 1) & mask;
    return &map->slots[i];
}

/* Does what find_slot does, and makes room for one more key. A map is at most
 * three quarters full, so a key is mostly in the first slots that are looked
 * at. */
static struct map_slot *slot_for_insert(struct map *map, uint64_t a, uint32_t b)
{
    struct map old = *map;

    if (map->used >= map->size / 4 * 3) {
        map->size = old.size ? old.size * 2 : SMALLEST;
        map->slots = mem_new_table(map->size, sizeof(*map->slots));
        for (size_t i = 0; i < old.size; i++)
            if (old.slots[i].value)
                *find_slot(map, old.slots[i].a, old.slots[i].b) = old.slots[i];
        free(old.slots);
    }
    return find_slot(map, a, b);
}

uint32_t map_get(const struct map *map, uint64_t a, uint32_t b)
{
    return map->size ? find_slot(map, a, b)->value - 1 : MAP_NONE;
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

void map_release(struct map *map)
{
    free(map->slots);
    memset(map, 0, sizeof(*map));
}
