/* Rows of text lists of generated code, and lines that are none. */
#include "engine/attribution/perf_map_rows.h"

#include "tests/support/suite.h"

struct line_case {
    const char *line;
    bool row;
    uint64_t start, size;
    const char *name;
};

static const struct line_case lines[] = {
    {"10 20 f", true, 0x10, 0x20, "f"},
    {"0x10 0X20 f(int, char) x", true, 0x10, 0x20, "f(int, char) x"},
    {"7fFFabCD 0 f", true, 0x7FFFABCD, 0, "f"},
    {"10   20   f  ", true, 0x10, 0x20, "f"},
    {"10 20 f\r", true, 0x10, 0x20, "f"},
    {"10 20 f \r \r", true, 0x10, 0x20, "f"},
    {"0 0 0", true, 0, 0, "0"},
    {"ffffffffffffffff 0 f", true, UINT64_MAX, 0, "f"},
    {"fffffffffffffff0 f f", true, UINT64_MAX - 15, 15, "f"},
    {"fffffffffffffff1 f f", false, 0, 0, NULL}, /* beyond all addresses */
    {"1ffffffffffffffff 0 f", false, 0, 0, NULL},
    {"00000000000000010 0 f", false, 0, 0, NULL}, /* 17 digits */
    {"0x0000000000000010 0 f", true, 0x10, 0, "f"},
    {"10 20 ", false, 0, 0, NULL},
    {"10 20", false, 0, 0, NULL},
    {"10 f", false, 0, 0, NULL},
    {"10", false, 0, 0, NULL},
    {"", false, 0, 0, NULL},
    {" 10 20 f", false, 0, 0, NULL},
    {"0x 20 f", false, 0, 0, NULL},
    {"x10 20 f", false, 0, 0, NULL},
    {"10g 20 f", false, 0, 0, NULL},
    {"10 20g f", false, 0, 0, NULL},
    {"10\t20 f", false, 0, 0, NULL},
};

static void assert_row(const struct perf_map_row *row,
                       const struct line_case *c)
{
    ck_assert_uint_eq(row->start, c->start);
    ck_assert_uint_eq(row->size, c->size);
    ck_assert_uint_eq(row->name.len, strlen(c->name));
    ck_assert_mem_eq(row->name.data, c->name, row->name.len);
}

TEST(a_line_is_a_row_or_none)
{
    for (size_t i = 0; i < COUNT(lines); i++) {
        const uint8_t *data = (const uint8_t *)lines[i].line;
        size_t size = strlen(lines[i].line), at = 0;
        struct perf_map_row row;

        ck_assert_msg(perf_map_next(data, size, &at, &row) == lines[i].row,
                      "%s", lines[i].line);
        ck_assert_uint_eq(at, size);
        if (lines[i].row)
            assert_row(&row, &lines[i]);
        ck_assert_msg(perf_map_probe(data, size) == lines[i].row, "%s",
                      lines[i].line);
    }
}

TEST(lines_that_are_none_are_stepped_over)
{
    static const char text[] = "\n# made by hand\n10 20 f\nx\n\n30 40 g";
    const uint8_t *data = (const uint8_t *)text;
    struct perf_map_row row;
    size_t at = 0;

    ck_assert(perf_map_next(data, sizeof(text) - 1, &at, &row));
    ck_assert_uint_eq(row.start, 0x10);
    ck_assert_uint_eq(at, 24);
    ck_assert(perf_map_next(data, sizeof(text) - 1, &at, &row));
    ck_assert_uint_eq(row.start, 0x30);
    ck_assert(!perf_map_next(data, sizeof(text) - 1, &at, &row));
    ck_assert_uint_eq(at, sizeof(text) - 1);
    ck_assert(!perf_map_probe(data, sizeof(text) - 1));
}

/* The first 4 KiB of a file tell. */
TEST(a_first_line_may_be_long)
{
    char text[5000];

    memset(text, 'x', sizeof(text));
    memcpy(text, "10 20 f", 7);
    ck_assert(perf_map_probe((const uint8_t *)text, sizeof(text)));
    memset(text, ' ', sizeof(text));
    memcpy(text, "10 20", 5);
    text[4096] = 'f';
    ck_assert(!perf_map_probe((const uint8_t *)text, sizeof(text)));
    text[4095] = 'f';
    ck_assert(perf_map_probe((const uint8_t *)text, sizeof(text)));
}
