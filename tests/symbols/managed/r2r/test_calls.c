/* Instructions that end with a call, of each machine. */
#include "symbols/managed/r2r/image_impl.h"
#include "tests/support/cells.h"

static void check_x64(const struct cells *row)
{
    cells_expect_number(
        row, 0,
        r2r_is_call(PE_X64, (const uint8_t *)row->cell[1], row->len[1]));
}

static void check_arm64(const struct cells *row)
{
    cells_expect_number(
        row, 0,
        r2r_is_call(PE_ARM64, (const uint8_t *)row->cell[1], row->len[1]));
}

TEST(calls)
{
    static const uint8_t x64[] = {0xE8, 1, 2, 3, 4}, arm64[] = {0, 0, 0, 0x94};

    cells_each("tests/symbols/managed/r2r/calls.cells", "x64", check_x64);
    cells_each("tests/symbols/managed/r2r/calls.cells", "arm64", check_arm64);
    ck_assert(!r2r_is_call(PE_X86, x64, sizeof(x64)));
    ck_assert(!r2r_is_call(PE_ARM, arm64, sizeof(arm64)));
}
