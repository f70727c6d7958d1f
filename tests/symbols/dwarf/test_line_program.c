/* Line number programs byte by byte: rows, sequences and what they may cost. */
#include "symbols/dwarf/line_program.h"

#include <libdwarf/dwarf.h>

#include "tests/support/blob.h"
#include "tests/support/suite.h"

enum { PLENTY = 100000, OPERANDS = 12 };

/* A header, its numbers as compilers write them. */
struct head {
    uint16_t version;
    bool wide;          /* 64-bit offsets */
    uint8_t operations; /* of an instruction, from version 4 */
    uint8_t line_range;
    uint8_t opcode_base;
    uint8_t tables;    /* bytes of tables of folders and files */
    unsigned too_long; /* what the length of the header is too much */
};

static const struct head usual = {4, false, 1, 14, 13, 3, 0};

static void put_header(struct blob *b, struct head h)
{
    static const uint8_t operands[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    size_t at, wide = h.wide ? 8 : 4;

    blob_u16(b, h.version);
    if (h.version == 5)
        blob_u16(b, 8);
    at = b->len;
    blob_zero(b, wide);
    blob_u8(b, 2); /* bytes of the shortest instruction */
    if (h.version >= 4)
        blob_u8(b, h.operations);
    blob_pack(b, "BBBB", 1, (uint8_t)-3, h.line_range, h.opcode_base);
    for (int i = 0; i + 1 < h.opcode_base; i++)
        blob_u8(b, i < OPERANDS ? operands[i] : 2);
    blob_zero(b, h.tables);
    blob_set(b, at, b->len - at - wide + h.too_long, (unsigned)wide);
}

/* A table at byte 5 of a section, with bytes behind it. */
static struct blob section_of(struct head h, const void *code, size_t n)
{
    struct blob all = {0}, b = {0};

    put_header(&b, h);
    blob_bytes(&b, code, n);
    blob_zero(&all, 5);
    if (h.wide)
        blob_u32(&all, UINT32_MAX);
    blob_number(&all, b.len, h.wide ? 8 : 4);
    blob_bytes(&all, b.data, b.len);
    blob_bytes(&all, "\1\1\1\1", 4);
    free(b.data);
    return all;
}

static struct bytes bytes_of(const struct blob *b)
{
    return (struct bytes){b->data, b->len};
}

#define SET_ADDRESS(low) 0, 9, DW_LNE_set_address, low, 0x10, 0, 0, 0, 0, 0, 0
#define END 0, 1, DW_LNE_end_sequence

/* Of an address: the line and the file it has, 0 and 0 when it has none. */
struct want {
    uint64_t address;
    uint32_t line, file;
};

static void check_rows(struct head h, const void *code, size_t n,
                       const struct want *want, size_t wants)
{
    struct blob b = section_of(h, code, n);
    struct line_budget budget = {{.left = PLENTY}, {.left = PLENTY}};
    struct line_program p;

    ck_assert(line_program_open(&p, bytes_of(&b), 5, &budget));
    for (size_t i = 0; i < wants; i++) {
        const struct line_row *row =
            line_program_find(&p, want[i].address, &budget);

        if (!want[i].line) {
            ck_assert_msg(!row, "0x%llx", (long long)want[i].address);
            continue;
        }
        ck_assert_msg(row, "0x%llx", (long long)want[i].address);
        ck_assert_uint_eq(row->line, want[i].line);
        ck_assert_uint_eq(row->file, want[i].file);
    }
    ck_assert(!budget.rows.cut && !budget.bytes.cut);
    line_program_close(&p);
    free(b.data);
}

#define CHECK_ROWS(head, code, want)                                           \
    check_rows(head, code, sizeof(code), want, sizeof(want) / sizeof *(want))

/* Every instruction, and what it does to address, line and file. */
static const uint8_t every[] = {
    SET_ADDRESS(0),
    DW_LNS_copy,                                /* 1000: line 1 */
    DW_LNS_advance_pc, 0x83, 0x01,              /* by 131 times 2 */
    DW_LNS_advance_line, 0xE4, 0x00,            /* by 100 */
    DW_LNS_copy,                                /* 1106: line 101 */
    DW_LNS_set_file, 0x84, 0x01,
    DW_LNS_const_add_pc,                        /* by 17 times 2 */
    DW_LNS_advance_line, 0x9D, 0x7F,            /* back by 99 */
    DW_LNS_copy,                                /* 1128: line 2 of file 132 */
    DW_LNS_fixed_advance_pc, 0x01, 0x02,        /* by 513 bytes */
    13 + 14 * 4 + 5,                            /* and 8, line 2 + 2 */
    DW_LNS_set_column, 0x85, 0x01,              /* 1331: line 4 */
    DW_LNS_negate_stmt, DW_LNS_set_basic_block,
    DW_LNS_set_prologue_end, DW_LNS_set_epilogue_begin,
    DW_LNS_set_isa, 9,
    0, 2, DW_LNE_set_discriminator, 7,
    0, 0,                                       /* nothing at all */
    0, 5, DW_LNE_set_address, 0x00, 0x20, 0, 0, /* the short one: 2000 */
    DW_LNS_advance_line, 0x83, 0x80, 0x80, 0x80, 0x80, 0x00, /* by 3 */
    DW_LNS_copy,                                /* 2000: line 7 */
    DW_LNS_advance_line, 0x7E,                  /* back by 2 */
    255,                                        /* 2022: 6, 17 times 2 on */
    DW_LNS_advance_pc, 8,
    END,
};

static const struct want every_row[] = {
    {0xFFF, 0, 0},    {0x1000, 1, 1},    {0x1105, 1, 1},    {0x1106, 101, 1},
    {0x1127, 101, 1}, {0x1128, 2, 132},  {0x1330, 2, 132},  {0x1331, 4, 132},
    {0x1FFF, 4, 132}, {0x2000, 7, 132},  {0x2021, 7, 132},  {0x2022, 6, 132},
    {0x2031, 6, 132}, {0x2032, 0, 0},    {UINT64_MAX, 0, 0},
};

TEST(instructions)
{
    struct head h = usual;

    for (h.version = 2; h.version <= 5; h.version++)
        for (int wide = 0; wide < 2; wide++) {
            h.wide = wide;
            CHECK_ROWS(h, every, every_row);
        }
}

/* Opcodes of the future say how many operands they have; a small base makes
 * special ones of what others call standard. */
TEST(other_opcodes)
{
    static const uint8_t more[] = {
        SET_ADDRESS(0), DW_LNS_copy, 14, 0x81, 0x01, 5, 13, 1, 2,
        DW_LNS_advance_pc, 4, END,
    };
    static const uint8_t fewer[] = {
        SET_ADDRESS(0), DW_LNS_copy, 10, 10 + 4, DW_LNS_advance_pc, 4, END,
    };
    static const struct want as_first[] = {
        {0x1000, 1, 1}, {0x1007, 1, 1}, {0x1008, 0, 0}};
    struct head h = usual;

    h.opcode_base = 15;
    CHECK_ROWS(h, more, as_first);
    h.opcode_base = 10;
    h.line_range = 10;
    /* Line 1 - 3 at the same address, then 1 more. */
    CHECK_ROWS(h, fewer, ((const struct want[]){{0x1000, UINT32_MAX, 1},
                                                {0x1008, 0, 0}}));
}

/* The last of several rows at one address counts, equal rows are one, and rows
 * with decreasing addresses are sorted. */
TEST(rows_of_a_sequence)
{
    static const uint8_t code[] = {
        SET_ADDRESS(0x40), DW_LNS_copy,
        DW_LNS_advance_line, 9, DW_LNS_copy,           /* instead of it: 10 */
        DW_LNS_advance_pc, 4, DW_LNS_copy,             /* the same */
        DW_LNS_set_file, 2, DW_LNS_advance_pc, 4, DW_LNS_copy,
        DW_LNS_advance_line, 1, DW_LNS_advance_pc, 4, DW_LNS_copy,
        SET_ADDRESS(0x4C), DW_LNS_advance_line, 30, DW_LNS_copy,
        SET_ADDRESS(0x60), END,
    };
    static const struct want want[] = {
        {0x103F, 0, 0},  {0x1040, 10, 1}, {0x104B, 10, 1},
        {0x104C, 41, 2}, {0x104F, 41, 2}, {0x1050, 10, 2}, {0x1058, 11, 2},
        {0x105F, 11, 2}, {0x1060, 0, 0},
    };
    struct blob b = section_of(usual, code, sizeof(code));
    struct line_budget budget = {{.left = PLENTY}, {.left = PLENTY}};
    struct line_program p;

    CHECK_ROWS(usual, code, want);
    ck_assert(line_program_open(&p, bytes_of(&b), 5, &budget));
    ck_assert_uint_eq(budget.bytes.left, PLENTY - (b.len - 9));
    ck_assert_uint_eq(budget.rows.left, PLENTY);
    ck_assert_ptr_nonnull(line_program_find(&p, 0x1040, &budget));
    ck_assert_uint_eq(p.rows.len, 5); /* one for the end */
    ck_assert_uint_eq(budget.rows.left, PLENTY - 7);
    ck_assert_ptr_nonnull(line_program_find(&p, 0x1058, &budget));
    ck_assert_uint_eq(budget.rows.left, PLENTY - 7); /* made once */
    line_program_close(&p);
    free(b.data);
}

/* Sequences in any order; those without code, those that the linker dropped,
 * and what has no end do not count. */
TEST(sequences)
{
    static const uint8_t code[] = {
        SET_ADDRESS(0x80), DW_LNS_advance_line, 7, DW_LNS_copy,
        DW_LNS_advance_pc, 8, END, /* 1080 to 1090: 8 */
        SET_ADDRESS(0x40), DW_LNS_advance_line, 3, DW_LNS_copy,
        DW_LNS_advance_pc, 8, END, /* 1040 to 1050: 4 */
        END,                       /* no row */
        SET_ADDRESS(0x80), DW_LNS_copy, END, /* nothing between row and end */
        DW_LNS_advance_line, 70, DW_LNS_copy, DW_LNS_advance_pc, 0x80, 0x40,
        END, /* from 0: dropped */
        SET_ADDRESS(0x44), DW_LNS_advance_line, 50, DW_LNS_copy,
        DW_LNS_advance_pc, 2, DW_LNS_copy, /* no end */
    };
    static const struct want want[] = {
        {0x0, 0, 0},    {0x103F, 0, 0}, {0x1040, 4, 1}, {0x104F, 4, 1},
        {0x1050, 0, 0}, {0x107F, 0, 0}, {0x1080, 8, 1}, {0x108F, 8, 1},
        {0x1090, 0, 0},
    };

    CHECK_ROWS(usual, code, want);
}

/* An address that dropped code begins at, and one beside it. */
TEST(dropped_code)
{
    static const struct {
        uint64_t start;
        bool dropped;
    } rows[] = {
        {0, true},
        {1, true},
        {2, false},
        {UINT32_MAX - 2, false},
        {UINT32_MAX - 1, true},
        {UINT32_MAX, true},
        {(uint64_t)UINT32_MAX + 1, false},
        {UINT64_MAX - 2, false},
        {UINT64_MAX - 1, true},
        {UINT64_MAX, true},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct line_budget budget = {{.left = PLENTY}, {.left = PLENTY}};
        struct line_program p;
        struct blob code = {0}, b;

        blob_bytes(&code, "\0\11\2", 3);
        blob_u64(&code, rows[i].start);
        blob_bytes(&code, "\1\2\4\0\1\1", 6);
        b = section_of(usual, code.data, code.len);
        ck_assert(line_program_open(&p, bytes_of(&b), 5, &budget));
        ck_assert_uint_eq(p.sequences.len, !rows[i].dropped);
        line_program_close(&p);
        free(code.data);
        free(b.data);
    }
}

static bool opens(struct blob *b, uint64_t offset, uint64_t bytes)
{
    struct line_budget budget = {{.left = PLENTY}, {.left = bytes}};
    struct line_program p;
    bool good = line_program_open(&p, bytes_of(b), offset, &budget);

    ck_assert(budget.bytes.cut == (!good && bytes != PLENTY));
    line_program_close(&p);
    free(b->data);
    return good;
}

static bool header_opens(struct head h)
{
    struct blob b = section_of(h, every, sizeof(every));

    return opens(&b, 5, PLENTY);
}

TEST(headers)
{
    static const struct {
        struct head head;
        bool good;
    } rows[] = {
        {{1, false, 1, 14, 13, 0, 0}, false},
        {{6, false, 1, 14, 13, 0, 0}, false},
        {{4, false, 2, 14, 13, 0, 0}, false},
        {{4, false, 0, 14, 13, 0, 0}, true},
        {{3, false, 2, 14, 13, 0, 0}, true},
        {{4, false, 1, 0, 13, 0, 0}, false},
        {{4, false, 1, 14, 0, 0, 0}, false},
        {{4, false, 1, 14, 1, 0, 0}, true},
        {{4, false, 1, 1, 13, 0, 0}, true},
        {{4, false, 1, 14, 13, 0, sizeof(every)}, true},
        {{4, false, 1, 14, 13, 0, sizeof(every) + 1}, false},
        {{4, false, 1, 14, 13, 0, (unsigned)-1}, false},
    };

    for (size_t i = 0; i < COUNT(rows); i++)
        ck_assert_msg(header_opens(rows[i].head) == rows[i].good, "row %zu", i);
}

/* A table is of its length, and that within the section. */
TEST(lengths)
{
    struct blob b = section_of(usual, every, sizeof(every));

    b.len -= 4;
    ck_assert(opens(&b, 5, PLENTY));
    b = section_of(usual, every, sizeof(every));
    b.len -= 5;
    ck_assert(!opens(&b, 5, PLENTY));
    b = section_of(usual, every, sizeof(every));
    ck_assert(!opens(&b, b.len + 1, PLENTY));
    b = section_of(usual, every, sizeof(every));
    ck_assert(opens(&b, 5, b.len - 9));
    b = section_of(usual, every, sizeof(every));
    ck_assert(!opens(&b, 5, b.len - 10));
    b = section_of(usual, every, 0);
    ck_assert(opens(&b, 5, PLENTY)); /* no program: no rows */
}

/* An instruction that is longer than the table ends it. */
TEST(cut_off)
{
    static const uint8_t code[] = {
        SET_ADDRESS(0),     DW_LNS_copy, DW_LNS_advance_pc, 8, 0, 2,
        DW_LNE_end_sequence};
    static const struct want none[] = {{0x1000, 0, 0}};

    CHECK_ROWS(usual, code, none);
}

/* When the rows of a file are used up, what is left has none. */
TEST(rows_used_up)
{
    /* Rows that the sequence takes: two, and one for the end. */
    static const uint8_t code[] = {SET_ADDRESS(0),    DW_LNS_copy, 13 + 15,
                                   DW_LNS_advance_pc, 8,           END};

    for (uint64_t rows = 0; rows <= 4; rows++) {
        struct blob b = section_of(usual, code, sizeof(code));
        struct line_budget budget = {{.left = rows}, {.left = PLENTY}};
        struct line_program p;
        const struct line_row *row;

        ck_assert(line_program_open(&p, bytes_of(&b), 5, &budget));
        row = line_program_find(&p, 0x1000, &budget);
        ck_assert_msg(!row == (rows < 3), "%u rows", (unsigned)rows);
        ck_assert(budget.rows.cut == (rows < 3));
        ck_assert_uint_eq(budget.rows.left, rows < 3 ? 0 : rows - 3);
        line_program_close(&p);
        free(b.data);
    }
}
