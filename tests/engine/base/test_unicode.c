/* The limits of every length of UTF-8, and pairs of UTF-16. */
#include "engine/base/text.h"

#include "tests/support/suite.h"

static const struct {
    uint32_t code;
    size_t n;
    const char *bytes;
} points[] = {
    {0, 1, "\0"},
    {0x7F, 1, "\x7F"},
    {0x80, 2, "\xC2\x80"},
    {0x7FF, 2, "\xDF\xBF"},
    {0x800, 3, "\xE0\xA0\x80"},
    {0xD7FF, 3, "\xED\x9F\xBF"},
    {0xE000, 3, "\xEE\x80\x80"},
    {0xFFFF, 3, "\xEF\xBF\xBF"},
    {0x10000, 4, "\xF0\x90\x80\x80"},
    {0x12345, 4, "\xF0\x92\x8D\x85"},
    {0x10FFFF, 4, "\xF4\x8F\xBF\xBF"},
};

TEST(code_points_have_one_form)
{
    for (size_t i = 0; i < COUNT(points); i++) {
        char bytes[4] = "";

        ck_assert_uint_eq(utf8_of(points[i].code, bytes), points[i].n);
        ck_assert_mem_eq(bytes, points[i].bytes, points[i].n);
        ck_assert_uint_eq(utf8_sequence((const uint8_t *)bytes, points[i].n),
                          points[i].n);
        ck_assert_uint_eq(utf8_sequence((const uint8_t *)points[i].bytes, 4),
                          points[i].n);
        if (points[i].n > 1)
            ck_assert_uint_eq(
                utf8_sequence((const uint8_t *)bytes, points[i].n - 1), 0);
    }
}

TEST(what_is_no_sequence)
{
    static const char *const rows[] = {
        "\x80zzz",          "\xBF\xBF\xBF\xBF", "\xC0\x80zz",
        "\xC1\xBFzz",       "\xC2zzz",          "\xC2\xC0zz",
        "\xC2\x7Fzz",       "\xE0\x9F\xBFz",    "\xE0\xA0zz",
        "\xED\xA0\x80z",    "\xED\xBF\xBFz",    "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF\xBF\xBF\xBF",
        "\xF0\x90\x80zz",
    };

    for (size_t i = 0; i < COUNT(rows); i++)
        ck_assert_msg(!utf8_sequence((const uint8_t *)rows[i], 4), "row %zu",
                      i);
}

static const struct {
    const char *text;
    size_t left;
    uint32_t code;
    size_t used;
} units[] = {
    {"A\0", 1, 'A', 1},
    {"\xFF\xD7", 1, 0xD7FF, 1},
    {"\x00\xE0", 1, 0xE000, 1},
    {"\x00\xD8\x00\xDC", 2, 0x10000, 2},
    {"\xFF\xDB\xFF\xDF", 2, 0x10FFFF, 2},
    {"\x08\xD8\x45\xDF", 2, 0x12345, 2},
    {"\x00\xD8\x00\xDC", 1, 0xFFFD, 1}, /* the end of the text */
    {"\x00\xD8\xFF\xDB", 2, 0xFFFD, 1},
    {"\x00\xD8\x00\xE0", 2, 0xFFFD, 1},
    {"\x00\xDC\x00\xDC", 2, 0xFFFD, 1}, /* a low one first */
    {"\xFF\xDF\x00\xDC", 2, 0xFFFD, 1},
};

TEST(pairs_of_units)
{
    for (size_t i = 0; i < COUNT(units); i++) {
        size_t used = 0;

        ck_assert_uint_eq(utf16_code_point((const uint8_t *)units[i].text,
                                           units[i].left, &used),
                          units[i].code);
        ck_assert_uint_eq(used, units[i].used);
    }
}
