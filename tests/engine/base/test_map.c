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

/* Keys that differ in one half only, and the extremes. */
TEST(keys_are_compared_in_full)
{
    static const struct {
        uint64_t a;
        uint32_t b;
    } keys[] = {
        {0, 0},          {0, 1},          {1, 0},
        {1ull << 32, 0}, {0, UINT32_MAX}, {UINT64_MAX, 0},
        {UINT64_MAX, 1}, {1, 1},          {UINT64_MAX, UINT32_MAX},
    };
    enum { KEYS = COUNT(keys) };
    struct map map = {0};

    for (uint32_t i = 0; i < KEYS; i++)
        ck_assert_uint_eq(map_add(&map, keys[i].a, keys[i].b, i), i);
    for (uint32_t i = 0; i < KEYS; i++)
        ck_assert_uint_eq(map_get(&map, keys[i].a, keys[i].b), i);
    ck_assert_uint_eq(map.used, KEYS);
    ck_assert_uint_eq(map_get(&map, 2, 2), MAP_NONE);
    map_release(&map);
}

TEST(add_keeps_the_first_value)
{
    struct map map = {0};

    ck_assert_uint_eq(map_add(&map, 7, 7, 1), 1);
    ck_assert_uint_eq(map_add(&map, 7, 7, 2), 1);
    ck_assert_uint_eq(map_get(&map, 7, 7), 1);
    ck_assert_uint_eq(map.used, 1);
    map_release(&map);
}

TEST(set_overwrites)
{
    struct map map = {0};

    map_set(&map, 7, 7, 1);
    map_set(&map, 7, 7, MAP_NONE - 1);
    ck_assert_uint_eq(map_get(&map, 7, 7), MAP_NONE - 1);
    ck_assert_uint_eq(map.used, 1);
    map_release(&map);
}

/* Aligned addresses and consecutive ids are what keys mostly are. */
TEST(grows_and_keeps_everything)
{
    struct map map = {0};

    for (uint32_t i = 0; i < MANY; i++)
        map_add(&map, 0x7FF000000000u + 4096ull * i, i % 5, i);
    ck_assert_uint_eq(map.used, MANY);
    ck_assert_uint_lt(map.used, map.size);
    ck_assert_uint_eq(map.size & (map.size - 1), 0);
    for (uint32_t i = 0; i < MANY; i++)
        ck_assert_uint_eq(
            map_get(&map, 0x7FF000000000u + 4096ull * i, i % 5), i);
    ck_assert_uint_eq(map_get(&map, 0x7FF000000001u, 0), MAP_NONE);
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
