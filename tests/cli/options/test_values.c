/* What stands after an option: every form, and where each ends. */
#include "cli/options/values.h"

#include "tests/support/suite.h"

/* Decimal or hexadecimal, of every digit; as large as is allowed. */
TEST(numbers)
{
    static const struct {
        const char *text;
        uint64_t most;
        bool good;
        uint64_t value;
    } rows[] = {
        {"0", 9, true, 0},
        {"1234567890", UINT64_MAX, true, 1234567890},
        {"0x0123456789abcdef", UINT64_MAX, true, 0x0123456789abcdef},
        {"0XABCDEF", UINT64_MAX, true, 0xabcdef},
        {"18446744073709551615", UINT64_MAX, true, UINT64_MAX},
        {"18446744073709551616", UINT64_MAX, false, 0},
        {"0x10000000000000000", UINT64_MAX, false, 0},
        {"9", 9, true, 9},
        {"10", 9, false, 0},
        {"0xg", UINT64_MAX, false, 0},
        {"0xG", UINT64_MAX, false, 0},
        {"0x", UINT64_MAX, false, 0},
        {"0y1", UINT64_MAX, false, 0},
        {"1x1", UINT64_MAX, false, 0},
        {"1a", UINT64_MAX, false, 0},
        {"1:", UINT64_MAX, false, 0},
        {"1/", UINT64_MAX, false, 0},
        {"0x@", UINT64_MAX, false, 0},
        {"0x`", UINT64_MAX, false, 0},
        {"-1", UINT64_MAX, false, 0},
        {"", UINT64_MAX, false, 0},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t value = 0;
        bool good = parse_number(rows[i].text, rows[i].most, &value);

        ck_assert_msg(good == rows[i].good && (!good || value == rows[i].value),
                      "%s", rows[i].text);
    }
}

static const struct {
    const char *text;
    bool valid;
    int64_t from, to;
} ranges[] = {
    {"1.5s,2s", true, 1500000000, 2000000000},
    {"200ms,3", true, 200000000, 3000000000},
    {"3us,", true, 3000, INT64_MAX},
    {",7ns", true, INT64_MIN, 7},
    {",", true, INT64_MIN, INT64_MAX},
    {"0,0.0000000019", true, 0, 1},
    {"1.234567891ms,1.987654321s", true, 1234567, 1987654321},
    {"1,1", true, 1000000000, 1000000000},
    /* The largest; one more; one more by what is behind the point. */
    {"9223372036854775807ns,", true, INT64_MAX, INT64_MAX},
    {"9223372036854775808ns,", false, 0, 0},
    {"9223372036854775810ns,", false, 0, 0},
    {"92233720368547758070ns,", false, 0, 0},
    {"9223372036.854775807s,", true, INT64_MAX, INT64_MAX},
    {"9223372036.854775808s,", false, 0, 0},
    {"9223372037s,", false, 0, 0},
    {"99999999999,", false, 0, 0},
    /* A number that is too long before the comma, and just not. */
    {"000000000000000000000000000000000000001,", true, 1000000000, INT64_MAX},
    {"0000000000000000000000000000000000000001,", false, 0, 0},
    {"2,1", false, 0, 0},
    {"1s", false, 0, 0},
    {"1 s,2", false, 0, 0},
    {"1m,2", false, 0, 0},
    {"-1,2", false, 0, 0},
    {"1..5,2", false, 0, 0},
    {".,2", false, 0, 0},
    {"1,2,3", false, 0, 0},
    {"1e3,", false, 0, 0},
};

TEST(time_ranges)
{
    for (size_t i = 0; i < COUNT(ranges); i++) {
        int64_t from, to;

        ck_assert_msg(parse_time_range(ranges[i].text, &from, &to) ==
                          ranges[i].valid,
                      "%s", ranges[i].text);
        if (!ranges[i].valid)
            continue;
        ck_assert_int_eq(from, ranges[i].from);
        ck_assert_int_eq(to, ranges[i].to);
    }
}

static const struct {
    const char *text;
    bool valid;
    int64_t from, to;
} percent_ranges[] = {
    {"25%,50%", true, 2500, 5000},
    {"0.5%,", true, 50, INT64_MAX},
    {",100%", true, INT64_MIN, 10000},
    {",100.01%", false, 0, 0},
    {"25,50%", false, 0, 0},
    {"25%,50", false, 0, 0},
    {"25%%,50%", false, 0, 0},
    {"%,50%", false, 0, 0},
    {"50%,25%", false, 0, 0},
    {"25%", false, 0, 0},
    {"1,2", false, 0, 0},
    {",", false, 0, 0},
};

TEST(ranges_of_percent)
{
    for (size_t i = 0; i < COUNT(percent_ranges);
         i++) {
        int64_t from, to;

        ck_assert_msg(parse_percent_range(percent_ranges[i].text, &from, &to) ==
                          percent_ranges[i].valid,
                      "%s", percent_ranges[i].text);
        if (!percent_ranges[i].valid)
            continue;
        ck_assert_int_eq(from, percent_ranges[i].from);
        ck_assert_int_eq(to, percent_ranges[i].to);
    }
}

static const struct {
    const char *text;
    bool valid;
    uint32_t hundredths;
} percents[] = {
    {"0", true, 0},       {"0.5", true, 50},    {"2%", true, 200},
    {"100", true, 10000}, {"100.01", false, 0}, {"", false, 0},
    {"x", false, 0},      {"1%%", false, 0},    {"-1", false, 0},
    {"1.239", true, 123}, {"%", false, 0},      {"1 %", false, 0},
};

TEST(percentages)
{
    for (size_t i = 0; i < COUNT(percents); i++) {
        uint32_t value;

        ck_assert_msg(parse_percent(percents[i].text, &value) ==
                          percents[i].valid,
                      "%s", percents[i].text);
        if (percents[i].valid)
            ck_assert_uint_eq(value, percents[i].hundredths);
    }
}

/* 1,793,000,000 is 2026-10-26. */
TEST(since)
{
    static const struct {
        const char *text;
        bool valid;
        int64_t since;
    } rows[] = {
        {"7d", true, 1793000000 - 7 * 86400},
        {"12h", true, 1793000000 - 12 * 3600},
        {"30m", true, 1793000000 - 30 * 60},
        {"0d", true, 1793000000},
        {"1793000000m", true, 0}, /* before there was time */
        {"99999999999999999d", false, 0},
        {"1970-01-01", true, 0},
        {"1970-01-02", true, 86400},
        {"2026-11-01", true, 1793491200},
        {"1969-12-31", false, 0},
        {"2026-11-01x", false, 0},
        {"2026-13-01", false, 0},
        {"7dd", false, 0},
        {"7", false, 0},
        {"7s", false, 0},
        {"d", false, 0},
        {"", false, 0},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        int64_t at = -1;
        bool valid = parse_since(rows[i].text, 1793000000, &at);

        ck_assert_msg(valid == rows[i].valid, "%s", rows[i].text);
        if (valid)
            ck_assert_int_eq(at, rows[i].since);
    }
}

TEST(sizes)
{
    static const struct {
        const char *text;
        bool valid;
        uint64_t bytes;
    } rows[] = {
        {"0", true, 0},
        {"512", true, 512},
        {"3K", true, 3072},
        {"1.5K", true, 1534}, /* a tenth of the unit has no fraction */
        {"2M", true, 2097152},
        {"1G", true, 1073741824},
        {"1T", true, 1099511627776},
        {"8388607T", true, 8388607ull << 40},
        {"8388608T", false, 0},
        {"1P", false, 0},
        {"1k", false, 0},
        {"1KB", false, 0},
        {"K", false, 0},
        {".5K", false, 0},
        {"1.5.5K", false, 0},
        {"", false, 0},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t bytes = 1;
        bool valid = parse_size(rows[i].text, &bytes);

        ck_assert_msg(valid == rows[i].valid, "%s", rows[i].text);
        if (valid)
            ck_assert_uint_eq(bytes, rows[i].bytes);
    }
}

/* Processors: the first range of a list, and what is left of it. */
TEST(spans)
{
    static const struct {
        const char *text, *rest; /* NULL: not valid */
        uint16_t from, to;
    } rows[] = {
        {"0", "", 0, 0},
        {"2-5", "", 2, 5},
        {"3-3", "", 3, 3},
        {"0,2-5", "2-5", 0, 0},
        {"7-12,1", "1", 7, 12},
        {"65535", "", 65535, 65535},
        {"0-65535", "", 0, 65535},
        {"65536", NULL, 0, 0},
        {"0-65536", NULL, 0, 0},
        {"4294967296", NULL, 0, 0},
        {"5-2", NULL, 0, 0},
        {"1,", NULL, 0, 0},
        {"1-", NULL, 0, 0},
        {"-1", NULL, 0, 0},
        {"1x", NULL, 0, 0},
        {"1-2-3", NULL, 0, 0},
        {"1:", NULL, 0, 0},
        {",1", NULL, 0, 0},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *at = rows[i].text;
        uint16_t from, to;
        bool valid = parse_span(&at, &from, &to);

        ck_assert_msg(valid == (rows[i].rest != NULL), "%s", rows[i].text);
        if (!valid)
            continue;
        ck_assert_str_eq(at, rows[i].rest);
        ck_assert_uint_eq(from, rows[i].from);
        ck_assert_uint_eq(to, rows[i].to);
    }
}
