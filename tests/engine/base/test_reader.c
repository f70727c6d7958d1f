#include "engine/base/reader.h"

#include "tests/support/suite.h"

#define READER(bytes, err)                                                     \
    reader_of("a.etl", bytes, sizeof(bytes) - 1, 0x100, err)

/* After a failure nothing can be read and nothing moves. */
static void assert_failed(struct reader *r)
{
    size_t pos = r->pos;

    ck_assert(r->failed && !reader_more(r));
    ck_assert_uint_eq(reader_left(r), 0);
    ck_assert_uint_eq(reader_u8(r) + reader_u16(r) + reader_u32(r), 0);
    ck_assert_uint_eq(reader_u64(r) + reader_ptr(r, 4) + reader_uleb(r), 0);
    ck_assert_uint_eq(reader_bytes(r, 0).len + reader_cstr(r).len, 0);
    ck_assert_uint_eq(reader_utf16(r).len + reader_count(r, 1, "n"), 0);
    ck_assert(reader_sub(r, 0, "part").failed);
    reader_skip(r, 0);
    reader_align(r, 8);
    ck_assert_uint_eq(r->pos, pos);
}

TEST(little_endian_and_unaligned)
{
    struct reader r = READER("\1\2\3\4\5\6\7\x88\x99\xAA\xBB\xCC\xDD\xEE\xFF"
                             "\1\2\3\4\5\6\7\x88\1\2\3\xF4", NULL);

    ck_assert_uint_eq(reader_u8(&r), 1);
    ck_assert_uint_eq(reader_u16(&r), 0x0302);
    ck_assert_uint_eq(reader_u32(&r), 0x07060504);
    ck_assert_uint_eq(reader_u64(&r), 0xFFEEDDCCBBAA9988u);
    ck_assert_uint_eq(reader_left(&r), 12);
    reader_skip(&r, 7);
    ck_assert_uint_eq(reader_u8(&r), 0x88);
    ck_assert_uint_eq(reader_ptr(&r, 4), 0xF4030201u);
    ck_assert(!reader_more(&r) && !r.failed);
}

TEST(failure_is_sticky_and_recorded_once)
{
    struct err err = {0};
    struct reader r = READER("\1\2\3", &err);

    reader_u16(&r);
    ck_assert_uint_eq(reader_u32(&r), 0);
    ck_assert_int_eq(err.code, ERR_TRUNCATED);
    ck_assert_str_eq(err.message,
                     "a.etl: offset 0x102: value truncated");
    reader_fail(&r, ERR_CORRUPT, "later");
    ck_assert_int_eq(err.code, ERR_TRUNCATED);
    assert_failed(&r);
}

/* What a file claims can be any number: no sum may wrap. */
TEST(huge_lengths)
{
    static const size_t sizes[] = {4, 5, SIZE_MAX, SIZE_MAX - 2,
                                   (size_t)1 << 63};

    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct reader r = READER("\1\2\3\4", NULL), sub, copy;

        reader_u8(&r);
        copy = r;
        ck_assert_uint_eq(reader_bytes(&copy, sizes[i]).len, 0);
        assert_failed(&copy);
        copy = r;
        sub = reader_sub(&copy, sizes[i], "part");
        ck_assert(sub.failed && copy.failed);
        copy = r;
        reader_skip(&copy, sizes[i]);
        ck_assert(copy.failed);
    }
}

TEST(nothing_to_read)
{
    struct reader r = reader_of("empty", NULL, 0, 0, NULL);
    struct reader sub;

    reader_skip(&r, 0);
    reader_align(&r, 8);
    ck_assert_uint_eq(reader_bytes(&r, 0).len, 0);
    ck_assert_uint_eq(reader_cstr(&r).len, 0);
    ck_assert_uint_eq(reader_utf16(&r).len, 0);
    sub = reader_sub(&r, 0, "part");
    reader_skip(&sub, 0);
    sub = reader_at(&r, 0, "offset");
    reader_skip(&sub, 0);
    ck_assert(!r.failed && !sub.failed);
    ck_assert_uint_eq(reader_u8(&r), 0);
    assert_failed(&r);
}

TEST(uleb)
{
    static const struct {
        const char *bytes;
        size_t len;
        uint64_t value;
        bool failed;
    } rows[] = {
        {"\x00", 1, 0, false},
        {"\x7F", 1, 127, false},
        {"\x80\x01", 2, 128, false},
        {"\xE5\x8E\x26", 3, 624485, false},
        {"\x80\x00", 2, 0, false},
        {"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", 10, UINT64_MAX, false},
        {"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02", 10, 0, true},
        {"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 11, 0, true},
        {"\x85", 1, 0, true},
        {"", 0, 0, true},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct reader r = reader_of("r", rows[i].bytes, rows[i].len, 0, NULL);

        ck_assert_msg(reader_uleb(&r) == rows[i].value &&
                          r.failed == rows[i].failed,
                      "row %zu", i);
        if (!r.failed)
            ck_assert_uint_eq(r.pos, rows[i].len);
    }
}

TEST(sleb)
{
    static const struct {
        const char *bytes;
        size_t len;
        int64_t value;
        bool failed;
    } rows[] = {
        {"\x00", 1, 0, false},
        {"\x02", 1, 2, false},
        {"\x3F", 1, 63, false},
        {"\x40", 1, -64, false},
        {"\x7E", 1, -2, false},
        {"\xFF\x00", 2, 127, false},
        {"\x81\x7F", 2, -127, false},
        {"\x80\x01", 2, 128, false},
        {"\x80\x7F", 2, -128, false},
        {"\xC0\xBB\x78", 3, -123456, false},
        {"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x00", 10, INT64_MAX, false},
        {"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7F", 10, INT64_MIN, false},
        /* bits beyond 64 are dropped */
        {"\x81\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7F", 11, 1, false},
        {"\x80\x80\x80\x80\x80\x80\x80\x80\x40", 9, -((int64_t)1 << 62), false},
        {"\x80", 1, 0, true},
        {"", 0, 0, true},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct reader r = reader_of("r", rows[i].bytes, rows[i].len, 0, NULL);

        ck_assert_msg(reader_sleb(&r) == rows[i].value &&
                          r.failed == rows[i].failed,
                      "row %zu", i);
        if (!r.failed)
            ck_assert_uint_eq(r.pos, rows[i].len);
    }
}

/* Names are read eight bytes at a time: a NUL may be anywhere in these, and
 * half of one is none. */
TEST(long_names_of_16_bit_units)
{
    char bytes[40];

    for (size_t size = 0; size <= sizeof(bytes); size++)
        for (size_t nul = 0; nul <= 20; nul++) {
            struct reader r = reader_of("r", bytes, size, 0, NULL);
            size_t whole = size & ~(size_t)1, len;

            memset(bytes, 1, sizeof(bytes));
            for (size_t i = 0; i < sizeof(bytes); i += 2)
                bytes[i + i / 2 % 2] = 0; /* 0x0100 and 0x0001 by turns */
            if (nul < 20)
                bytes[2 * nul] = bytes[2 * nul + 1] = 0;
            len = 2 * nul + 2 <= whole ? 2 * nul : whole;
            ck_assert_uint_eq(reader_utf16(&r).len, len);
            ck_assert_uint_eq(r.pos, len < whole ? len + 2 : size);
            ck_assert(!r.failed);
        }
}

TEST(bytes_in_the_order_of_their_machine)
{
    static const char bytes[] = "\1\2\3\4\5\6\7\10";
    struct reader r = READER(bytes, NULL);

    ck_assert_uint_eq(reader_u16_in(&r, true), 0x0102);
    ck_assert_uint_eq(reader_u16_in(&r, false), 0x0403);
    r.pos = 0;
    ck_assert_uint_eq(reader_u32_in(&r, true), 0x01020304);
    ck_assert_uint_eq(reader_u32_in(&r, false), 0x08070605);
    r.pos = 0;
    ck_assert_uint_eq(reader_u64_in(&r, true), 0x0102030405060708u);
    r.pos = 0;
    ck_assert_uint_eq(reader_u64_in(&r, false), 0x0807060504030201u);
    r.pos = 0;
    ck_assert_uint_eq(reader_ptr(&r, 8), 0x0807060504030201u);
}

TEST(strings_end_at_nul_or_at_the_end)
{
    static const struct {
        const char *bytes;
        size_t size, len, wide_len, pos, wide_pos;
    } rows[] = {
        {"ab\0c", 4, 2, 4, 3, 4},
        {"a\0\0\0b", 5, 1, 2, 2, 4},
        {"a\0b", 3, 1, 2, 2, 3},
        {"\0\0", 2, 0, 0, 1, 2},
        {"\0", 1, 0, 0, 1, 1},
        {"a\0\0b\0\0", 6, 1, 4, 2, 6},
        {"abcd", 4, 4, 4, 4, 4},
        {"abc", 3, 3, 2, 3, 3},
        {"", 0, 0, 0, 0, 0},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct reader r = reader_of("r", rows[i].bytes, rows[i].size, 0, NULL);
        struct reader wide = r;

        ck_assert_uint_eq(reader_cstr(&r).len, rows[i].len);
        ck_assert_uint_eq(r.pos, rows[i].pos);
        ck_assert_uint_eq(reader_utf16(&wide).len, rows[i].wide_len);
        ck_assert_uint_eq(wide.pos, rows[i].wide_pos);
        ck_assert(!r.failed && !wide.failed);
    }
}

TEST(sub_cannot_see_past_its_end)
{
    struct err err = {0};
    struct reader r = READER("\1\2\3\4\5\6", &err);
    struct reader sub;

    reader_u8(&r);
    sub = reader_sub(&r, 3, "record");
    ck_assert_uint_eq(r.pos, 4);
    ck_assert_uint_eq(reader_u16(&sub), 0x0302);
    reader_u16(&sub);
    ck_assert(sub.failed && !r.failed);
    ck_assert_str_eq(err.message,
                     "a.etl: offset 0x103: value truncated");
    ck_assert_uint_eq(reader_u16(&r), 0x0605);
}

TEST(at_takes_offsets_from_the_file)
{
    static const uint64_t beyond[] = {5, UINT32_MAX, 1ull << 32, UINT64_MAX};
    struct reader r = READER("\1\2\3\4", NULL), at;

    reader_skip(&r, 4);
    at = reader_at(&r, 1, "name");
    ck_assert_uint_eq(reader_u8(&at), 2);
    at = reader_at(&r, 4, "name");
    ck_assert(!at.failed && !reader_more(&at));
    for (size_t i = 0; i < COUNT(beyond); i++) {
        at = reader_at(&r, beyond[i], "name");
        assert_failed(&at);
    }
    ck_assert(!r.failed);
}

TEST(counts_fit_what_is_left)
{
    static const struct {
        const char *bytes;
        size_t min_size;
        uint32_t count;
    } rows[] = {
        {"\2\0\0\0abcdefgh", 4, 2},       {"\3\0\0\0abcdefgh", 4, 0},
        {"\0\0\0\0abcdefgh", 4, 0},       {"\xFF\xFF\xFF\xFF" "abcdefgh", 1, 0},
        {"\1\0\0\0abcdefgh", SIZE_MAX, 0}, {"\10\0\0\0abcdefgh", 1, 8},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct reader r = reader_of("r", rows[i].bytes, 12, 0, NULL);

        ck_assert_uint_eq(reader_count(&r, rows[i].min_size, "things"),
                          rows[i].count);
        ck_assert_msg(r.failed == (!rows[i].count && i != 2), "row %zu", i);
    }
}

TEST(align_counts_from_base)
{
    struct reader r = READER("0123456789", NULL);

    reader_align(&r, 8);
    ck_assert_uint_eq(r.pos, 0);
    reader_u8(&r);
    reader_align(&r, 4);
    ck_assert_uint_eq(r.pos, 4);
    reader_skip(&r, 5);
    reader_align(&r, 8);
    ck_assert(r.failed);
}

/* The examples of ECMA-335, II.23.2, and what may not be. */
TEST(compressed_numbers)
{
    static const struct {
        uint8_t bytes[4];
        size_t size;
        uint32_t value;
        unsigned bits;
        bool fails;
    } rows[] = {
        {{0x03}, 1, 0x03, 7, false},
        {{0x7F}, 1, 0x7F, 7, false},
        {{0x80, 0x80}, 2, 0x80, 14, false},
        {{0xBF, 0xFF}, 2, 0x3FFF, 14, false},
        {{0xC0, 0x00, 0x40, 0x00}, 4, 0x4000, 29, false},
        {{0xDF, 0xFF, 0xFF, 0xFF}, 4, 0x1FFFFFFF, 29, false},
        {{0xE0, 0, 0, 0}, 4, 0, 29, true},
        {{0x80}, 1, 0, 14, true},
        {{0xC0, 0x00, 0x40}, 3, 0, 29, true},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct reader r =
            reader_of("test", rows[i].bytes, rows[i].size, 0, NULL);
        unsigned bits;

        ck_assert_uint_eq(reader_compressed(&r, &bits), rows[i].value);
        ck_assert_uint_eq(bits, rows[i].bits);
        ck_assert(r.failed == rows[i].fails);
    }
}
