/* How much there may be in a stream of objects, and what is none. */
#include "engine/base/unpacking.h"
#include "tests/support/nrbf_records.h"

/* A length has seven bits a byte, and five bytes. */
TEST(texts)
{
    static const struct {
        const char *length;
        size_t bytes, text;
        bool good;
    } rows[] = {{"\177", 1, 127, true},
                {"\200\1", 2, 128, true},
                {"\201\1", 2, 128, false},
                {"\377\1", 2, 255, true},
                {"\200\2", 2, 256, true},
                {"\200\200\1", 3, 16384, true},
                {"\200\200\200\1", 4, 1 << 21, true},
                {"\203\200\200\200\0", 5, 3, true},
                {"\203\200\200\200\20", 5, 3, false}, /* and 2^32 */
                {"\203\200\200\200\200\0", 6, 3, false}};
    struct blob b = {0};

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct nrbf *n;

        put_header(&b);
        put(&b, STRING, 1);
        blob_bytes(&b, rows[i].length, rows[i].bytes);
        blob_zero(&b, rows[i].text);
        if (!rows[i].good)
            b.len--; /* the end is one more */
        n = read_all(&b, rows[i].good ? ERR_NONE : ERR_CORRUPT);
        if (n)
            ck_assert_uint_eq(nrbf_element(n, nrbf_object(n, 1), 0)->length,
                              rows[i].text);
        nrbf_free(n);
    }
    free(b.data);
}

TEST(limits)
{
    struct blob b = {0};

    for (uint32_t n = 64; n <= 65; n++) { /* members of a class */
        put_header(&b);
        put(&b, SYSTEM_CLASS, 1);
        put_text(&b, "C");
        blob_u32(&b, n);
        for (uint32_t i = 0; i < n; i++)
            put_text(&b, "a");
        for (uint32_t i = 0; i < n; i++)
            blob_u8(&b, 2);
        for (uint32_t i = 0; i < n; i++)
            blob_u8(&b, NOTHING);
        check(&b, n == 64 ? ERR_NONE : ERR_CORRUPT);
    }
    for (uint32_t n = 32; n <= 33; n++) { /* one in the other */
        put_header(&b);
        for (uint32_t i = 1; i <= n; i++)
            put_class(&b, i, "a", 2);
        blob_u8(&b, NOTHING);
        check(&b, n == 32 ? ERR_NONE : ERR_CORRUPT);
    }
    for (uint32_t more = 0; more < 2; more++) { /* values, all null */
        size_t size = 17 + 9 + 5 + 1;
        uint32_t n =
            (uint32_t)((UNPACK_FREE + UNPACK_RATIO_COSTLY * (size / 4)) / 16 +
                       more);

        put_header(&b);
        put_objects(&b, 1, n);
        put(&b, NOTHINGS_32, n);
        check(&b, more ? ERR_LIMIT : ERR_NONE);
        ck_assert_uint_eq(b.len, size);
    }
    free(b.data);
}

TEST(no_streams)
{
    size_t most = 64 << 20;
    uint8_t *zeros = mem_new(most + 1, 1);
    struct err err = {0};
    struct blob b = {0};

    ck_assert_ptr_null(nrbf_read("made", zeros, most, &err));
    ck_assert_int_eq(err.code, ERR_CORRUPT);
    err = (struct err){0};
    ck_assert_ptr_null(nrbf_read("made", zeros, most + 1, &err));
    ck_assert_int_eq(err.code, ERR_LIMIT);
    free(zeros);
    put_header(&b);
    b.data[0] = NOTHING;
    check(&b, ERR_CORRUPT);
    put_header(&b);
    check(&b, ERR_NONE);
    put_header(&b); /* two of one id */
    put_string(&b, 1, "a");
    put_string(&b, 1, "b");
    check(&b, ERR_CORRUPT);
    put_header(&b);
    put_string(&b, 1, "a");
    put_string(&b, 2, "b");
    check(&b, ERR_NONE);
    for (uint8_t record = 0; record < 25; record++) { /* cut off */
        put_header(&b);
        blob_u8(&b, record);
        check(&b, record == NOTHING || record == END ? ERR_NONE
                  : record == 0 || record == 2 || record == 3 || record > 17
                      ? ERR_CORRUPT
                      : ERR_TRUNCATED);
    }
    free(b.data);
}
