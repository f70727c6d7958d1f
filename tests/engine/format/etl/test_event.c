/* From one record to the next, by every kind of header. */
#include "engine/format/etl/event.h"

#include "tests/support/blob.h"
#include "tests/support/suite.h"

enum { ROOM = 256 };

static const uint64_t TIME = 0x1122334455667788u;

static const struct {
    uint8_t type;
    uint32_t header;
    unsigned size_at, time_at, width;
    enum etl_family family;
} kinds[] = {
    {1, 32, 4, 16, 4, FAMILY_KERNEL},  {2, 32, 4, 16, 8, FAMILY_KERNEL},
    {3, 24, 4, 16, 4, FAMILY_KERNEL},  {4, 24, 4, 16, 8, FAMILY_KERNEL},
    {10, 48, 0, 16, 4, FAMILY_FULL},   {20, 48, 0, 16, 8, FAMILY_FULL},
    {11, 72, 0, 16, 4, FAMILY_OTHER},  {21, 72, 0, 16, 8, FAMILY_OTHER},
    {16, 16, 4, 8, 4, FAMILY_KERNEL},  {17, 16, 4, 8, 8, FAMILY_KERNEL},
    {18, 80, 0, 16, 4, FAMILY_HEADER}, {19, 80, 0, 16, 8, FAMILY_HEADER},
};

/* A record of that kind and size, at `at` of zeros. */
static void put(uint8_t bytes[ROOM], size_t at, size_t kind, uint32_t size)
{
    struct blob b = {.data = bytes, .len = ROOM, .cap = ROOM};

    memset(bytes, 0, ROOM);
    blob_set(&b, at + kinds[kind].time_at, TIME, 8);
    blob_set(&b, at + 2, kinds[kind].type, 1);
    blob_set(&b, at + 3, 0xC0, 1);
    blob_set(&b, at + kinds[kind].size_at, size, 2);
    if (kinds[kind].family == FAMILY_KERNEL)
        blob_set(&b, at + 6, 0x0F2E, 2);
}

/* Counters of the processor stand between a kernel header and its payload. */
TEST(longer_headers)
{
    static const struct {
        uint16_t word;
        uint32_t more;
    } words[] = {{0x0002, 0}, {0x0102, 8},  {0x0402, 32}, {0x0702, 56},
                 {0x8002, 8}, {0x8702, 64}, {0x7802, 0}};
    uint8_t bytes[ROOM];
    struct etl_event e;

    for (size_t i = 0; i < COUNT(words); i++) {
        struct blob b = {.data = bytes, .len = ROOM, .cap = ROOM};
        size_t pos = 0;

        put(bytes, 0, 9, 16 + words[i].more);
        blob_set(&b, 0, words[i].word, 2);
        ck_assert_int_eq(etl_step(bytes, ROOM, &pos, &e), STEP_EVENT);
        ck_assert_uint_eq(e.header, 16 + words[i].more);
        ck_assert_uint_eq(etl_version(&e), 2);
        put(bytes, 0, 9, 15 + words[i].more);
        blob_set(&b, 0, words[i].word, 2);
        pos = 0;
        ck_assert_int_eq(etl_step(bytes, ROOM, &pos, &e), STEP_BAD);
    }
}

/* Records that have a size and are skipped: WNODE blocks, WPP messages, old
 * timed records and types 12 to 15. */
TEST(other_records)
{
    static const struct {
        uint8_t head[4];
        size_t size; /* 0: nothing that is known */
    } others[] = {
        {{20, 0, 0, 0}, 24},     {{8, 0, 0, 0}, 8},
        {{7, 0, 0, 0}, 0},       {{0, 1, 0, 0}, ROOM},
        {{1, 1, 0, 0}, 0},       {{16, 0, 9, 0x90}, 16},
        {{17, 0, 9, 0xB0}, 24},  {{16, 0, 9, 0xA0}, 0},
        {{16, 0, 11, 0xC0}, 0},  {{16, 0, 12, 0xC0}, 16},
        {{16, 0, 15, 0xC0}, 16}, {{16, 0, 22, 0xC0}, 0},
        {{0, 0, 0, 0}, 0},       {{16, 0, 5, 0xC0}, 0},
        {{16, 0, 13, 0x90}, 16},
    };
    uint8_t bytes[ROOM] = {0};
    struct etl_event e;

    for (size_t i = 0; i < COUNT(others); i++) {
        size_t pos = 0;

        memcpy(bytes, others[i].head, 4);
        ck_assert_int_eq(etl_step(bytes, ROOM, &pos, &e),
                         others[i].size ? STEP_EVENT : STEP_BAD);
        ck_assert_uint_eq(pos, others[i].size);
    }
}

TEST(where_events_end)
{
    uint8_t bytes[16] = {8};
    struct etl_event e;
    size_t pos = 8;

    ck_assert_int_eq(etl_step(bytes, 15, &pos, &e), STEP_END);
    pos = 0;
    ck_assert_int_eq(etl_step(bytes, 8, &pos, &e), STEP_EVENT);
    ck_assert_int_eq(e.family, FAMILY_OTHER);
    ck_assert_uint_eq(e.time, 0);
    memset(bytes, 0xFF, 4);
    pos = 0;
    ck_assert_int_eq(etl_step(bytes, 16, &pos, &e), STEP_END);
    memcpy(bytes, (uint8_t[]){9, 0, 0, 0}, 4);
    pos = 0;
    ck_assert_int_eq(etl_step(bytes, 9, &pos, &e), STEP_EVENT);
    ck_assert_uint_eq(pos, 9);
}

/* ---- extended items ---- */

static struct blob items;

static void put_item(unsigned type, bool more, unsigned size)
{
    blob_pack(&items, "HHHH", (uint16_t)size, (uint16_t)type, more,
              (uint16_t)size);
    blob_zero(&items, size);
    blob_align(&items, 8);
}

static struct etl_event begin_items(bool any)
{
    items.len = 0;
    blob_zero(&items, 80);
    blob_set(&items, 4, any, 1);
    return (struct etl_event){.header = 80};
}

static bool pass(struct etl_event *e, uint64_t *stacks)
{
    struct etl_items found;

    e->at = items.data;
    e->size = (uint32_t)items.len;
    if (!etl_pass_items(e, &found))
        return false;
    *stacks = found.stacks;
    return true;
}

TEST(items_are_passed)
{
    struct etl_event e = begin_items(true);
    uint64_t stacks;

    put_item(5, true, 12);
    put_item(6, true, 16);
    put_item(11, true, 1);
    put_item(17, true, 0);
    put_item(18, true, 8);
    put_item(4, true, 8);
    put_item(19, true, 8);
    put_item(16, false, 8);
    blob_u32(&items, 0xABCD);
    ck_assert(pass(&e, &stacks));
    ck_assert_uint_eq(stacks, 4);
    ck_assert_uint_eq(etl_payload_size(&e), 4);
    ck_assert_uint_eq(load_u32(etl_payload(&e)), 0xABCD);
    e = begin_items(false);
    put_item(5, false, 8);
    ck_assert(pass(&e, &stacks));
    ck_assert_uint_eq(stacks, 0);
    ck_assert_uint_eq(etl_payload_size(&e), 16);
    free(items.data);
    items = (struct blob){0};
}

TEST(items_that_do_not_fit)
{
    struct etl_event e = begin_items(true);
    uint64_t stacks;

    put_item(5, true, 8); /* another one should follow */
    ck_assert(!pass(&e, &stacks));
    e = begin_items(true);
    put_item(5, false, 8);
    items.len--;
    ck_assert(!pass(&e, &stacks));
    e = begin_items(true);
    put_item(5, false, 0);
    ck_assert(pass(&e, &stacks));
    ck_assert_uint_eq(etl_payload_size(&e), 0);
    e = begin_items(true);
    put_item(5, false, 0);
    items.len--;
    ck_assert(!pass(&e, &stacks));
    free(items.data);
    items = (struct blob){0};
}
