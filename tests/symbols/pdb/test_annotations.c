/* Rows of inline sites; the cases are what compilers were seen to write. */
#include "symbols/pdb/module.h"
#include "tests/support/suite.h"

enum { PROC_SIZE = 0x40 };

struct annotation_case {
    const char *name;
    uint8_t bytes[16];
    size_t size;
    struct site_row rows[4];
    size_t count;
};

static const struct annotation_case cases[] = {
    {"12 does not advance by its length",
     {0x0C, 0x0D, 0x1C, 0x0C, 0x02, 0x12}, 6,
     {{0x1C, 0x29, 8, 10}, {0x2E, 0x30, 8, 10}}, 2},
    {"4 advances by its length",
     {0x03, 0x04, 0x04, 0x03, 0x03, 0x02, 0x04, 0x01}, 8,
     {{0x04, 0x07, 8, 10}, {0x09, 0x0A, 8, 10}}, 2},
    {"4 without an open row begins here",
     {0x04, 0x05, 0x0B, 0x23, 0x04, 0x02}, 6,
     {{0x00, 0x05, 8, 10}, {0x08, 0x0A, 8, 11}}, 2},
    {"11 moves line and offset",
     {0x0B, 0x20, 0x0B, 0x45, 0x04, 0x06}, 6,
     {{0x00, 0x05, 8, 11}, {0x05, 0x0B, 8, 13}}, 2},
    {"11 moves back", {0x0B, 0x72, 0x04, 0x01}, 4, {{0x02, 0x03, 8, 7}}, 1},
    {"6 before 3 is of the next row",
     {0x0B, 0x01, 0x06, 0x06, 0x03, 0x04, 0x04, 0x01}, 8,
     {{0x01, 0x05, 8, 10}, {0x05, 0x06, 8, 13}}, 2},
    {"6 before 4 is of the row that begins here",
     {0x03, 0x04, 0x06, 0x06, 0x04, 0x02}, 6, {{0x04, 0x06, 8, 13}}, 1},
    {"6 before 11 too",
     {0x03, 0x04, 0x06, 0x03, 0x0B, 0x24, 0x04, 0x01}, 8,
     {{0x04, 0x08, 8, 9}, {0x08, 0x09, 8, 10}}, 2},
    {"a file of its own", {0x05, 0x18, 0x03, 0x02, 0x04, 0x02}, 6,
     {{0x02, 0x04, 0x18, 10}}, 1},
    {"open at the end: to the end of the procedure", {0x03, 0x30}, 2,
     {{0x30, PROC_SIZE, 8, 10}}, 1},
    {"an absolute offset", {0x01, 0x10, 0x03, 0x00, 0x04, 0x02}, 6,
     {{0x10, 0x12, 8, 10}}, 1},
    {"numbers of two and four bytes",
     {0x03, 0x81, 0x00, 0x04, 0xC0, 0x00, 0x01, 0x00}, 8,
     {{0x100, 0x200, 8, 10}}, 1},
    {"what is in another segment is not here",
     {0x03, 0x01, 0x04, 0x01, 0x02, 0x01, 0x03, 0x05, 0x04, 0x02}, 10,
     {{0x01, 0x02, 8, 10}}, 1},
    {"a zero ends it", {0x03, 0x01, 0x04, 0x01, 0x00, 0x03, 0x01}, 7,
     {{0x01, 0x02, 8, 10}}, 1},
    {"an unknown opcode ends it", {0x03, 0x01, 0x04, 0x01, 0x0E, 0x01}, 6,
     {{0x01, 0x02, 8, 10}}, 1},
    {"not a number", {0x03, 0x01, 0x04, 0xFF}, 4,
     {{0x01, 0x01, 8, 10}}, 1},
    {"nothing", {0}, 0, {{0, 0, 0, 0}}, 0},
};

static void check_case(const struct annotation_case *c)
{
    struct inlinee start = {.id = 1, .file = 8, .line = 10};
    struct reader r = reader_of("case", c->bytes, c->size, 0, NULL);
    struct sites s = {.proc = 0};
    struct site site = {0};

    site_read_rows(&s, &site, &r, &start, PROC_SIZE);
    ck_assert_msg(site.rows == c->count, "%s: %u rows", c->name, site.rows);
    for (size_t i = 0; i < c->count; i++) {
        const struct site_row *a = &s.rows.data[i], *b = &c->rows[i];

        ck_assert_msg(a->start == b->start && a->end == b->end &&
                          a->file == b->file && a->line == b->line,
                      "%s: row %zu is [0x%x,0x%x) file %u line %u", c->name,
                      i, a->start, a->end, a->file, a->line);
    }
    vec_release(&s.rows);
}

TEST(annotations)
{
    for (size_t i = 0; i < COUNT(cases); i++)
        check_case(&cases[i]);
}
