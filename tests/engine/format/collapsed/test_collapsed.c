/* Collapsed stacks in UTF-16; others are in collapsed.script. */
#include "engine/format/named.h"
#include "tests/support/profile_text.h"
#include "tests/support/suite.h"

#define HEADER                                                                 \
    "samples\n"                                                                \
    "not in the format: modules, processes, threads, times, addresses, "       \
    "losses\n"

static const struct {
    uint16_t units[8];
    size_t count;
    const char *name;
} wide[] = {
    {{'a', ' ', '1'}, 3, "a"},
    {{0xE9, ' ', '1'}, 3, "\xC3\xA9"},
    {{0xD7FF, 0xE000, ' ', '1'}, 4, "\xED\x9F\xBF\xEE\x80\x80"},
    {{0xD83D, 0xDE00, ' ', '1'}, 4, "\xF0\x9F\x98\x80"},
    {{0xD800, 0xDC00, ' ', '1'}, 4, "\xF0\x90\x80\x80"},
    {{0xDBFF, 0xDFFF, ' ', '1'}, 4, "\xF4\x8F\xBF\xBF"},
    {{0xDC00, 0xDC00, ' ', '1'}, 4, "\xEF\xBF\xBD\xEF\xBF\xBD"},
    {{0xD800, 'x', ' ', '1'}, 4, "\xEF\xBF\xBDx"},
    {{0xD800, 0xE000, ' ', '1'}, 4, "\xEF\xBF\xBD\xEE\x80\x80"},
};

TEST_LOOP(texts_of_wide_characters, COUNT(wide))
{
    char expected[200];

    snprintf(expected, sizeof(expected),
             HEADER "stack x 1\nprocess - : 0\n0 #0: %s\n", wide[_i].name);
    for (unsigned big = 0; big < 2; big++) {
        uint8_t bytes[32] = {(uint8_t)(big ? 0xFE : 0xFF),
                             (uint8_t)(big ? 0xFF : 0xFE)};
        size_t n = 2 + 2 * wide[_i].count;
        char *text;

        for (size_t i = 0; i < wide[_i].count; i++) {
            bytes[2 + 2 * i + big] = (uint8_t)wide[_i].units[i];
            bytes[3 + 2 * i - big] = (uint8_t)(wide[_i].units[i] >> 8);
        }
        text = profile_text_of_bytes(&collapsed_format, bytes, n, NULL);
        ck_assert_str_eq(text, expected);
        free(text);
        /* Half a character at the end is none. */
        text = profile_text_of_bytes(&collapsed_format, bytes, n + 1, NULL);
        ck_assert_str_eq(text, expected);
        free(text);
    }
}

TEST(beginnings_of_wide_characters)
{
    static const struct {
        uint8_t bytes[14];
        size_t size;
        enum format_probe probe;
    } rows[] = {
        {{0xFF, 0xFE, 'a', 0, ';', 0, 'b', 0, ' ', 0, '1', 0}, 12, PROBE_MAYBE},
        {{0xFE, 0xFF, 0, 'a', 0, ';', 0, 'b', 0, ' ', 0, '1'}, 12, PROBE_MAYBE},
        {{0xFE, 0xFE, 0, 'a', 0, ';', 0, 'b', 0, ' ', 0, '1'}, 12, PROBE_NO},
        {{0xFF, 0xFF, 'a', 0, ';', 0, 'b', 0, ' ', 0, '1', 0}, 12, PROBE_NO},
        {{0xFF, 0xFE}, 2, PROBE_NO},
        {{'a', 0, ';', 'b', ' ', '1'}, 6, PROBE_NO},
    };

    for (size_t i = 0; i < 6; i++)
        ck_assert_int_eq(collapsed_format.probe(rows[i].bytes, rows[i].size),
                         rows[i].probe);
}

/* A pair of which the end of the file has only half. */
TEST(half_a_pair)
{
    static const uint8_t bytes[] = {0xFF, 0xFE, 'a',  0, ' ', 0,
                                    '1',  0,    '\n', 0, 0,   0xD8};
    char *text =
        profile_text_of_bytes(&collapsed_format, bytes, sizeof(bytes), NULL);

    ck_assert_str_eq(text, HEADER "stack x 1\nprocess - : 0\n0 #0: a\n");
    free(text);
}


/* The first line is looked at to its end, however long it is. */
TEST(a_long_first_line)
{
    size_t n = 200000;
    char *text = malloc(n + 8);

    ck_assert_ptr_nonnull(text);
    memset(text, 'x', n);
    text[1] = ';';
    memcpy(text + n, " 1\nx\ny\n", 8);
    ck_assert_int_eq(collapsed_format.probe((const uint8_t *)text, n + 7),
                     PROBE_MAYBE);
    ck_assert_int_eq(collapsed_format.probe((const uint8_t *)text, n + 2),
                     PROBE_MAYBE);
    ck_assert_int_eq(collapsed_format.probe((const uint8_t *)text, n),
                     PROBE_NO);
    free(text);
}
