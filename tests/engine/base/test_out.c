#include "engine/base/out.h"

#include <string.h>

#include "tests/support/suite.h"

enum { MANY = 200000 };

static struct out *out;

/* Compares what was printed since the last call, and closes the output. */
static void assert_text(const char *expected)
{
    struct err err = {0};
    size_t n;

    ck_assert_str_eq(out_text(out, &n), expected);
    ck_assert_uint_eq(n, strlen(expected));
    ck_assert(out_close(out, &err));
    ck_assert_int_eq(err.code, ERR_NONE);
}

START_TEST(text_and_numbers)
{
    out = out_memory();
    out_bytes(out, NULL, 0);
    out_bytes(out, "abc", 2);
    out_str(out, "|");
    out_char(out, 'x');
    out_repeat(out, '-', 3);
    out_repeat(out, '-', 0);
    out_u64(out, 0);
    out_char(out, ' ');
    out_u64(out, UINT64_MAX);
    out_char(out, ' ');
    out_i64(out, INT64_MIN);
    out_char(out, ' ');
    out_i64(out, 7);
    out_fmt(out, " %s=%d", "n", 5);
    assert_text("ab|x---0 18446744073709551615 -9223372036854775808 7 n=5");
}
END_TEST

START_TEST(nothing_printed)
{
    out = out_memory();
    assert_text("");
}
END_TEST

/* Names from a file have any length. */
START_TEST(format_of_any_length)
{
    char name[3000];

    for (size_t n = 0; n < sizeof(name); n += 61) {
        memset(name, 'x', n);
        name[n] = '\0';
        out = out_memory();
        out_fmt(out, "%s", name);
        assert_text(name);
    }
}
END_TEST

START_TEST(grouped)
{
    static const struct {
        uint64_t value;
        const char *text;
    } rows[] = {
        {0, "0"},
        {999, "999"},
        {1000, "1,000"},
        {81999, "81,999"},
        {1234567, "1,234,567"},
        {UINT64_MAX, "18,446,744,073,709,551,615"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        out = out_memory();
        out_grouped(out, rows[i].value);
        assert_text(rows[i].text);
    }
}
END_TEST

START_TEST(percent)
{
    static const struct {
        uint64_t part, whole;
        unsigned decimals;
        const char *text;
    } rows[] = {
        {1140, 6810, 2, "16.74"},
        {1140, 6810, 1, "16.7"},
        {1140, 6810, 0, "17"},
        {0, 0, 1, "0.0"},
        {5, 0, 1, "0.0"},
        {0, 5, 4, "0.0000"},
        {1, 1, 2, "100.00"},
        {1, 8, 0, "13"}, /* half up: 12.5 */
        {1, 8, 1, "12.5"},
        {1, 2000, 1, "0.1"}, /* 0.05 */
        {1, 2001, 1, "0.0"},
        {9995, 10000, 1, "100.0"},
        {2, 3, 4, "66.6667"},
        {3, 1, 1, "300.0"},
        {UINT64_MAX, UINT64_MAX, 4, "100.0000"},
        {UINT64_MAX / 2, UINT64_MAX, 2, "50.00"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        out = out_memory();
        out_percent(out, rows[i].part, rows[i].whole, rows[i].decimals);
        assert_text(rows[i].text);
    }
}
END_TEST

START_TEST(quoting)
{
    static const struct {
        void (*print)(struct out *out, const char *text);
        const char *in, *text;
    } rows[] = {
        {out_csv, "", ""},
        {out_csv, "a b", "a b"},
        {out_csv, "f(int,int)", "\"f(int,int)\""},
        {out_csv, "a\"b", "\"a\"\"b\""},
        {out_csv, "a\nb", "a\\x0ab"},
        {out_csv, "\r\x1B", "\\x0d\\x1b"},
        {out_csv, "=1+1", "'=1+1"},
        {out_csv, "@f(a,b)", "\"'@f(a,b)\""},
        {out_csv, "-[Foo bar]", "'-[Foo bar]"},
        {out_csv, "a=1", "a=1"},
        {out_csv, "\uFF1D1+1", "'\uFF1D1+1"},
        {out_csv, "\uFF20f", "'\uFF20f"},
        {out_csv, "\uFF1E1", "\uFF1E1"},
        {out_csv, "a\u034Fb\u3164c\U000E0041", "a\\u034fb\\u3164c\\U000e0041"},
        {out_csv, "\t=1", "\\x09=1"},
        {out_csv, "a\u202Eb\u200Bc", "a\\u202eb\\u200bc"},
        {out_markdown, "a\u2028b\x1B", "a\\\\u2028b\\\\x1b"},
        {out_plain, "\uFEFFa\u2066b\U000E0041", "\\ufeffa\\u2066b\\U000e0041"},
        {out_plain, "\u00E9\u4E2D\u2026", "\u00E9\u4E2D\u2026"},
        {out_markdown, "List<T>|`1", "List\\<T\\>\\|\\`1"},
        {out_markdown, "a_b*[c]\\\n", "a\\_b\\*\\[c\\]\\\\\\\\x0a"},
        {out_plain, "a\x1B[2Jb\x7F\t", "a\\x1b[2Jb\\x7f\\x09"},
        {out_plain,
         "\xC2\x9B"
         "31m",
         "\\x9b31m"}, /* C1 control */
        {out_plain, "\xC2\xA0\xC3\x89", "\xC2\xA0\xC3\x89"},
        {out_plain, "\xC2", "\xC2"}, /* cut off: nothing beyond is read */
        {out_plain, "a\xF0", "a\xF0"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char *copy = strdup(rows[i].in); /* a sanitizer sees its end */

        out = out_memory();
        rows[i].print(out, copy);
        assert_text(rows[i].text);
        free(copy);
    }
}
END_TEST

START_TEST(cells)
{
    static const struct {
        const char *in;
        size_t width;
        bool pad;
        const char *text;
    } rows[] = {
        {"abc", 5, true, "abc  "},
        {"abc", 5, false, "abc"},
        {"abc", 3, true, "abc"},
        {"abcdefghij", 7, true, "abcd…ij"},
        {"abcdefghij", 4, true, "ab…j"},
        {"abcdefghij", 2, true, "a…"},
        {"abcdefghij", 1, true, "…"},
        {"abcdefghij", 0, true, ""},
        {"éàüöäß", 4, true, "éà…ß"},
        {"é", 3, true, "é  "},
        {"", 2, true, "  "},
        /* An escape is not cut: spaces take its place. */
        {"ab\x01" "cdefgh", 8, true, "ab…gh   "},
        {"\x01\x02\x03", 6, true, "\\x01…\x20"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        out = out_memory();
        out_cell(out, rows[i].in, rows[i].width, rows[i].pad);
        assert_text(rows[i].text);
        if (rows[i].pad)
            ck_assert_uint_eq(out_columns(rows[i].text), rows[i].width);
    }
}
END_TEST

START_TEST(stream_gets_everything)
{
    FILE *file = tmpfile();
    char line[32];

    ck_assert_ptr_nonnull(file);
    out = out_stream(file);
    for (unsigned i = 0; i < MANY; i++)
        out_fmt(out, "%u\n", i);
    ck_assert(out_close(out, NULL));
    rewind(file);
    for (unsigned i = 0; i < MANY; i++) {
        ck_assert_ptr_nonnull(fgets(line, sizeof(line), file));
        ck_assert_uint_eq(strtoul(line, NULL, 10), i);
    }
    ck_assert_int_eq(fgetc(file), EOF);
    fclose(file);
}
END_TEST

/* A full disk is reported once, at the end, however early it was met. */
START_TEST(full_disk)
{
    static const size_t sizes[] = {1, 100000, 10000000};

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        FILE *full = fopen("/dev/full", "w");
        struct err err = {0};

        if (!full)
            return;
        out = out_stream(full);
        out_repeat(out, 'x', sizes[i]);
        ck_assert(!out_close(out, &err));
        ck_assert_int_eq(err.code, ERR_IO);
        ck_assert_str_eq(err.message,
                         "cannot write: No space left on device");
        fclose(full);
    }
}
END_TEST

START_TEST(empty_stream)
{
    FILE *file = tmpfile();

    ck_assert_ptr_nonnull(file);
    out = out_stream(file);
    ck_assert(out_close(out, NULL));
    ck_assert_int_eq(ftell(file), 0);
    fclose(file);
}
END_TEST

int main(void)
{
    return suite_run("out", text_and_numbers, nothing_printed,
                     format_of_any_length, grouped, percent, quoting, cells,
                     stream_gets_everything, full_disk, empty_stream);
}
