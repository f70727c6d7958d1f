/* Numbers, arrays and hash tables of precompiled images, by hand. */
#include "symbols/managed/r2r/native.h"
#include "tests/support/suite.h"

#define READER(bytes) reader_of("test", bytes, sizeof(bytes), 0, NULL)

TEST(unsigned_numbers)
{
    static const struct {
        uint8_t bytes[5];
        uint32_t value;
        size_t size;
    } numbers[] = {
        {{0x00}, 0, 1},
        {{0xFE}, 0x7F, 1},
        {{0x01, 0x02}, 0x80, 2},
        {{0xFD, 0xFF}, 0x3FFF, 2},
        {{0x03, 0x00, 0x02}, 0x4000, 3},
        {{0x5B, 0x8A, 0x16}, 0x2D14B, 3},
        {{0x07, 0x00, 0x00, 0x02}, 0x200000, 4},
        {{0xF7, 0xFF, 0xFF, 0xFF}, 0xFFFFFFF, 4},
        {{0x0F, 0x78, 0x56, 0x34, 0x12}, 0x12345678, 5},
    };

    for (size_t i = 0; i < COUNT(numbers); i++) {
        struct reader r = READER(numbers[i].bytes);
        struct reader cut =
            reader_of("cut", numbers[i].bytes, numbers[i].size - 1, 0, NULL);

        ck_assert_uint_eq(native_unsigned(&r), numbers[i].value);
        ck_assert_uint_eq(r.pos, numbers[i].size);
        ck_assert(!r.failed);
        ck_assert_uint_eq(native_unsigned(&cut), 0);
        ck_assert(cut.failed);
    }
}

TEST(signed_numbers)
{
    static const struct {
        uint8_t bytes[5];
        int32_t value;
    } numbers[] = {
        {{0x00}, 0},
        {{0x7E}, 63},
        {{0x80}, -64},
        {{0xFE}, -1},
        {{0x01, 0x80}, -0x2000},
        {{0xFD, 0x7F}, 0x1FFF},
        {{0xFB, 0xFF, 0xFF}, -1},
        {{0x07, 0x00, 0x00, 0x80}, -0x8000000},
        {{0x0F, 0xFE, 0xFF, 0xFF, 0xFF}, -2},
    };

    for (size_t i = 0; i < COUNT(numbers); i++) {
        struct reader r = READER(numbers[i].bytes);

        ck_assert_int_eq(native_signed(&r), numbers[i].value);
    }
}

TEST(no_number)
{
    static const uint8_t bytes[] = {0x1F, 1, 2, 3, 4, 5};
    struct reader r = READER(bytes);

    ck_assert_uint_eq(native_unsigned(&r), 0);
    ck_assert(r.failed);
}

/* Of 18 elements: 1, 2 and 13 in the first block, none but 17 in the other. */
static const uint8_t array[] = {
    18 << 3,              /* 18 elements, indices of one byte */
    2, 14,                /* blocks, from here */
    (9 << 2 | 3) << 1,    /* 3: bit 8; the other side 9 bytes on */
    1 << 1,               /* bit 4: only below */
    (4 << 2 | 3) << 1,    /* bit 2 */
    (2 << 2 | 2) << 1,    /* bit 1: only above, 2 bytes on ... */
    0xEE,                 /* ... over this one */
    0x11,                 /* 8: element 1 */
    (2 << 2) << 1,        /* 9: bit 1: a single leaf, 2 */
    0x22,                 /* its data */
    0xEE,
    (13 << 2) << 1,       /* 12: a single leaf, 13 */
    0x33,
    0xEE,
    (1 << 2) << 1,        /* 15: 17 alone */
    0x44,
};

TEST(elements)
{
    struct native_array a = native_array_of(READER(array));
    static const int data[18] = {[1] = 0x11, [2] = 0x22, [13] = 0x33,
                                 [17] = 0x44};

    ck_assert_uint_eq(a.count, 18);
    for (uint32_t i = 0; i < 18; i++) {
        struct reader r;
        bool there = native_array_at(&a, i, &r);

        ck_assert_msg(there == (data[i] != 0), "element %u", i);
        if (there)
            ck_assert_int_eq(reader_u8(&r), data[i]);
    }
}

TEST(broken_arrays)
{
    static const uint8_t wide[] = {4 << 3 | 3 << 1, 1, 2, 3, 4},
                         cut[] = {31 << 3, 1};
    struct native_array a;
    struct reader r;

    a = native_array_of(READER(wide));
    ck_assert_uint_eq(a.count, 0);
    a = native_array_of(READER(cut));
    ck_assert_uint_eq(a.count, 0);
    for (size_t n = 0; n < sizeof(array); n++) {
        a = native_array_of(reader_of("cut", array, n, 0, NULL));
        for (uint32_t i = 0; i < a.count; i++)
            native_array_at(&a, i, &r);
    }
}

/* Two buckets; the data of the second lie in front of the table. */
static const uint8_t hash[] = {
    0x77, 0x88,       /* data */
    1 << 2,           /* at 2: two buckets, offsets of a byte */
    3, 5, 9,          /* from 3 */
    0xAB, 10 << 1,    /* 6: to 7 + 10 */
    0xCD, (uint8_t)(-9 * 2), 0xEF, (uint8_t)(-10 * 2), /* 8: to 0 and 1 */
    0, 0, 0, 0, 0, 0x99,
};

TEST(hash_cut_anywhere)
{
    for (size_t n = 0; n < sizeof(hash); n++) {
        struct reader all = reader_of("cut", hash, n, 0, NULL), r;
        struct native_hash h = native_hash_of(reader_at(&all, 2, "table"));

        for (unsigned i = 0; native_hash_next(&h, &r); i++)
            ck_assert_uint_lt(i, sizeof(hash));
    }
}
