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
