/* Where registers were saved, instruction by instruction (DWARF 5, section
 * 6.4.2). */
#include "symbols/dwarf/call_frames.h"
#include "tests/support/cells.h"

enum { SECTION_AT = 0x4000, START = 0x100, REGISTER = 6, RETURNS = 16 };

/* The rules that functions share: the frame is register 7 + 8, and the return
 * address lies 8 below. */
struct section {
    uint8_t first[5];
    uint8_t own[16];
};

static bool run(const void *own, size_t size, uint64_t address,
                struct frame_row *row)
{
    static struct section section;
    struct budget budget = budget_of(0, 0, 1 << 20);
    const struct frame_program program = {
        .section = {(const uint8_t *)&section, sizeof(section)},
        .pointers = {SECTION_AT, true},
        .first = {section.first, sizeof(section.first)},
        .code_factor = 2,
        .data_factor = -8,
        .return_register = RETURNS,
        .encoding = 0x03, /* four bytes */
    };

    section = (struct section){.first = {0x0C, 7, 8, 0x80 | RETURNS, 1}};
    memcpy(section.own, own, size);
    return frame_program_run(&program, START, (struct bytes){section.own, size},
                             address, &budget, row);
}

static void check(const struct cells *cells)
{
    static const char *const kinds[] = {
        [RULE_SAME] = "same",         [RULE_SAVED] = "saved",
        [RULE_OFFSET] = "offset",     [RULE_UNDEFINED] = "undefined",
        [RULE_REGISTER] = "register",
    };
    const struct frame_rule *rule;
    struct frame_row row;

    cells_expect_that(cells,
                      run(cells->cell[0], cells->len[0], cells_number(cells, 1),
                          &row) == (cells->len[2] > 0));
    if (!cells->len[2])
        return;
    rule = &row.rules[REGISTER];
    ck_assert_uint_eq(row.frame.kind, RULE_REGISTER);
    cells_expect_number(cells, 2, row.base);
    cells_expect_number(cells, 3, (uint64_t)row.frame.offset);
    cells_expect(cells, 4, kinds[rule->kind]);
    cells_expect_number(cells, 5, (uint64_t)rule->offset);
    ck_assert_uint_eq(row.return_register, RETURNS);
    ck_assert_uint_eq(row.rules[RETURNS].kind, RULE_SAVED);
    ck_assert_int_eq(row.rules[RETURNS].offset, -8);
}

TEST(instructions)
{
    cells_each("tests/symbols/dwarf/frame_program.cells", "rows", check);
}

/* Their bytes stay where they are. */
TEST(expressions)
{
    static const uint8_t saved[] = {0x10, 6, 2, 0x77, 8, 0x0F, 1, 0x35};
    static const uint8_t value[] = {0x16, 6, 1, 0x36};
    struct frame_row row;

    ck_assert(run(saved, sizeof(saved), START, &row));
    ck_assert_uint_eq(row.rules[REGISTER].kind, RULE_SAVED_EXPRESSION);
    ck_assert_uint_eq(row.rules[REGISTER].size, 2);
    ck_assert_uint_eq(row.rules[REGISTER].expression[0], 0x77);
    ck_assert_uint_eq(row.frame.kind, RULE_EXPRESSION);
    ck_assert_uint_eq(row.frame.size, 1);
    ck_assert_uint_eq(*row.frame.expression, 0x35);
    ck_assert(run(value, sizeof(value), START, &row));
    ck_assert_uint_eq(row.rules[REGISTER].kind, RULE_EXPRESSION);
    ck_assert_uint_eq(*row.rules[REGISTER].expression, 0x36);
}
