#include "engine/base/strings.h"

#include "tests/support/suite.h"

static struct strings *s;

#define FFFD "\xEF\xBF\xBD"

TEST(empty_string_is_0)
{
    s = strings_new();
    ck_assert_uint_eq(strings_count(s), 1);
    ck_assert_str_eq(strings_get(s, 0), "");
    ck_assert_uint_eq(strings_len(s, 0), 0);
    ck_assert_uint_eq(strings_add(s, NULL, 0), 0);
    ck_assert_uint_eq(strings_add(s, "", 0), 0);
    ck_assert_uint_eq(strings_add(s, "\0x", 2), 0);
    ck_assert_uint_eq(strings_add_utf16(s, NULL, 0), 0);
    ck_assert_uint_eq(strings_addf(s, "%s", ""), 0);
    ck_assert_uint_eq(strings_fold(s, 0), 0);
    ck_assert_uint_eq(strings_count(s), 1);
    strings_free(s);
    strings_free(NULL);
}

TEST(invalid_utf8_is_replaced)
{
    static const struct {
        const char *in, *out;
    } rows[] = {
        {"\xC3\xA9", "\xC3\xA9"},
        {"\xE2\x80\xA6", "\xE2\x80\xA6"},
        {"\xF0\x9F\x94\xA5", "\xF0\x9F\x94\xA5"},
        {"\xF4\x8F\xBF\xBF", "\xF4\x8F\xBF\xBF"},
        {"\x80", FFFD},                               /* no lead byte */
        {"\xFF", FFFD},
        {"a\xC3", "a" FFFD},                          /* cut off */
        {"\xC3(", FFFD "("},
        {"\xE2\x80", FFFD FFFD},
        {"\xC0\xAF", FFFD FFFD},                      /* overlong */
        {"\xE0\x80\xAF", FFFD FFFD FFFD},
        {"\xED\xA0\x80", FFFD FFFD FFFD},             /* surrogate */
        {"\xF4\x90\x80\x80", FFFD FFFD FFFD FFFD},    /* past U+10FFFF */
        {"\xF5\x80\x80\x80", FFFD FFFD FFFD FFFD},
        {"ok\xFFok", "ok" FFFD "ok"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        uint32_t id;

        s = strings_new(); /* anew: the first bad string is a case too */
        id = strings_add(s, rows[i].in, strlen(rows[i].in));
        ck_assert_msg(!strcmp(strings_get(s, id), rows[i].out), "row %zu", i);
        ck_assert_uint_eq(
            strings_add(s, rows[i].out, strlen(rows[i].out)), id);
        strings_free(s);
    }
}

TEST(utf16)
{
    static const struct {
        uint16_t in[4];
        size_t units;
        const char *out;
    } rows[] = {
        {{'a', 'b'}, 2, "ab"},
        {{'a', 0, 'b'}, 3, "a"},
        {{0x7F, 0x80}, 2, "\x7F\xC2\x80"},
        {{0x7FF, 0x800}, 2, "\xDF\xBF\xE0\xA0\x80"},
        {{0xFFFF}, 1, "\xEF\xBF\xBF"},
        {{0xD83D, 0xDD25}, 2, "\xF0\x9F\x94\xA5"},
        {{0xDBFF, 0xDFFF}, 2, "\xF4\x8F\xBF\xBF"},
        {{0xD83D}, 1, FFFD},
        {{0xD83D, 'a'}, 2, FFFD "a"},
        {{0xDD25, 0xD83D}, 2, FFFD FFFD},
        {{0xD83D, 0xD83D, 0xDD25}, 3, FFFD "\xF0\x9F\x94\xA5"},
        {{0xD83D, 0}, 2, FFFD},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        uint8_t bytes[9] = {0};
        uint32_t id;

        for (size_t k = 0; k < 4; k++) {
            bytes[2 * k + 1] = (uint8_t)rows[i].in[k]; /* unaligned */
            bytes[2 * k + 2] = (uint8_t)(rows[i].in[k] >> 8);
        }
        s = strings_new();
        id = strings_add_utf16(s, bytes + 1, rows[i].units);
        ck_assert_msg(!strcmp(strings_get(s, id), rows[i].out), "row %zu", i);
        strings_free(s);
    }
}

TEST(fold_is_ascii_only)
{
    uint32_t id;

    s = strings_new();
    id = strings_add(s, "NTDLL[\xC3\x89].Dll", 13);
    ck_assert_str_eq(strings_get(s, strings_fold(s, id)),
                     "ntdll[\xC3\x89].dll");
    ck_assert_uint_eq(strings_fold(s, strings_fold(s, id)),
                      strings_fold(s, id));
    id = strings_add(s, "a \xC3\x89", 4);
    ck_assert_uint_eq(strings_fold(s, id), id);
    strings_free(s);
}
