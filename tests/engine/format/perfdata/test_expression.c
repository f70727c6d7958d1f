/* DWARF expressions, operation by operation (DWARF 5, section 2.5). */
#include "engine/format/perfdata/expression.h"
#include "tests/support/cells.h"

enum { STACK_AT = 0x1000 };

static const uint8_t memory[] = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66,
                                 0x77, 0x88, 0x99, 0xAA, 0xBB, 0xCC,
                                 0xDD, 0xEE, 0xFF, 0x01};

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

static void check(const struct cells *row)
{
    uint64_t value = 0;
    bool holds = strcmp(row->cell[0], "-") != 0;

    cells_expect_that(row, evaluate((const uint8_t *)row->cell[1],
                                    (uint32_t)row->len[1], &value) == holds);
    if (holds)
        cells_expect_number(row, 0, value);
}

TEST(operations)
{
    cells_each("tests/engine/format/perfdata/expression.cells", "operations",
               check);
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
