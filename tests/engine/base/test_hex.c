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

TEST(all_bytes_or_none)
{
    uint8_t bytes[3] = {0};

    ck_assert(hex_bytes("0aFF1b", 3, bytes));
    ck_assert_mem_eq(bytes, "\x0A\xFF\x1B", 3);
    ck_assert(hex_bytes("zz", 0, bytes));
    ck_assert(!hex_bytes("0aFF1", 3, bytes));
    ck_assert(!hex_bytes("0a-F1b", 3, bytes));
}
