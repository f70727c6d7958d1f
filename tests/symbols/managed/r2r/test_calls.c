/* Instructions that end with a call, of each machine. */
#include "symbols/managed/r2r/image_impl.h"
#include "tests/support/suite.h"

struct row {
    uint8_t code[8], size;
    bool call;
};

static const struct row x64[] = {
    {{0xE8, 1, 2, 3, 4}, 5, true},
    {{0x90, 0xE8, 1, 2, 3, 4}, 6, true},
    {{0xE8, 1, 2, 3}, 4, false},
    {{0xE9, 1, 2, 3, 4}, 5, false},
    {{0xE8, 1, 2, 3, 4, 5}, 6, false},
    {{0xFF, 0xD0}, 2, true}, /* call rax */
    {{0x41, 0xFF, 0xD7}, 3, true}, /* call r15 */
    {{0xFF, 0xE0}, 2, false}, /* jmp rax */
    {{0xFF, 0xC8}, 2, false}, /* dec eax */
    {{0xFE, 0xD0}, 2, false},
    {{0xFF, 0x10}, 2, true}, /* call [rax] */
    {{0xFF, 0x14, 0x24}, 3, true}, /* call [rsp] */
    {{0xFF, 0x14}, 2, false}, /* without its SIB byte */
    {{0xFF, 0x14, 0x25, 1, 2, 3, 4}, 7, true}, /* call [number] */
    {{0xFF, 0x14, 0x25}, 3, false},
    {{0xFF, 0x14, 0x24, 1, 2, 3, 4}, 7, false},
    {{0xFF, 0x15, 1, 2, 3, 4}, 6, true}, /* call [rip + number] */
    {{0xFF, 0x15}, 2, false},
    {{0xFF, 0x50, 8}, 3, true}, /* call [rax + 8] */
    {{0xFF, 0x50}, 2, false},
    {{0xFF, 0x54, 0x24, 8}, 4, true}, /* call [rsp + 8] */
    {{0xFF, 0x54, 0x25, 8}, 4, true}, /* call [rbp + 8] */
    {{0xFF, 0x90, 1, 2, 3, 4}, 6, true}, /* call [rax + number] */
    {{0xFF, 0x94, 0x24, 1, 2, 3, 4}, 7, true}, /* call [rsp + number] */
    {{0xFF, 0x94, 0x24, 1, 2, 3}, 6, false},
    {{0xFF}, 1, false},
    {{0}, 0, false},
};

static const struct row arm64[] = {
    {{0, 0, 0, 0x94}, 4, true},              /* bl */
    {{0xFF, 0xFF, 0xFF, 0x97}, 4, true},
    {{0, 0, 0, 0x14}, 4, false},             /* b */
    {{0, 0, 0, 0x98}, 4, false},
    {{0, 1, 0x3F, 0xD6}, 4, true},           /* blr x8 */
    {{1, 0, 0x3F, 0xD6}, 4, false},
    {{0, 4, 0x3F, 0xD6}, 4, false},
    {{0, 0, 0x3F, 0xD6}, 4, true},           /* blr x0 */
    {{0xC0, 3, 0x3F, 0xD6}, 4, true},        /* blr x30 */
    {{0xC0, 3, 0x5F, 0xD6}, 4, false},       /* ret */
    {{0, 0, 0, 0x94, 0, 0, 0, 0x14}, 8, false},
    {{0, 0, 0, 0x14, 0, 0, 0, 0x94}, 8, true},
    {{0, 0, 0x94}, 3, false},
};

static void check_rows(uint16_t machine, const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(r2r_is_call(machine, rows[i].code, rows[i].size) ==
                          rows[i].call, "row %zu", i);
}

TEST(calls)
{
    check_rows(PE_X64, x64, COUNT(x64));
    check_rows(PE_ARM64, arm64, COUNT(arm64));
    ck_assert(!r2r_is_call(PE_X86, x64[0].code, 5));
    ck_assert(!r2r_is_call(PE_ARM, arm64[0].code, 4));
}
