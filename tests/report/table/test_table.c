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

static const struct column columns[] = {
    {"count", "count", false, count},
    {"percent", "", false, share},
    {"name", "name", true, name},
    {"address", NULL, false, address},
};

static const struct item items[] = {
    {"a \"quoted\", | name\n", 9999}, {"", 1}, {"Größe", 1234}, {"\x1b[2J", 0},
};

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
