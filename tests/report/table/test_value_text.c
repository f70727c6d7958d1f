/* Values as people read them, and how wide they are. */
#include "report/table/table.h"

#include "tests/support/suite.h"

static void assert_printed(struct value v, size_t width, const char *text,
                           size_t columns)
{
    struct out *out = out_memory();

    value_print(out, &v, width);
    ck_assert_str_eq(out_text(out, NULL), text);
    ck_assert_uint_eq(value_columns(&v, width), columns);
    out_close(out, NULL);
}

TEST(words)
{
    struct value indented = value_name("f");

    indented.prefix = "├─ ";
    assert_printed(value_text("Größe"), 3, "Größe", 5);
    assert_printed(value_module("a\x1b"), 0, "a\\x1b", 5);
    assert_printed(value_path("/a/b.c:1"), 0, "/a/b.c:1", 8);
    assert_printed(value_name(""), 0, "", 0);
    assert_printed(indented, 0, "f", 4);
    assert_printed(value_maybe(NULL), 0, "", 0);
    assert_printed(value_maybe(""), 0, "", 0);
    assert_printed(value_maybe("a"), 0, "a", 1);
    assert_printed(value_path(NULL), 0, "", 0);
    assert_printed(value_path(""), 0, "", 0);
    ck_assert(!value_is_words(&(struct value){.type = VALUE_NUMERAL}));
}

/* A percentage is as wide as it is printed, at every edge of rounding. */
TEST(percentages)
{
    assert_printed(value_percent(0, 0), 0, "0.0", 3);
    assert_printed(value_percent(0, 7), 0, "0.0", 3);
    assert_printed(value_percent(1, 3), 0, "33.3", 4);
    assert_printed(value_percent(9949, 100000), 0, "9.9", 3);
    assert_printed(value_percent(9950, 100000), 0, "10.0", 4);
    assert_printed(value_percent(99949, 100000), 0, "99.9", 4);
    assert_printed(value_percent(99950, 100000), 0, "100.0", 5);
    assert_printed(value_percent(25, 2), 0, "1250.0", 6);
}

/* In eighths of a character, ten of them for the whole, rounded. */
TEST(bars)
{
    assert_printed(value_bar(0, 0), 0, "", 0);
    assert_printed(value_bar(0, 9), 0, "", 0);
    assert_printed(value_bar(1, 1), 0, "██████████", 10);
    assert_printed(value_bar(1, 80), 0, "▏", 1);
    assert_printed(value_bar(2, 80), 0, "▎", 1);
    assert_printed(value_bar(3, 80), 0, "▍", 1);
    assert_printed(value_bar(4, 80), 0, "▌", 1);
    assert_printed(value_bar(5, 80), 0, "▋", 1);
    assert_printed(value_bar(6, 80), 0, "▊", 1);
    assert_printed(value_bar(7, 80), 0, "▉", 1);
    assert_printed(value_bar(8, 80), 0, "█", 1);
    assert_printed(value_bar(9, 80), 0, "█▏", 2);
    assert_printed(value_bar(1, 161), 0, "", 0);
    assert_printed(value_bar(1, 160), 0, "▏", 1);
    assert_printed(value_bar(1, 3), 0, "███▍", 4);
}

/* Against the largest; what is not nothing shows. */
TEST(series)
{
    static const uint64_t none[] = {0, 0, 0}, one[] = {1},
                          steps[] = {0, 1, 2, 3, 4, 5, 6, 7, 8},
                          large[] = {1, 125, 126, 1000, 876, 875};

    assert_printed(value_series(none, 3), 0, "···", 3);
    assert_printed(value_series(none, 0), 9, "", 0);
    assert_printed(value_series(one, 1), 1, "▁", 1);
    assert_printed(value_series(steps, 9), 0, "·▁▂▃▄▅▆▇█", 9);
    assert_printed(value_series(steps, 9), 9, "·▁▂▃▄▅▆▇█", 9);
    assert_printed(value_series(large, 6), 0, "▁▁▂██▇", 6);
    /* 0+1, 2+3, 4+5, 6+7, 8 */
    assert_printed(value_series(steps, 9), 8, "▁▃▅█▅", 5);
    assert_printed(value_series(steps, 9), 5, "▁▃▅█▅", 5);
    /* 0+1+2, 3+4+5, 6+7+8 */
    assert_printed(value_series(steps, 9), 4, "▁▅█", 3);
    assert_printed(value_series(steps, 9), 1, "█", 1);
}
