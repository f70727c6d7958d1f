/* Headers of events: what each field means, and where they end. */
#include "tests/engine/format/nettrace/events.h"

enum { KIND = 3 };

static struct nettrace_writer *w;

static void begin(unsigned version, bool compressed)
{
    w = nettrace_writer_new(version, compressed);
    nettrace_kind(w, KIND, "Shop", 1, "Sold", 0);
    if (version == 6)
        for (uint64_t id = 0; id < 20; id++)
            nettrace_thread(w, id, 100, 100 + id);
}

static void begin_events(unsigned flags)
{
    nettrace_begin_block(w, NT_BLOCK_EVENTS);
    blob_pack(&w->block, "HHQQ", 20, flags, 11, 22);
}

static void put8(unsigned byte)
{
    put_number(&w->block, byte, 1);
}

static void put_guid(uint8_t first)
{
    for (uint8_t i = 0; i < 16; i++)
        put8(first + i);
}

/* All flags, then none, then one by one. */
TEST_LOOP(compressed_headers, 2)
{
    static const uint8_t flags[] = {0xFF, 0,    0x01, 0x02, 0x04,
                                    0x08, 0x10, 0x20, 0x40, 0x80};
    bool v6 = _i;

    begin(v6 ? 6 : 4, true);
    begin_events(1);
    for (size_t i = 0; i < sizeof(flags); i++) {
        unsigned f = flags[i];

        put8(f);
        if (f & 0x01)
            put8(KIND);
        if (f & 0x02) {
            put8(4);                            /* and one more */
            put_varint(&w->block, i ? 9 : 8);   /* who wrote it */
            put_varint(&w->block, i ? 300 : 2); /* processor */
        }
        if (f & 0x04)
            put8(i ? 7 : 6);
        if (f & 0x08)
            put_varint(&w->block, i ? 128 : 127);
        put_varint(&w->block, 1000);
        if (f & 0x10 && v6)
            put8(0);
        if (f & 0x10 && !v6)
            put_guid(0x10);
        if (f & 0x20 && !v6)
            put_guid(0x20);
        if (f & 0x80)
            put8(i ? 0 : 2);
        for (uint32_t n = i < 9 ? 2 : 0; n; n--)
            put8(0xA0 + (unsigned)i);
    }
    events_read(w);
    ck_assert_uint_eq(got.count, 10);
    ck_assert_uint_eq(got.file.damaged, 0);
    for (size_t i = 0; i < 10; i++) {
        const struct nt_event *e = &got.events[i];

        ck_assert_uint_eq(e->kind, KIND);
        ck_assert_uint_eq(e->sequence, i < 3 ? 5 + i : 9 + i);
        ck_assert_uint_eq(e->capture_thread, i < 3 ? 8 : 9);
        ck_assert_uint_eq(e->processor, i < 3 ? 2 : 300);
        ck_assert_uint_eq(e->thread, i < 4 ? 6 : 7);
        ck_assert_uint_eq(e->stack, i < 5 ? 127 : 128);
        ck_assert_uint_eq(e->time, 1000 * (i + 1));
        ck_assert(e->sorted == (i == 0 || i == 8));
        ck_assert_uint_eq(e->size, i < 9 ? 2 : 0);
        if (e->size)
            ck_assert_uint_eq(e->payload[1], 0xA0 + i);
        ck_assert(!e->activity == v6);
        ck_assert(!e->related == v6);
        if (!v6) {
            ck_assert_uint_eq(e->activity[15], 0x1F);
            ck_assert_uint_eq(e->related[0], 0x20);
        }
    }
    events_end(w);
}

/* Numbers of up to 32 and 64 bits, and one that is longer. */
static const struct {
    uint8_t bytes[12];
    size_t n;
    bool time; /* else a stack */
    uint64_t value;
} numbers[] = {
    {{0}, 1, false, 0},
    {{0x7F}, 1, false, 127},
    {{0x80, 0x01}, 2, false, 128},
    {{0xFF, 0xFF, 0xFF, 0xFF, 0x0F}, 5, false, UINT32_MAX},
    {{0xFF, 0xFF, 0xFF, 0xFF, 0x10}, 5, false, UINT64_MAX},
    {{0xFF, 0xFF, 0xFF, 0xFF, 0x8F, 0}, 6, false, UINT32_MAX},
    {{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F},
     9,
     true,
     INT64_MAX},
    {{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1},
     10,
     true,
     UINT64_MAX - 1},
    {{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2},
     10,
     true,
     UINT64_MAX},
    {{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x81, 0},
     11,
     true,
     UINT64_MAX},
};

TEST_LOOP(numbers_of_headers, COUNT(numbers))
{
    bool time = numbers[_i].time;

    begin(6, true);
    begin_events(1);
    put8(time ? 1 : 9);
    put8(KIND);
    put_bytes(&w->block, numbers[_i].bytes, numbers[_i].n);
    if (!time)
        put8(0);
    events_read(w);
    if (numbers[_i].value == UINT64_MAX) {
        ck_assert_uint_eq(got.count, 0);
        ck_assert_uint_eq(got.file.damaged, 1);
        ck_assert_ptr_nonnull(strstr(got.err.message, "damaged event header"));
    } else {
        ck_assert_uint_eq(got.count, 1);
        ck_assert_uint_eq(time ? got.events[0].time : got.events[0].stack,
                          numbers[_i].value + (time && _i == 7));
    }
    events_end(w);
}

/* ---- where events end ---- */

/* A plain event that claims sizes for itself and its payload. */
static void put_claims(unsigned header, uint64_t size, uint64_t payload,
                       size_t there)
{
    size_t start = w->block.len;

    blob_pack(&w->block, "II", size, KIND);
    while (w->block.len < start + header - 4)
        put8(0);
    put_number(&w->block, payload, 4);
    for (size_t i = 0; i < there; i++)
        put8(0);
}

static const struct {
    int more; /* than the header, as the size says */
    uint64_t payload;
    size_t there;
    const char *damage; /* NULL: none */
} claims[] = {
    {0, 0, 0, NULL},
    {4, 4, 4, NULL},
    {4, 0, 4, NULL},
    {4, 5, 4, "event payload too long"},
    {5, 4, 4, "event truncated"},
    {-1, 0, 0, "event truncated"},
};

TEST_LOOP(sizes_of_plain_events, 2 * COUNT(claims))
{
    unsigned header = _i % 2 ? 52 : 80;
    size_t row = (size_t)_i / 2;

    begin(header == 52 ? 6 : 4, false);
    begin_events(0);
    put_claims(header, header - 4 + (uint64_t)claims[row].more,
               claims[row].payload, claims[row].there);
    events_read(w);
    ck_assert_uint_eq(got.count, !claims[row].damage);
    ck_assert_uint_eq(got.file.damaged, !!claims[row].damage);
    if (claims[row].damage)
        ck_assert_ptr_nonnull(strstr(got.err.message, claims[row].damage));
    events_end(w);
}

TEST(a_header_cut_off)
{
    for (unsigned version = 4; version <= 6; version += 2) {
        begin(version, false);
        begin_events(0);
        put_number(&w->block, 48, 4);
        for (unsigned i = 0; i < (version == 6 ? 47u : 75u); i++)
            put8(0);
        events_read(w);
        ck_assert_uint_eq(got.file.damaged, 1);
        events_end(w);
    }
}

TEST(blocks_that_end_early)
{
    begin(6, true);
    nettrace_begin_block(w, NT_BLOCK_EVENTS);
    put_number(&w->block, 20, 2);
    for (size_t i = 0; i < 17; i++)
        put8(0);
    events_read(w);
    ck_assert_uint_eq(got.file.damaged, 1);
    ck_assert_uint_eq(got.file.blocks, 0);
    events_end(w);
    begin(6, true);
    begin_events(1); /* a block without events */
    events_read(w);
    ck_assert_uint_eq(got.file.damaged, 0);
    ck_assert_uint_eq(got.file.blocks, 1);
    events_end(w);
    begin(6, true);
    begin_events(1);
    put8(0x81);
    put8(KIND);
    put8(5);
    put8(2); /* bytes of payload, of which one is there */
    put8(0);
    events_read(w);
    ck_assert_uint_eq(got.count, 0);
    ck_assert_ptr_nonnull(strstr(got.err.message, "event truncated"));
    events_end(w);
}
