/* From offsets in compiled code to IL: the rules of ilmap.h, by hand. */
#include "engine/model/il_map.h"
#include "tests/support/suite.h"

enum { NONE = -1, MOST = 8 };

struct lookup {
    struct il_entry entries[MOST]; /* as the runtime writes them */
    size_t count;
    uint64_t offset;
    int as_return, exact; /* IL, or NONE */
};

static const struct lookup lookups[] = {
    /* An entry reaches to the next; a return address is behind its call. */
    {{{0, 0}, {0x10, 4}, {0x20, 9}}, 3, 0x15, 4, 4},
    {{{0, 0}, {0x10, 4}, {0x20, 9}}, 3, 0x500, 9, 9},
    /* A call that ends where the next IL begins: the last of what is before. */
    {{{0, 0}, {0x10, 4}, {0x20, 9}}, 3, 0x10, 3, 4},
    /* Not when other IL comes between, as in moved code. */
    {{{0, 0}, {0x10, 9}, {0x20, 4}}, 3, 0x10, 0, 9},
    /* Order of the entries does not matter. */
    {{{0x20, 9}, {0, 0}, {0x10, 4}}, 3, 0x18, 4, 4},
    /* Before the first entry nothing is known. */
    {{{0x10, 4}}, 1, 0x10, NONE, 4},
    {{{0x10, 4}}, 1, 0x0F, NONE, NONE},
    {{{0, 4}}, 1, 0, NONE, 4},
    /* A prolog is what comes first behind it, if anything does. */
    {{{0, IL_PROLOG}, {8, 3}}, 2, 4, 3, 3},
    {{{0, IL_PROLOG}, {8, IL_NO_MAPPING}, {9, 3}}, 3, 4, 3, 3},
    {{{0, IL_PROLOG}, {8, 0}, {9, 3}}, 3, 4, 0, 0},
    {{{0, IL_PROLOG}}, 1, 4, NONE, NONE},
    {{{0, IL_PROLOG}, {0, 3}, {8, 7}}, 3, 4, 3, 3},
    /* An epilog: nothing for a call, what was before for a sample. */
    {{{0, 0}, {0x10, 4}, {0x20, IL_EPILOG}}, 3, 0x24, NONE, 4},
    {{{0, 0}, {0x10, 4}, {0x10, IL_EPILOG}}, 3, 0x14, NONE, 4},
    {{{0x10, IL_EPILOG}, {0x10, 4}, {0, 0}}, 3, 0x14, NONE, 4},
    {{{0, IL_EPILOG}}, 1, 4, NONE, NONE},
    {{{0, IL_NO_MAPPING}, {4, IL_EPILOG}}, 2, 6, NONE, NONE},
    /* Code without IL. */
    {{{0, 0}, {0x10, IL_NO_MAPPING}, {0x20, 5}}, 3, 0x18, NONE, NONE},
    {{{0, 0}, {0x10, IL_NO_MAPPING}}, 2, 0x10, 0, NONE},
    /* Marks that no runtime writes are no IL either. */
    {{{0, -77}}, 1, 4, NONE, NONE},
    /* Offsets beyond 32 bits. */
    {{{0, 2}, {UINT32_MAX, 8}}, 2, UINT64_MAX, 8, 8},
    {{{0, 2}, {UINT32_MAX, 8}}, 2, 77, 2, 2},
};

enum { LOOKUPS = COUNT(lookups) };

static int find(const struct il_map *map, uint64_t offset, bool is_return)
{
    uint32_t il;

    return il_map_find(map, offset, is_return, &il) ? (int)il : NONE;
}

TEST(rules)
{
    for (size_t i = 0; i < LOOKUPS; i++) {
        const struct lookup *l = &lookups[i];
        struct il_maps maps = {.entries = {0}};
        struct il_map map;

        il_maps_set(&maps, 7, l->entries, l->count);
        map = il_maps_get(&maps, 7);
        ck_assert_uint_eq(map.count, l->count);
        ck_assert_msg(find(&map, l->offset, true) == l->as_return,
                      "%zu: return %d", i, find(&map, l->offset, true));
        ck_assert_msg(find(&map, l->offset, false) == l->exact,
                      "%zu: exact %d", i, find(&map, l->offset, false));
        il_maps_release(&maps);
    }
}

TEST(maps_are_kept_by_method)
{
    static const struct il_entry one[] = {{4, 1}, {0, 0}}, two[] = {{0, 9}};
    struct il_maps maps = {.entries = {0}};
    struct il_map map;

    il_maps_set(&maps, 3, one, 2);
    il_maps_set(&maps, 5, two, 1);
    il_maps_set(&maps, 3, two, 1);
    il_maps_set(&maps, 6, NULL, 0);
    map = il_maps_get(&maps, 3);
    ck_assert_uint_eq(map.count, 2);
    ck_assert_uint_eq(map.data[0].native, 0);
    ck_assert_uint_eq(map.data[1].native, 4);
    map = il_maps_get(&maps, 5);
    ck_assert_int_eq(map.data[0].il, 9);
    map = il_maps_get(&maps, 6);
    ck_assert_uint_eq(map.count, 0);
    ck_assert_int_eq(find(&map, 4, false), NONE);
    ck_assert_int_eq(find(&map, 4, true), NONE);
    il_maps_release(&maps);
}
