/* DWARF expressions, operation by operation (DWARF 5, section 2.5). */
#include "engine/format/perfdata/expression.h"
#include "tests/support/suite.h"

enum { STACK_AT = 0x1000 };

static const uint8_t memory[] = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66,
                                 0x77, 0x88, 0x99, 0xAA, 0xBB, 0xCC,
                                 0xDD, 0xEE, 0xFF, 0x01};

struct expected {
    uint8_t code[12];
    uint32_t size;
    bool holds;
    uint64_t value;
};

static bool evaluate(const uint8_t *code, uint32_t size, uint64_t *value)
{
    const struct frame_state state = {
        .registers = {[5] = 100, [7] = STACK_AT},
        .known = 1u << 5 | 1u << 7,
        .memory = {memory, sizeof(memory)},
        .memory_at = STACK_AT,
    };
    const struct frame_rule rule = {.expression = code, .size = size};
    const uint64_t first = 9;
    unsigned steps = 200;

    return frame_expression(&state, &rule, &first, &steps, value);
}

/* On the stack lies a 9. */
static const struct expected values[] = {
    {{0}, 0, true, 9},
    {{0x03, 8, 7, 6, 5, 4, 3, 2, 1}, 9, true, 0x0102030405060708},
    {{0x08, 0xFE}, 2, true, 0xFE},
    {{0x09, 0xFE}, 2, true, (uint64_t)-2},
    {{0x0A, 0xFE, 0xFF}, 3, true, 0xFFFE},
    {{0x0B, 0xFE, 0xFF}, 3, true, (uint64_t)-2},
    {{0x0C, 0xFE, 0xFF, 0xFF, 0xFF}, 5, true, 0xFFFFFFFE},
    {{0x0D, 0xFE, 0xFF, 0xFF, 0xFF}, 5, true, (uint64_t)-2},
    {{0x10, 0x80, 0x01}, 3, true, 128},
    {{0x11, 0x7F}, 2, true, (uint64_t)-1},
    {{0x4F}, 1, true, 31},
    {{0x96, 0x30}, 2, true, 0},
    /* dup, drop, over, pick, swap, rot */
    {{0x33, 0x12, 0x22}, 3, true, 6},
    {{0x33, 0x13}, 2, true, 9},
    {{0x33, 0x14}, 2, true, 9},
    {{0x33, 0x34, 0x15, 2}, 4, true, 9},
    {{0x33, 0x34, 0x15, 0}, 4, true, 4},
    {{0x33, 0x16, 0x1C}, 3, true, (uint64_t)-6}, /* 3 - 9 */
    {{0x33, 0x34, 0x17}, 3, true, 3},
    {{0x33, 0x34, 0x17, 0x13}, 4, true, 9},
    {{0x33, 0x34, 0x17, 0x13, 0x13}, 5, true, 4},
    /* abs, neg, not */
    {{0x11, 0x7B, 0x19}, 3, true, 5},
    {{0x35, 0x19}, 2, true, 5},
    {{0x1F}, 1, true, (uint64_t)-9},
    {{0x20}, 1, true, ~(uint64_t)9},
    /* and, minus, mul, or, plus, plus_uconst, xor */
    {{0x3C, 0x1A}, 2, true, 8},
    {{0x34, 0x1C}, 2, true, 5},
    {{0x34, 0x1E}, 2, true, 36},
    {{0x34, 0x21}, 2, true, 13},
    {{0x34, 0x22}, 2, true, 13},
    {{0x23, 0x81, 0x01}, 3, true, 138},
    {{0x33, 0x27}, 2, true, 10},
    /* shl, shr, shra */
    {{0x33, 0x24}, 2, true, 72},
    {{0x08, 64, 0x24}, 3, true, 0},
    {{0x31, 0x25}, 2, true, 4},
    {{0x08, 64, 0x25}, 3, true, 0},
    {{0x11, 0x78, 0x31, 0x26}, 4, true, (uint64_t)-4},
    {{0x11, 0x78, 0x30, 0x26}, 4, true, (uint64_t)-8},
    {{0x11, 0x78, 0x08, 64, 0x26}, 5, true, (uint64_t)-1},
    {{0x31, 0x26}, 2, true, 4},
    {{0x08, 64, 0x26}, 3, true, 0},
    /* eq, ge, gt, le, lt, ne: of signed numbers */
    {{0x39, 0x29}, 2, true, 1},
    {{0x38, 0x29}, 2, true, 0},
    {{0x39, 0x2A}, 2, true, 1},
    {{0x3A, 0x2A}, 2, true, 0},
    {{0x11, 0x7F, 0x2B}, 3, true, 1},
    {{0x39, 0x2B}, 2, true, 0},
    {{0x39, 0x2C}, 2, true, 1},
    {{0x38, 0x2C}, 2, true, 0},
    {{0x3A, 0x2D}, 2, true, 1},
    {{0x39, 0x2D}, 2, true, 0},
    {{0x38, 0x2E}, 2, true, 1},
    {{0x39, 0x2E}, 2, true, 0},
    /* bra, which is taken or not, and skip, also back */
    {{0x31, 0x28, 1, 0, 0x13, 0x35}, 6, true, 5},
    {{0x30, 0x28, 1, 0, 0x35, 0x36}, 6, true, 6},
    {{0x2F, 1, 0, 0x35}, 4, true, 9},
    {{0x2F, 4, 0, 0x35, 0x2F, 3, 0, 0x2F, 0xF9, 0xFF}, 10, true, 5},
    /* breg5, bregx, deref, deref_size */
    {{0x75, 0x7F}, 2, true, 99},
    {{0x92, 5, 3}, 3, true, 103},
    {{0x77, 0, 0x06}, 3, true, 0x8877665544332211},
    {{0x77, 8, 0x06}, 3, true, 0x01FFEEDDCCBBAA99},
    {{0x77, 1, 0x94, 2}, 4, true, 0x3322},
    {{0x77, 0, 0x94, 8}, 4, true, 0x8877665544332211},
    /* What is not there, or means nothing here. */
    {{0x13, 0x13}, 2, false, 0},
    {{0x15, 1}, 2, false, 0},
    {{0x76, 0}, 2, false, 0},
    {{0x92, 33, 0}, 3, false, 0},
    {{0x77, 9, 0x06}, 3, false, 0},
    {{0x77, 0x7F, 0x06}, 3, false, 0},
    {{0x77, 0, 0x94, 0}, 4, false, 0},
    {{0x77, 0, 0x94, 9}, 4, false, 0},
    {{0x08}, 1, false, 0},
    {{0x2F, 1, 0}, 3, false, 0},
    {{0x2F, 0xFC, 0xFF}, 3, false, 0},
    {{0x2F, 0xFD, 0xFF}, 3, false, 0}, /* without end */
    {{0x12, 0x2F, 0xFC, 0xFF}, 4, false, 0},
    {{0xE0}, 1, false, 0},
};

TEST(operations)
{
    for (size_t i = 0; i < COUNT(values); i++) {
        const struct expected *x = &values[i];
        uint64_t value = 0;
        bool holds = evaluate(x->code, x->size, &value);

        ck_assert_msg(holds == x->holds && (!holds || value == x->value),
                      "row %zu (%02x...): %d, 0x%llx", i, x->code[0], holds,
                      (unsigned long long)value);
    }
}

TEST(without_a_first_value)
{
    const struct frame_state state = {.known = 0};
    const struct frame_rule rule = {.expression = (const uint8_t *)"",
                                    .size = 0};
    unsigned steps = 200;
    uint64_t value;

    ck_assert(!frame_expression(&state, &rule, NULL, &steps, &value));
}
