#include "cli/options.h"

#include <string.h>

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

int main(void)
{
    return suite_run("options", options_stand_anywhere, two_dashes_end_options,
                     every_option_is_understood, mistakes_are_named,
                     an_option_of_another_command_is_misplaced);
}
