/* Records of a jitdump, in either byte order, and damaged ones. */
#include "engine/attribution/jitdump_records.h"

#include "tests/support/suite.h"

static uint8_t bytes[400];
static size_t length;
static bool swapped;

static void put(uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++) {
        unsigned shift = 8 * (swapped ? size - 1 - i : i);

        bytes[length++] = (uint8_t)(value >> shift);
    }
}

static void header(bool big, uint32_t size)
{
    length = 0;
    swapped = big;
    memset(bytes, 0, sizeof(bytes));
    put(0x4A695444, 4);
    put(1, 4);
    put(size, 4);
    length = 40;
}

static void record(uint32_t id, uint32_t size, uint64_t time)
{
    put(id, 4);
    put(size, 4);
    put(time, 8);
}

TEST(headers_have_a_length)
{
    struct jitdump_records d;

    for (uint32_t size = 39; size <= 51; size++) {
        struct err err = {0};

        header(false, size);
        ck_assert_int_eq(jitdump_open(&d, "a.dump", bytes, 50, &err),
                         size >= 40 && size <= 50);
        ck_assert_int_eq(err.code,
                         size < 40 || size > 50 ? ERR_CORRUPT : ERR_NONE);
        if (!err.code)
            ck_assert_uint_eq(d.reader.pos, size);
    }
    header(true, 12);
    ck_assert(!jitdump_open(&d, "a.dump", bytes, 40, &(struct err){0}));
}

static void add_load(void)
{
    record(JITDUMP_LOAD, 16 + 40 + 4, 77);
    put(1, 4);
    put(2, 4);
    put(0xAAAA, 8);
    put(0x1000, 8);
    put(0x20, 8);
    put(5, 8);
    memcpy(bytes + length, "run", 4);
    length += 4;
}

/* A record ends the file where it is cut off, or smaller than its head. */
TEST(records_that_are_cut_off)
{
    struct jitdump_records d;
    struct jitdump_record r;
    struct jitdump_code code;

    header(false, 40);
    record(9, 16, 1);
    record(9, 15, 2);
    ck_assert(jitdump_open(&d, "a.dump", bytes, length, NULL));
    ck_assert(jitdump_next(&d, &r));
    ck_assert(!jitdump_next(&d, &r));
    header(false, 40);
    add_load();
    ck_assert(jitdump_open(&d, "a.dump", bytes, length - 1, NULL));
    ck_assert(!jitdump_next(&d, &r));
    header(false, 40);
    record(JITDUMP_MOVE, 16 + 47, 1); /* a byte less than it needs */
    length += 47;
    ck_assert(jitdump_open(&d, "a.dump", bytes, length, NULL));
    ck_assert(jitdump_next(&d, &r));
    ck_assert(!jitdump_code(&d, &r, &code));
    ck_assert(!jitdump_next(&d, &r));
}

/* The frames before the .eh_frame_hdr are read in either byte order; sizes that
 * do not fit are ignored. */
TEST(frames_come_before_their_code)
{
    static const struct {
        uint64_t size, header;
        size_t frames;
    } rows[] = {{24, 8, 16}, {24, 24, 0}, {24, 25, 0}, {25, 8, 0}, {0, 0, 0}};

    for (size_t i = 0; i < 2 * COUNT(rows); i++) {
        struct jitdump_records d;
        struct jitdump_record rec;
        struct bytes frames;

        header(i % 2, 40);
        record(JITDUMP_UNWINDING_INFO, 16 + 24 + 24, 77);
        put(rows[i / 2].size, 8);
        put(rows[i / 2].header, 8);
        put(0, 8);
        length += 24;
        ck_assert(jitdump_open(&d, "a.dump", bytes, length, NULL));
        ck_assert(jitdump_next(&d, &rec));
        frames = jitdump_frames(&d, &rec);
        ck_assert_uint_eq(frames.len, rows[i / 2].frames);
        if (frames.len)
            ck_assert_ptr_eq(frames.data, bytes + 40 + 16 + 24);
    }
}
