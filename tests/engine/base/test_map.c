#include "engine/base/map.h"

#include "engine/base/hash.h"
#include "tests/support/suite.h"

enum { MANY = 100000 };

TEST(empty_has_nothing)
{
    struct map map = {0};

    ck_assert_uint_eq(map_get(&map, 0, 0), MAP_NONE);
    map_release(&map);
    map_release(&map);
}

/* What the slots of all keys have to be passed over for, together. */
static size_t detours(const struct map *map)
{
    size_t mask = map->size - 1, total = 0;

    for (size_t i = 0; i < map->size; i++)
        if (map->slots[i].value)
            total += (i - (size_t)hash_pair(map->slots[i].a, map->slots[i].b)) &
                     mask;
    return total;
}

/* Keys of every kind of regularity, whatever the key of the hash. */
TEST(no_key_is_far_from_its_slot)
{
    static const unsigned shifts[] = {0, 3, 12, 16, 32, 44};

    for (size_t k = 0; k < 5; k++)
        for (size_t s = 0; s < 6; s++) {
            struct map map = {0};

            hash_set_key(k);
            for (uint32_t i = 0; i < MANY / 4; i++)
                map_add(&map, (uint64_t)i << shifts[s], s & 1, i);
            ck_assert_uint_lt(detours(&map), 3 * map.used);
            map_release(&map);
        }
}
