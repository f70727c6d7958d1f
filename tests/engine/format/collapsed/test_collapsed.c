/* Collapsed stacks in UTF-16; others are in collapsed.script. */
#include "engine/format/named.h"
#include "tests/support/profile_text.h"
#include "tests/support/suite.h"

#define HEADER                                                                 \
    "samples\n"                                                                \
    "not in the format: modules, processes, threads, times, addresses, "       \
    "losses\n"

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
