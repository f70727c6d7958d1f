#include "report/page/page.h"

#include <zlib.h>

#include "tests/support/suite.h"

TEST(numbers_are_leb128)
{
    static const uint8_t wanted[] = {0, 127, 0x80, 1, 0xAC, 2};
    struct page_bytes b = {0};

    page_bytes_number(&b, 0);
    page_bytes_number(&b, 127);
    page_bytes_number(&b, 128);
    page_bytes_number(&b, 300);
    ck_assert_uint_eq(b.bytes.len, sizeof(wanted));
    ck_assert_mem_eq(b.bytes.data, wanted, sizeof(wanted));
    page_bytes_release(&b);
    page_bytes_number(&b, UINT64_MAX);
    ck_assert_uint_eq(b.bytes.len, 10);
    page_bytes_release(&b);
}

TEST(changes_zigzag)
{
    static const int64_t values[] = {0, -1, 1, -2, 63, -64, 64};
    static const uint8_t wanted[] = {0, 1, 2, 3, 126, 127, 0x80, 1};
    struct page_bytes b = {0};

    for (size_t i = 0; i < COUNT(values); i++)
        page_bytes_change(&b, values[i]);
    ck_assert_uint_eq(b.bytes.len, sizeof(wanted));
    ck_assert_mem_eq(b.bytes.data, wanted, sizeof(wanted));
    page_bytes_release(&b);
    page_bytes_change(&b, INT64_MIN);
    ck_assert_uint_eq(b.bytes.len, 10);
    page_bytes_release(&b);
}

/* The test vectors of RFC 4648, section 10. */
TEST(base64_is_that_of_the_rfc)
{
    static const char *const wanted[] = {
        "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy",
    };

    for (size_t n = 0; n < COUNT(wanted); n++) {
        struct page_bytes b = {0};
        struct out *out = out_memory();

        page_bytes_text(&b, "foobar", n);
        page_bytes_base64(&b, out);
        ck_assert_str_eq(out_text(out, NULL), wanted[n]);
        out_close(out, NULL);
        page_bytes_release(&b);
    }
}

TEST(packed_is_a_stream_of_zlib)
{
    struct page_bytes b = {0};
    uint8_t text[5000];
    uLong size = sizeof(text);

    for (unsigned i = 0; i < 4000; i++)
        page_bytes_number(&b, i % 3);
    page_bytes_pack(&b);
    ck_assert_uint_lt(b.bytes.len, 100);
    ck_assert_int_eq(uncompress(text, &size, b.bytes.data, (uLong)b.bytes.len),
                     Z_OK);
    ck_assert_uint_eq(size, 4000);
    for (unsigned i = 0; i < 4000; i++)
        ck_assert_uint_eq(text[i], i % 3);
    page_bytes_release(&b);
    page_bytes_pack(&b); /* of nothing */
    ck_assert_uint_gt(b.bytes.len, 0);
    page_bytes_release(&b);
}

/* As text, so four characters are three bytes. */
TEST(packed_within_what_there_is)
{
    struct page_bytes b = {0};
    size_t size;

    for (unsigned i = 0; i < 4000; i++)
        page_bytes_number(&b, i * i % 251);
    page_bytes_pack(&b);
    size = page_bytes_text_size(&b);
    page_bytes_release(&b);
    for (unsigned i = 0; i < 4000; i++)
        page_bytes_number(&b, i * i % 251);
    ck_assert(!page_bytes_pack_within(&b, 0));
    ck_assert(!page_bytes_pack_within(&b, size - 1));
    ck_assert_uint_gt(b.bytes.len, 4000);
    ck_assert(page_bytes_pack_within(&b, size));
    ck_assert_uint_eq(page_bytes_text_size(&b), size);
    page_bytes_release(&b);
}
