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
    {BYTES("<trace-toc>"), "an export of Instruments"},
    {BYTES(" \t\r\n{\"traceEvents\":[]}"), "Chrome trace events"},
    {BYTES("\xEF\xBB\xBF[{\"ph\":\"X\",\"ts\":1}]"), "Chrome trace events"},
    {BYTES("\xCF\xFA\xED\xFE"), "a Mach-O image"},
    {BYTES("MDMP"), "a minidump"},
    {BYTES("\x28\xB5\x2F\xFD"), "packed by zstd"},
    {BYTES("\xFD"
           "7zXZ"),
     "packed by xz"},
    {BYTES("7z\xBC\xAF\x27\x1C"), "a 7z archive"},
    {BYTES("FLR\0"), "a Java Flight Recorder recording"},
    {BYTES("JAVA PROFILE 1.0.2"), "a Java heap dump"},
    {BYTES("# callgrind format\n"), "a callgrind profile"},
    {BYTES("Analysis of sampling app"), "a report of sample"},
    /* Less than a magic number, or half of what tells. */
    {BYTES("BSJ"), NULL},
    {BYTES("FLR"), NULL},
    {BYTES("[{\"ph\":\"X\"}]"), NULL},
    {BYTES("[{\"ts\":1}]"), NULL},
    {BYTES("x{\"traceEvents\":[]}"), NULL},
    {BYTES("\0{\"traceEvents\":[]}"), NULL},
    {BYTES(" \t\r\n"), NULL},
    {BYTES("tracer\n# tracer: nop\n"), NULL},
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
    for (size_t i = 0; i < 5; i++) {
        uint64_t other[5];

        memcpy(other, header, sizeof(other));
        other[i] = i == 3 ? 0 : other[i] + 1;
        ck_assert_ptr_null(foreign_of((const uint8_t *)other, sizeof(other)));
    }
}
END_TEST

/* What tells has to stand near the beginning: `after` bytes before it are
 * none too many, one more is. */
static void check_reach(const char *begin, char filler, const char *word,
                        size_t after)
{
    size_t n = strlen(word);
    char *text = malloc(after + n + 2);

    ck_assert_ptr_nonnull(text);
    for (size_t more = 0; more < 2; more++) {
        memset(text, filler, after + more);
        memcpy(text, begin, strlen(begin));
        memcpy(text + after + more, word, n);
        ck_assert_msg((foreign_of((const uint8_t *)text, after + more + n) ==
                       NULL) == more,
                      "%s behind %zu", word, after + more);
    }
    free(text);
}

START_TEST(so_far_is_looked)
{
    check_reach("#", ' ', "# tracer:", 200 - strlen("# tracer:"));
    check_reach("<", ' ', "<trace-query-result",
                4096 - strlen("<trace-query-result"));
    check_reach("<", ' ', "<trace-toc", 4096 - strlen("<trace-toc"));
    check_reach("{", ' ', "\"traceEvents\"", 65536 - strlen("\"traceEvents\""));
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("foreign");

    tcase_add_loop_test(tcase, known_by_magic_or_shape, 0,
                        sizeof(known) / sizeof(*known));
    tcase_add_test(tcase, gperftools_by_its_header);
    tcase_add_test(tcase, so_far_is_looked);
    return suite_run_case("foreign", tcase);
}
