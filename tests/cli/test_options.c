#include "cli/options.h"

#include <string.h>

#include "cli/values.h"
#include "tests/support/suite.h"

enum { ARGUMENTS_MAX = 24 };

/* Splits at blanks. */
static enum err_code parse(struct options *o, const char *line, struct err *err)
{
    static char text[256];
    char *argv[ARGUMENTS_MAX];
    int argc = 0;

    snprintf(text, sizeof(text), "%s", line);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    *err = (struct err){0};
    return options_parse(o, argc, argv, err);
}

START_TEST(options_stand_anywhere)
{
    static const char *const lines[] = {
        "top a.etl -n 3 --by module --width=80",
        "-n 3 top --by=module a.etl --width 80",
        "--by module -n3 --width 80 -- top a.etl",
    };

    for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
        struct options o;
        struct err err;

        ck_assert_int_eq(parse(&o, lines[i], &err), ERR_NONE);
        ck_assert_uint_eq(o.report.rows, 3);
        ck_assert_int_eq(o.report.by, RANK_MODULE);
        ck_assert_uint_eq(o.report.width, 80);
        ck_assert_uint_eq(o.arguments.len, 2);
        ck_assert_str_eq(o.arguments.data[0], "top");
        ck_assert_str_eq(o.arguments.data[1], "a.etl");
        ck_assert(o.command_allowed == (i < 2));
        options_release(&o);
    }
}
END_TEST

START_TEST(two_dashes_end_options)
{
    struct options o;
    struct err err;

    ck_assert_int_eq(parse(&o, "top -- -n --by", &err), ERR_NONE);
    ck_assert_uint_eq(o.arguments.len, 3);
    ck_assert_str_eq(o.arguments.data[1], "-n");
    ck_assert_uint_eq(o.given.len, 0);
    options_release(&o);
}
END_TEST

START_TEST(every_option_is_understood)
{
    struct options o;
    struct err err;

    ck_assert_int_eq(parse(&o,
                           "--process a.exe --process b* --pid 10 "
                           "--thread worker --tid 0x10 "
                           "--module a* --include-idle",
                           &err),
                     ERR_NONE);
    ck_assert_uint_eq(o.report.filter.processes.len, 2);
    ck_assert_str_eq(o.report.filter.processes.data[0], "a.exe");
    ck_assert_str_eq(o.report.filter.processes.data[1], "b*");
    ck_assert_uint_eq(o.report.filter.threads.len, 1);
    ck_assert_str_eq(o.report.filter.threads.data[0], "worker");
    ck_assert(o.report.filter.has_pid && o.report.filter.pid == 10);
    ck_assert(o.report.filter.has_tid && o.report.filter.tid == 16);
    ck_assert_str_eq(o.report.filter.modules.data[0], "a*");
    ck_assert(o.report.filter.include_idle);
    options_release(&o);
    ck_assert_int_eq(parse(&o,
                           "--format json -o x --quiet --strict --threads 8 "
                           "--depth 4 --min 1.25 --bottom-up",
                           &err),
                     ERR_NONE);
    ck_assert_int_eq(o.report.format, FORMAT_JSON);
    ck_assert_str_eq(o.output, "x");
    ck_assert(o.quiet && o.strict && o.report.bottom_up);
    ck_assert_uint_eq(o.threads, 8);
    ck_assert_uint_eq(o.report.depth, 4);
    ck_assert_uint_eq(o.report.min, 125);
    options_release(&o);
}
END_TEST

static const struct {
    const char *line, *message;
} wrong[] = {
    {"top --nonsense", "unknown option --nonsense"},
    {"top -z", "unknown option -z"},
    {"top -n", "-n needs a value: N"},
    {"top -n x", "--limit: not a valid N: \"x\""},
    {"top -n -1", "--limit: not a valid N: \"-1\""},
    {"top --quiet=yes", "--quiet takes no value"},
    {"top --format xml", "--format: not a valid FORMAT: \"xml\""},
    {"top --time 3s", "--time: not a valid FROM,TO: \"3s\""},
    {"top --pid 4294967296", "--pid: not a valid N: \"4294967296\""},
    {"top --by=", "--by: not a valid WHAT: \"\""},
};

START_TEST(mistakes_are_named)
{
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        struct options o;
        struct err err;

        ck_assert_int_eq(parse(&o, wrong[i].line, &err), ERR_USAGE);
        ck_assert_str_eq(err.message, wrong[i].message);
        options_release(&o);
    }
}
END_TEST

START_TEST(an_option_of_another_command_is_misplaced)
{
    const char *preset = "";
    struct options o;
    struct err err;

    ck_assert_int_eq(parse(&o, "top --quiet --depth 3", &err), ERR_NONE);
    ck_assert_ptr_null(options_misplaced(&o, TAKES_TREE, &preset));
    ck_assert_str_eq(options_misplaced(&o, TAKES_RANK, &preset)->name, "depth");
    ck_assert_ptr_null(preset);
    options_release(&o);
}
END_TEST

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
    {"1,1", true, 1000000000, 1000000000},
    {"2,1", false, 0, 0},
    {"1s", false, 0, 0},
    {"1 s,2", false, 0, 0},
    {"1m,2", false, 0, 0},
    {"-1,2", false, 0, 0},
    {"1..5,2", false, 0, 0},
    {".,2", false, 0, 0},
    {"1,2,3", false, 0, 0},
    {"99999999999,", false, 0, 0},
    {"1e3,", false, 0, 0},
};

START_TEST(time_ranges)
{
    for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
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
END_TEST

static const struct {
    const char *text;
    bool valid;
    uint32_t hundredths;
} percents[] = {
    {"0", true, 0},       {"0.5", true, 50},    {"2%", true, 200},
    {"100", true, 10000}, {"100.01", false, 0}, {"", false, 0},
    {"x", false, 0},      {"1%%", false, 0},    {"-1", false, 0},
};

/* Decimal or hexadecimal, of every digit; as large as is allowed. */
START_TEST(numbers)
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
        {"0x", UINT64_MAX, false, 0},
        {"1a", UINT64_MAX, false, 0},
        {"-1", UINT64_MAX, false, 0},
        {"", UINT64_MAX, false, 0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        uint64_t value = 0;
        bool good = parse_number(rows[i].text, rows[i].most, &value);

        ck_assert_msg(good == rows[i].good && (!good || value == rows[i].value),
                      "%s", rows[i].text);
    }
}
END_TEST

START_TEST(percentages)
{
    for (size_t i = 0; i < sizeof(percents) / sizeof(*percents); i++) {
        uint32_t value;

        ck_assert_msg(parse_percent(percents[i].text, &value) ==
                          percents[i].valid,
                      "%s", percents[i].text);
        if (percents[i].valid)
            ck_assert_uint_eq(value, percents[i].hundredths);
    }
}
END_TEST

int main(void)
{
    return suite_run("options", options_stand_anywhere, two_dashes_end_options,
                     every_option_is_understood, mistakes_are_named,
                     an_option_of_another_command_is_misplaced, time_ranges,
                     numbers, percentages);
}
