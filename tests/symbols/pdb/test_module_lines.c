/* The lines of one module, byte by byte. */
#include "tests/support/module_writer.h"

enum {
    LINES = 0xF2,
    FILECHKSMS = 0xF4,
    INLINEELINES = 0xF6,
    IGNORED = 0x80000000
};

static size_t subsection(struct made *t, uint32_t kind)
{
    blob_pack(&t->c13, "II", kind, 0);
    return t->c13.len;
}

static void subsection_end(struct made *t, size_t begun)
{
    blob_set(&t->c13, begun - 4, t->c13.len - begun, 4);
    blob_align(&t->c13, 4);
}

struct row {
    uint32_t offset, line;
};

static void put_rows(struct made *t, uint32_t file, bool columns,
                     const struct row *rows, uint32_t n)
{
    blob_pack(&t->c13, "III", file, n, 12 + n * (columns ? 12 : 8));
    for (uint32_t i = 0; i < n; i++) {
        blob_u32(&t->c13, rows[i].offset);
        blob_u32(&t->c13, rows[i].line | 0x81000000); /* statement; delta */
    }
    for (uint32_t i = 0; columns && i < n; i++)
        blob_u32(&t->c13, 0x00020001);
}

/* A block of code at an offset of section 1, of one file. */
static void put_lines(struct made *t, uint32_t offset, uint32_t size,
                      const struct row *rows, uint32_t n)
{
    size_t at = subsection(t, LINES);

    blob_pack(&t->c13, "IHHI", offset, 1, 0, size);
    put_rows(t, 8, false, rows, n);
    subsection_end(t, at);
}

/* The line at an RVA; 0 hidden, -1 none. */
static int line_at(struct made *t, uint32_t rva, uint32_t twin, uint32_t *file)
{
    uint32_t line = 99;

    *file = 99;
    return module_line(&t->m, rva, twin, file, &line) ? (int)line : -1;
}

TEST(rows_of_two_files)
{
    static const struct row first[] = {{4, 10}, {8, 0xFEEFEE}, {0x10, 12}};
    static const struct row second[] = {
        {0xC, 5}, {0x10, 6}, {0x18, 0xF00F00}, {0x20, 0}, {0x28, 9}};
    static const struct {
        uint32_t rva;
        int line;
        uint32_t file;
    } want[] = {
        {0x103F, -1, 99}, {0x1040, 10, 8},  {0x1044, 10, 8}, {0x1047, 10, 8},
        {0x1048, 0, 8},   {0x104C, 5, 24},  {0x1050, 12, 8}, {0x1051, 6, 24},
        {0x1057, 6, 24},  {0x1058, 0, 24},  {0x1060, 0, 24}, {0x1068, 9, 24},
        {0x107F, 9, 24},  {0x1080, -1, 99},
    };

    for (int columns = 0; columns < 2; columns++) {
        struct made t;
        size_t at;

        begin(&t);
        at = subsection(&t, IGNORED | LINES);
        blob_zero(&t.c13, 3);
        subsection_end(&t, at);
        at = subsection(&t, LINES);
        blob_pack(&t.c13, "IHHI", 0x40, 1, (uint16_t)(columns | 6), 0x40);
        put_rows(&t, 8, columns, first, 3);
        put_rows(&t, 24, columns, second, 5);
        subsection_end(&t, at);
        decode(&t);
        for (size_t i = 0; i < COUNT(want); i++) {
            uint32_t file;

            ck_assert_msg(line_at(&t, want[i].rva, 0, &file) == want[i].line,
                          "0x%x", want[i].rva);
            ck_assert_uint_eq(file, want[i].file);
        }
        end(&t);
    }
}

/* Blocks in any order; those within others, those of twins, and those that
 * cannot be. */
TEST(blocks)
{
    static const struct row rows[] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}};
    struct made t;
    uint32_t file;

    begin(&t);
    put_lines(&t, 0x100, 0x20, &rows[0], 1);
    put_lines(&t, 0x40, 0x80, &rows[1], 1);
    put_lines(&t, 0x50, 0x10, &rows[2], 1); /* within that of line 2 */
    put_lines(&t, 0x100, 0x20, &rows[3], 1);
    put_lines(&t, 0x100, 0x20, &rows[4], 1);
    put_lines(&t, 0x200, UINT32_MAX - 0x1200, &rows[0], 1);
    put_lines(&t, 0x300, UINT32_MAX - 0x1300 + 1, &rows[0], 1);
    decode(&t);
    ck_assert_uint_eq(t.m.lines.len, 6);
    ck_assert_int_eq(line_at(&t, 0x1040, 0, &file), 2);
    ck_assert_int_eq(line_at(&t, 0x1050, 0, &file), 3);
    ck_assert_int_eq(line_at(&t, 0x105F, 0, &file), 3);
    ck_assert_int_eq(line_at(&t, 0x1060, 0, &file), 2);
    ck_assert_int_eq(line_at(&t, 0x10BF, 0, &file), 2);
    ck_assert_int_eq(line_at(&t, 0x10C0, 0, &file), -1);
    ck_assert_int_eq(line_at(&t, 0x1100, 0, &file), 1);
    ck_assert_int_eq(line_at(&t, 0x1100, 1, &file), 4);
    ck_assert_int_eq(line_at(&t, 0x1100, 2, &file), 5);
    ck_assert_int_eq(line_at(&t, 0x1100, 3, &file), 5);
    ck_assert_int_eq(line_at(&t, 0x1120, 0, &file), -1);
    end(&t);
}

/* 64 blocks back the one that holds an address is not looked for. */
TEST(many_blocks)
{
    static const struct row row = {0, 7}, inner = {0, 8};
    struct made t;
    uint32_t file;

    begin(&t);
    put_lines(&t, 0, 0x800, &row, 1);
    for (uint32_t i = 1; i <= 64; i++)
        put_lines(&t, 0x10 * i, 8, &inner, 1);
    decode(&t);
    ck_assert_int_eq(line_at(&t, 0x13F8, 0, &file), 7);
    ck_assert_int_eq(line_at(&t, 0x1400, 0, &file), 8);
    ck_assert_int_eq(line_at(&t, 0x1408, 0, &file), -1);
    end(&t);
}

/* Inlinees of both shapes; an id that is described twice is what the first
 * says. */
TEST(inlinees)
{
    struct made t;
    size_t at;

    begin(&t);
    at = subsection(&t, INLINEELINES);
    blob_u32(&t.c13, 0);
    for (uint32_t i = 0; i < 3; i++) {
        blob_u32(&t.c13, 0x1009 - 4 * (i % 2)); /* 1009, 1005, 1009 */
        blob_pack(&t.c13, "II", 8 * i, 100 + i);
    }
    blob_zero(&t.c13, 11); /* not one more */
    subsection_end(&t, at);
    at = subsection(&t, INLINEELINES);
    blob_u32(&t.c13, 1);
    for (uint32_t i = 0; i < 2; i++) {
        blob_pack(&t.c13, "IIIIQ", 0x2000 + i, 16, 200 + i, 2, 0x77);
    }
    subsection_end(&t, at);
    decode(&t);
    ck_assert_uint_eq(t.m.inlinees.len, 5);
    ck_assert_uint_eq(module_inlinee(&t.m, 0x1005)->line, 101);
    ck_assert_uint_eq(module_inlinee(&t.m, 0x1005)->file, 8);
    ck_assert_uint_eq(module_inlinee(&t.m, 0x1009)->line, 100);
    ck_assert_uint_eq(module_inlinee(&t.m, 0x2000)->line, 200);
    ck_assert_uint_eq(module_inlinee(&t.m, 0x2001)->line, 201);
    ck_assert_uint_eq(module_inlinee(&t.m, 0x2001)->file, 16);
    ck_assert_ptr_null(module_inlinee(&t.m, 0x1004));
    ck_assert_ptr_null(module_inlinee(&t.m, 0x1006));
    ck_assert_ptr_null(module_inlinee(&t.m, 0x2002));
    end(&t);
}

/* A subsection that claims more than there is, is what there is. */
TEST(cut_off)
{
    static const struct row rows[] = {{0, 1}, {4, 2}};
    struct made t;
    uint32_t file;

    begin(&t);
    put_lines(&t, 0x40, 0x10, rows, 2);
    blob_set(&t.c13, 4, 1000, 4);
    decode(&t);
    ck_assert_int_eq(line_at(&t, 0x1044, 0, &file), 2);
    end(&t);
    begin(&t);
    put_lines(&t, 0x40, 0x10, rows, 2);
    t.c13.len -= 8;
    blob_set(&t.c13, 4, t.c13.len - 8, 4);
    decode(&t); /* two rows, of which one is there */
    ck_assert_int_eq(line_at(&t, 0x1044, 0, &file), -1);
    end(&t);
}
