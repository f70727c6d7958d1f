#include "engine/foreign.h"

#include <string.h>

#include "tests/support/suite.h"

static const struct {
    const char *bytes;
    size_t len;
    const char *name; /* begins so; NULL: unknown */
} known[] = {
#define BYTES(text) text, sizeof(text) - 1
    {BYTES("Microsoft C/C++ MSF 7.00\r\n\x1A"
           "DS"),
     "a PDB"},
    {BYTES("BSJB\1\0\1\0"), "a portable PDB"},
    {BYTES("MZ\x90"), "a Windows image"},
    {BYTES("\x7F"
           "ELF\2"),
     "an ELF image"},
    {BYTES("SQLite format 3\0"), "an SQLite database"},
    {BYTES("\x17\x08\x44tracing"), "an ftrace recording"},
    {BYTES("# tracer: nop\n#\n"), "ftrace text"},
    {BYTES("{\"traceEvents\":[]}"), "Chrome trace events"},
    {BYTES("[{\"ph\":\"X\",\"ts\":1}]"), "Chrome trace events"},
    {BYTES("<?xml version=\"1.0\"?>\n<trace-query-result>"),
     "an export of Instruments"},
    {BYTES("a 1\nb 2\n"), NULL},
    {BYTES("{\"nodes\":[]}"), NULL},
    {BYTES("text of some kind"), NULL},
    {BYTES("\0\0\0\0"), NULL},
    {BYTES(""), NULL},
#undef BYTES
};

START_TEST(known_by_magic_or_shape)
{
    const struct foreign *kind =
        foreign_of((const uint8_t *)known[_i].bytes, known[_i].len);

    if (!known[_i].name) {
        ck_assert_ptr_null(kind);
        return;
    }
    ck_assert_ptr_nonnull(kind);
    ck_assert_msg(!strncmp(kind->name, known[_i].name, strlen(known[_i].name)),
                  "%s is not %s", kind->name, known[_i].name);
}
END_TEST

START_TEST(gperftools_by_its_header)
{
    static const uint64_t header[5] = {0, 3, 0, 10000, 0};
    const struct foreign *kind =
        foreign_of((const uint8_t *)header, sizeof(header));

    ck_assert_ptr_nonnull(kind);
    ck_assert_str_eq(kind->name, "a gperftools CPU profile");
    ck_assert_ptr_null(foreign_of((const uint8_t *)header, 39));
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("foreign");

    tcase_add_loop_test(tcase, known_by_magic_or_shape, 0,
                        sizeof(known) / sizeof(*known));
    tcase_add_test(tcase, gperftools_by_its_header);
    return suite_run_case("foreign", tcase);
}
