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

TEST(numbers)
{
    assert_printed(value_none(), 0, "", 0);
    assert_printed(value_count(0), 0, "0", 1);
    assert_printed(value_count(9), 0, "9", 1);
    assert_printed(value_count(10), 0, "10", 2);
    assert_printed(value_count(999), 0, "999", 3);
    assert_printed(value_count(1000), 0, "1,000", 5);
    assert_printed(value_count(999999), 0, "999,999", 7);
    assert_printed(value_count(1000000), 0, "1,000,000", 9);
    assert_printed(value_id(1234567), 0, "1234567", 7);
    assert_printed(value_address(0), 0, "0x0", 3);
    assert_printed(value_address(15), 0, "0xf", 3);
    assert_printed(value_address(16), 0, "0x10", 4);
    assert_printed(value_numeral("1e400"), 0, "1e400", 5);
    assert_printed(value_real(-1.25, 1, false), 0, "-1.3", 4);
    assert_printed(value_real(3.0, 2, true), 0, "+3.00", 5);
    assert_printed(value_flag(true), 0, "yes", 3);
    assert_printed(value_flag(false), 0, "", 0);
}

/* Text scales bytes and times, and keeps fractions of all else. */
TEST(scaled)
{
    static const struct {
        const char *unit;
        uint32_t decimals;
        uint64_t weight;
        const char *text;
    } rows[] = {
        {"samples", 0, 1140, "1,140"},
        {"samples", 3, 3025, "3.025"},
        {"objects", 0, 120000000000, "120,000,000,000"},
        {"bytes", 0, 0, "0"},
        {"bytes", 0, 999, "999 B"},
        {"bytes", 0, 146028888, "146.03 MB"},
        {"bytes", 0, 120000000000, "120 GB"},
        {"bytes", 3, 1500000, "1.5 kB"},
        {"bytes", 0, 9223372036854775807, "9,223.37 PB"},
        {"nanoseconds", 0, 5750000000, "5.75 s"},
        {"microseconds", 0, 30000, "30 ms"},
        {"milliseconds", 1, 15, "1.5 ms"},
        {"seconds", 0, 3600, "3,600 s"},
        {"seconds", 9, 40, "40 ns"},
    };
    struct profile *p = profile_new();

    for (size_t i = 0; i < COUNT(rows); i++) {
        profile_set_unit(p, rows[i].unit, rows[i].decimals);
        assert_printed(value_weight(p, rows[i].weight), 0, rows[i].text,
                       strlen(rows[i].text));
    }
    profile_free(p);
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

/* Shares of a tenth and of a fiftieth stand out. */
TEST(weights)
{
    static const struct {
        uint64_t part, whole;
        enum out_style style;
    } rows[] = {
        {0, 0, STYLE_DIM},      {0, 100, STYLE_DIM},    {1, 100, STYLE_PLAIN},
        {2, 100, STYLE_WARM},   {9, 100, STYLE_WARM},   {10, 100, STYLE_HOT},
        {100, 100, STYLE_HOT},  {1, 5, STYLE_HOT},      {19, 1000, STYLE_PLAIN},
        {20, 1000, STYLE_WARM}, {99, 1000, STYLE_WARM}, {1, 60, STYLE_WARM},
    };

    for (size_t i = 0; i < COUNT(rows); i++)
        ck_assert_msg(value_percent(rows[i].part, rows[i].whole).style ==
                          rows[i].style,
                      "%d of %d", (int)rows[i].part, (int)rows[i].whole);
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
