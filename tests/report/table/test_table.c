#include "report/table/table.h"

#include "tests/support/json_check.h"
#include "tests/support/suite.h"

struct item {
    const char *name;
    uint64_t count;
};

static struct value count(const void *rows, size_t row)
{
    return value_count(((const struct item *)rows)[row].count);
}

static struct value share(const void *rows, size_t row)
{
    return value_percent(((const struct item *)rows)[row].count, 10000);
}

static struct value name(const void *rows, size_t row)
{
    return value_maybe(((const struct item *)rows)[row].name);
}

static struct value address(const void *rows, size_t row)
{
    return value_address(((const struct item *)rows)[row].count * 256);
}

static struct value bar(const void *rows, size_t row)
{
    return value_bar(((const struct item *)rows)[row].count, 9999);
}

static const struct column drawn[] = {
    {"count", "count", false, count},
    {NULL, " ", false, bar},
    {"name", "name", true, name},
};

static const struct column columns[] = {
    {"count", "count", false, count},
    {"percent", "", false, share},
    {"name", "name", true, name},
    {"address", NULL, false, address},
};

static const struct item items[] = {
    {"a \"quoted\", | name\n", 9999}, {"", 1}, {"Größe", 1234}, {"\x1b[2J", 0},
};

static const struct {
    enum format format;
    size_t width;
    const char *expected;
} cases[] = {
    {FORMAT_TEXT, 0,
     "  count      %  name\n"
     "  9,999  100.0  a \"quoted\", | name\\x0a\n"
     "      1    0.0\n"
     "  1,234   12.3  Größe\n"
     "      0    0.0  \\x1b[2J\n"},
    {FORMAT_TEXT, 36,
     "  count      %  name\n"
     "  9,999  100.0  a \"quoted\", |…me\\x0a\n"
     "      1    0.0\n"
     "  1,234   12.3  Größe\n"
     "      0    0.0  \\x1b[2J\n"},
    {FORMAT_JSON, 0,
     "[\n  {\"count\":9999,\"percent\":99.99,\"name\":"
     "\"a \\\"quoted\\\", | name\\u000a\",\"address\":\"0x270f00\"},"
     "\n  {\"count\":1,\"percent\":0.01,\"name\":null,\"address\":\"0x100\"},"
     "\n  {\"count\":1234,\"percent\":12.34,\"name\":\"Größe\","
     "\"address\":\"0x4d200\"},"
     "\n  {\"count\":0,\"percent\":0.00,\"name\":\"\\u001b[2J\","
     "\"address\":\"0x0\"}]"},
    {FORMAT_CSV, 0,
     "count,percent,name,address\r\n"
     "9999,99.99,\"a \"\"quoted\"\", | name\\x0a\",0x270f00\r\n"
     "1,0.01,,0x100\r\n"
     "1234,12.34,Größe,0x4d200\r\n"
     "0,0.00,\\x1b[2J,0x0\r\n"},
};

/* In eighths of a column, as long as the share of the whole is. */
TEST(bars_are_drawn)
{
    struct table table = {.columns = drawn,
                          .column_count = 3,
                          .rows = items,
                          .row_count = 3,
                          .total = 3};
    struct out *out = out_memory();

    table_write(&table, FORMAT_TEXT, 0, out);
    ck_assert_str_eq(out_text(out, NULL),
                     "  count              name\n"
                     "  9,999  ██████████  a \"quoted\", | name\\x0a\n"
                     "      1\n"
                     "  1,234  █▎          Größe\n");
    out_close(out, NULL);
}

TEST(formats_are_as_written)
{
    struct table table = {.columns = columns,
                          .column_count = 4,
                          .rows = items,
                          .row_count = 4,
                          .total = 4};

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct out *out = out_memory();

        table_write(&table, cases[i].format, cases[i].width, out);
        ck_assert_str_eq(out_text(out, NULL), cases[i].expected);
        if (cases[i].format == FORMAT_JSON)
            ck_assert(is_json(out_text(out, NULL)));
        out_close(out, NULL);
    }
}

TEST(no_rows_are_still_valid)
{
    struct table table = {.columns = columns, .column_count = 4, .rows = items};
    struct out *out = out_memory();

    table_write(&table, FORMAT_TEXT, 100, out);
    ck_assert_str_eq(out_text(out, NULL), "");
    table_write(&table, FORMAT_JSON, 100, out);
    ck_assert_str_eq(out_text(out, NULL), "[]");
    out_close(out, NULL);
}

static const struct {
    const char *text;
    bool is_json;
} json_cases[] = {
    {"{\"a\":[1,-2.5e3,null,true,\"\\u00e4\"]}", true},
    {"[]", true},
    {"[1,]", false},
    {"{\"a\"}", false},
    {"\"\n\"", false},
    {"01", false},
    {"[1] 2", false},
    {"", false},
};

TEST(the_judge_can_be_trusted)
{
    for (size_t i = 0; i < COUNT(json_cases); i++)
        ck_assert(is_json(json_cases[i].text) == json_cases[i].is_json);
}
