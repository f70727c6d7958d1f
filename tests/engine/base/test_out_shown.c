/* What a terminal, a spreadsheet or a browser might act on, and columns. */
#include "engine/base/out.h"
#include "tests/support/suite.h"

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

/* The first and the last of each range that is escaped, and their
 * neighbours. */
TEST(what_acts_unseen)
{
    static const struct {
        const char *in, *text;
    } rows[] = {
        {"\x1F\x20\x7E\x7F", "\\x1f\x20\x7E\\x7f"},
        {"\xC2\x80\xC2\x9F\u00A0", "\\x80\\x9f\u00A0"},
        {"\u00AC\u00AD\u00AE", "\u00AC\\xad\u00AE"},
        {"\u00FF\u0100", "\u00FF\u0100"},
        {"\u061B\u061C\u061D", "\u061B\\u061c\u061D"},
        {"\u034E\u034F\u0350", "\u034E\\u034f\u0350"},
        {"\u115E\u115F\u1160\u1161", "\u115E\\u115f\\u1160\u1161"},
        {"\u17B3\u17B4\u17B5\u17B6", "\u17B3\\u17b4\\u17b5\u17B6"},
        {"\u180A\u180B\u180F\u1810", "\u180A\\u180b\\u180f\u1810"},
        {"\u200A\u200B\u200F\u2010", "\u200A\\u200b\\u200f\u2010"},
        {"\u2027\u2028\u202E\u202F", "\u2027\\u2028\\u202e\u202F"},
        {"\u205F\u2060\u206F\u2070", "\u205F\\u2060\\u206f\u2070"},
        {"\uFEFE\uFEFF\uFF00", "\uFEFE\\ufeff\uFF00"},
        {"\u3163\u3164\u3165", "\u3163\\u3164\u3165"},
        {"\uFF9F\uFFA0\uFFA1", "\uFF9F\\uffa0\uFFA1"},
        {"\uFFEF\uFFF0\uFFFB\uFFFC", "\uFFEF\\ufff0\\ufffb\uFFFC"},
        {"\U0001BC9F\U0001BCA0\U0001BCA3\U0001BCA4",
         "\U0001BC9F\\U0001bca0\\U0001bca3\U0001BCA4"},
        {"\U0001D172\U0001D173\U0001D17A\U0001D17B",
         "\U0001D172\\U0001d173\\U0001d17a\U0001D17B"},
        {"\U000DFFFF\U000E0000\U000E0FFF\U000E1000",
         "\U000DFFFF\\U000e0000\\U000e0fff\U000E1000"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        out = out_memory();
        out_plain(out, rows[i].in);
        assert_text(rows[i].text);
        out = out_memory();
        out_plain_bytes(out, rows[i].in, strlen(rows[i].in));
        assert_text(rows[i].text);
    }
    out = out_memory();
    out_plain_bytes(out, "a\tb", 2);
    assert_text("a\\x09");
}

TEST(columns_count_what_is_shown)
{
    ck_assert_uint_eq(out_columns(""), 0);
    ck_assert_uint_eq(out_columns("abc"), 3);
    ck_assert_uint_eq(out_columns("a\tb"), 6);
    /* No byte behind the last one is looked at: this would be one character. */
    ck_assert_uint_eq(text_width("a\u4E2D", 2), 2);
    ck_assert_uint_eq(out_columns("\u00E9\u4E2D"), 3);
    ck_assert_uint_eq(out_columns("\u200B"), 6);
    ck_assert_uint_eq(out_columns("\U000E0041"), 10);
}

TEST(quoting)
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

    for (size_t i = 0; i < COUNT(rows); i++) {
        char *copy = strdup(rows[i].in); /* a sanitizer sees its end */

        out = out_memory();
        rows[i].print(out, copy);
        assert_text(rows[i].text);
        free(copy);
    }
}

TEST(cells)
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
        {"ab\x01"
         "cdefgh",
         8, true, "ab…gh   "},
        {"\x01\x02\x03", 6, true, "\\x01…\x20"},
        {"abcdefghij", 3, true, "ab…"},
        {"abcdefghij", 5, true, "abc…j"},
        {"abcdefghij", 9, true, "abcdef…ij"},
        {"abcdefghij", 9, false, "abcdef…ij"},
        {"abcdefghij", 10, true, "abcdefghij"},
        {"ab\x01", 6, true, "ab\\x01"},
        {"\x01"
         "abcdefgh",
         8, true, "\\x01a…gh"},
        {"abcdefg\x01", 8, true, "abcde…  "},
        {"abcdef\x01g", 8, true, "abcde…g "},
        {"\u00E9\u00E9\u00E9\u00E9", 3, true, "\u00E9\u00E9…"},
        /* A wide character is not halved, a mark takes no column. */
        {"\u4E2D\u4E2D\u4E2D\u4E2D", 6, true, "\u4E2D\u4E2D… "},
        {"e\u0301e\u0301", 2, true, "e\u0301e\u0301"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        out = out_memory();
        out_cell(out, rows[i].in, rows[i].width, rows[i].pad);
        assert_text(rows[i].text);
        if (rows[i].pad)
            ck_assert_uint_eq(out_columns(rows[i].text), rows[i].width);
    }
}
