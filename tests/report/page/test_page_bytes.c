#include "report/page/page.h"

#include <zlib.h>

#include "tests/support/suite.h"

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
