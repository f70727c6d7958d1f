/* Where registers were saved, instruction by instruction (DWARF 5, section
 * 6.4.2). */
#include "symbols/dwarf/call_frames.h"
#include "tests/support/suite.h"

enum { SECTION_AT = 0x4000, START = 0x100, REGISTER = 6, RETURNS = 16 };

/* The rules that functions share: the frame is register 7 + 8, and the return
 * address lies 8 below. */
struct section {
    uint8_t first[5];
    uint8_t own[16];
};

struct expected {
    uint8_t own[16];
    uint32_t size;
    uint64_t address; /* that is asked */
    bool understood;
    uint8_t base;
    int64_t frame;
    uint8_t kind; /* of register 6 */
    int64_t offset;
};

static bool run(const struct expected *x, struct frame_row *row)
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
    memcpy(section.own, x->own, sizeof(section.own));
    return frame_program_run(&program, START,
                             (struct bytes){section.own, x->size}, x->address,
                             &budget, row);
}

static const struct expected rows[] = {
    {{0}, 1, START, true, 7, 8, RULE_SAME, 0},
    /* A row holds until the next one begins. */
    {{0x41, 0x0E, 16}, 3, START + 1, true, 7, 8, RULE_SAME, 0},
    {{0x41, 0x0E, 16}, 3, START + 2, true, 7, 16, RULE_SAME, 0},
    {{0x02, 4, 0x0E, 16}, 4, START + 7, true, 7, 8, RULE_SAME, 0},
    {{0x02, 4, 0x0E, 16}, 4, START + 8, true, 7, 16, RULE_SAME, 0},
    {{0x03, 0, 1, 0x0E, 16}, 5, START + 511, true, 7, 8, RULE_SAME, 0},
    {{0x03, 0, 1, 0x0E, 16}, 5, START + 512, true, 7, 16, RULE_SAME, 0},
    {{0x04, 0, 0, 1, 0, 0x0E, 16},
     7,
     START + 0x1FFFF,
     true,
     7,
     8,
     RULE_SAME,
     0},
    {{0x04, 0, 0, 1, 0, 0x0E, 16},
     7,
     START + 0x20000,
     true,
     7,
     16,
     RULE_SAME,
     0},
    {{0x01, 0x10, 2, 0, 0, 0x0E, 16}, 7, 0x20F, true, 7, 8, RULE_SAME, 0},
    {{0x01, 0x10, 2, 0, 0, 0x0E, 16}, 7, 0x210, true, 7, 16, RULE_SAME, 0},
    /* The frame: register, offset, or both. */
    {{0x0C, 5, 24}, 3, START, true, 5, 24, RULE_SAME, 0},
    {{0x12, 5, 0x7E}, 3, START, true, 5, 16, RULE_SAME, 0},
    {{0x0D, 6}, 2, START, true, 6, 8, RULE_SAME, 0},
    {{0x13, 0x7D}, 2, START, true, 7, 24, RULE_SAME, 0},
    /* A register: saved, here, the same, lost, in another. */
    {{0x86, 2}, 2, START, true, 7, 8, RULE_SAVED, -16},
    {{0x05, 6, 3}, 3, START, true, 7, 8, RULE_SAVED, -24},
    {{0x11, 6, 0x7F}, 3, START, true, 7, 8, RULE_SAVED, 8},
    {{0x2F, 6, 2}, 3, START, true, 7, 8, RULE_SAVED, 16},
    {{0x14, 6, 2}, 3, START, true, 7, 8, RULE_OFFSET, -16},
    {{0x15, 6, 0x7E}, 3, START, true, 7, 8, RULE_OFFSET, 16},
    {{0x86, 2, 0x08, 6}, 4, START, true, 7, 8, RULE_SAME, 0},
    {{0x07, 6}, 2, START, true, 7, 8, RULE_UNDEFINED, 0},
    {{0x09, 6, 3}, 3, START, true, 7, 8, RULE_REGISTER, 3},
    /* Back to what all functions have in common, in two forms. */
    {{0x86, 2, 0xC6}, 3, START, true, 7, 8, RULE_SAME, 0},
    {{0x86, 2, 0x06, 6}, 4, START, true, 7, 8, RULE_SAME, 0},
    /* Back to what was remembered; not more often than that. */
    {{0x86, 2, 0x0A, 0x07, 6, 0x0E, 32, 0x0B},
     8,
     START,
     true,
     7,
     8,
     RULE_SAVED,
     -16},
    {{0x0B}, 1, START, false, 0, 0, 0, 0},
    {{0x0A, 0x0B, 0x0B}, 3, START, false, 0, 0, 0, 0},
    /* Registers that no machine has are passed over. */
    {{0x05, 99, 3, 0x86, 1}, 5, START, true, 7, 8, RULE_SAVED, -8},
    {{0x06, 99}, 2, START, true, 7, 8, RULE_SAME, 0},
    {{0x2E, 16, 0x2D, 0x86, 1}, 5, START, true, 7, 8, RULE_SAVED, -8},
    {{0x2C, 0x86, 1}, 3, START, true, 7, 8, RULE_SAVED, -8},
    /* Unknown, or cut off. */
    {{0x30}, 1, START, false, 0, 0, 0, 0},
    {{0x17}, 1, START, false, 0, 0, 0, 0},
    {{0x0C, 7}, 2, START, false, 0, 0, 0, 0},
    {{0x10, 6, 9, 0}, 4, START, false, 0, 0, 0, 0},
};

TEST(instructions)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct expected *x = &rows[i];
        const struct frame_rule *rule;
        struct frame_row row;
        bool understood = run(x, &row);

        ck_assert_msg(understood == x->understood, "row %zu", i);
        if (!understood)
            continue;
        rule = &row.rules[REGISTER];
        ck_assert_msg(row.base == x->base && row.frame.offset == x->frame &&
                          row.frame.kind == RULE_REGISTER &&
                          rule->kind == x->kind && rule->offset == x->offset,
                      "row %zu: frame %u%+lld, rule %u, %lld", i, row.base,
                      (long long)row.frame.offset, rule->kind,
                      (long long)rule->offset);
        ck_assert_uint_eq(row.return_register, RETURNS);
        ck_assert_uint_eq(row.rules[RETURNS].kind, RULE_SAVED);
        ck_assert_int_eq(row.rules[RETURNS].offset, -8);
    }
}

/* Their bytes stay where they are. */
TEST(expressions)
{
    static const struct expected saved = {
        {0x10, 6, 2, 0x77, 8, 0x0F, 1, 0x35}, 8, START, true, 0, 0, 0, 0};
    static const struct expected value = {
        {0x16, 6, 1, 0x36}, 4, START, true, 0, 0, 0, 0};
    struct frame_row row;

    ck_assert(run(&saved, &row));
    ck_assert_uint_eq(row.rules[REGISTER].kind, RULE_SAVED_EXPRESSION);
    ck_assert_uint_eq(row.rules[REGISTER].size, 2);
    ck_assert_uint_eq(row.rules[REGISTER].expression[0], 0x77);
    ck_assert_uint_eq(row.frame.kind, RULE_EXPRESSION);
    ck_assert_uint_eq(row.frame.size, 1);
    ck_assert_uint_eq(*row.frame.expression, 0x35);
    ck_assert(run(&value, &row));
    ck_assert_uint_eq(row.rules[REGISTER].kind, RULE_EXPRESSION);
    ck_assert_uint_eq(*row.rules[REGISTER].expression, 0x36);
}
