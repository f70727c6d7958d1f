#include "engine/base/hex.h"

#include "tests/support/suite.h"

TEST(digits)
{
    static const char all[] = "0123456789abcdefABCDEF";

    for (int i = 0; i < 22; i++)
        ck_assert_int_eq(hex_digit(all[i]), i < 16 ? i : i - 6);
    for (const char *c = "/:@G`g \x10"; *c; c++)
        ck_assert_int_eq(hex_digit(*c), -1);
}

TEST(bytes_as_text_and_back)
{
    uint8_t bytes[256];
    char text[HEX_SIZE(256)];

    for (int i = 0; i < 256; i++)
        bytes[i] = (uint8_t)i;
    hex_text(bytes, 256, text);
    ck_assert_uint_eq(strlen(text), 512);
    ck_assert_mem_eq(text, "000102030405060708090a0b0c0d0e0f10", 34);
    for (int i = 0; i < 256; i++)
        ck_assert_int_eq(hex_byte(text + 2 * i), i);
    hex_text(bytes, 0, text);
    ck_assert_str_eq(text, "");
}

/* What follows the end of a text is not looked at. */
TEST(no_bytes)
{
    static const char *const texts[] = {"", "a", "g0", "0g", " 1", "\xE9!"};

    for (size_t i = 0; i < COUNT(texts); i++) {
        char *text = strdup(texts[i]);

        ck_assert_int_eq(hex_byte(text), -1);
        free(text);
    }
}

TEST(all_bytes_or_none)
{
    uint8_t bytes[3] = {0};

    ck_assert(hex_bytes("0aFF1b", 3, bytes));
    ck_assert_mem_eq(bytes, "\x0A\xFF\x1B", 3);
    ck_assert(hex_bytes("zz", 0, bytes));
    ck_assert(!hex_bytes("0aFF1", 3, bytes));
    ck_assert(!hex_bytes("0a-F1b", 3, bytes));
}
