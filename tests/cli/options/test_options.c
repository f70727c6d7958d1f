#include "cli/options/options.h"

#include "engine/analysis/algebra.h"

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

TEST(options_stand_anywhere)
{
    static const char *const lines[] = {
        "top a.etl -n 3 --by module --width=80",
        "-n 3 top --by=module a.etl --width 80",
        "--by module -n3 --width 80 -- top a.etl",
    };

    for (size_t i = 0; i < COUNT(lines); i++) {
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

TEST(two_dashes_end_options)
{
    struct options o;
    struct err err;

    ck_assert_int_eq(parse(&o, "top -- -n --by", &err), ERR_NONE);
    ck_assert_uint_eq(o.arguments.len, 3);
    ck_assert_str_eq(o.arguments.data[1], "-n");
    ck_assert_uint_eq(o.given.len, 0);
    options_release(&o);
}

TEST(times_and_ids)
{
    struct options o;
    struct err err;

    ck_assert_int_eq(parse(&o, "--time 1s,2s --process 0xffffffff", &err),
                     ERR_NONE);
    ck_assert(o.report.filter.has_time && !o.report.filter.in_percent);
    ck_assert_int_eq(o.report.filter.from, 1000000000);
    ck_assert_int_eq(o.report.filter.to, 2000000000);
    ck_assert_str_eq(o.report.filter.processes.data[0], "0xffffffff");
    options_release(&o);
    ck_assert_int_eq(parse(&o, "--time 1%,2% --thread 0", &err), ERR_NONE);
    ck_assert(o.report.filter.has_time && o.report.filter.in_percent);
    ck_assert_int_eq(o.report.filter.to, 200);
    ck_assert_str_eq(o.report.filter.threads.data[0], "0");
    options_release(&o);
}

/* No more patterns of one kind than a word has bits. */
TEST(focus_has_an_end)
{
    struct options o;
    struct err err;
    char *argv[2 * (FOCUS_MOST + 1)];
    char option[] = "--focus", value[] = "f";

    for (size_t i = 0; i <= FOCUS_MOST; i++) {
        argv[2 * i] = option;
        argv[2 * i + 1] = value;
    }
    err = (struct err){0};
    ck_assert_int_eq(options_parse(&o, 2 * FOCUS_MOST, argv, &err), ERR_NONE);
    ck_assert_uint_eq(o.report.filter.focus.len, FOCUS_MOST);
    options_release(&o);
    ck_assert_int_eq(options_parse(&o, 2 * FOCUS_MOST + 2, argv, &err),
                     ERR_USAGE);
    options_release(&o);
}

TEST(what_nobody_says)
{
    struct options o;
    struct err err;

    ck_assert_int_eq(parse(&o, "top", &err), ERR_NONE);
    ck_assert_uint_eq(o.report.rows, 30);
    ck_assert_uint_eq(o.report.min, 50);
    ck_assert_uint_eq(o.report.context, 3);
    ck_assert_uint_eq(o.report.explain, 3);
    ck_assert_uint_eq(o.report.buckets, 32);
    ck_assert_int_eq(o.names, DEMANGLE_SHORT);
    ck_assert_int_eq(o.slice_ns, 10000000000);
    ck_assert_int_eq(o.max_time, 60000000000);
    ck_assert_uint_eq(o.max_memory, 1073741824);
    ck_assert(!options_given(&o, "limit"));
    options_release(&o);
    ck_assert_int_eq(parse(&o, "-n 30", &err), ERR_NONE);
    ck_assert(options_given(&o, "limit") && !options_given(&o, "width"));
    options_release(&o);
}

TEST(an_option_of_another_command_is_misplaced)
{
    struct options o;
    struct err err;

    ck_assert_int_eq(parse(&o, "top --quiet --depth 3", &err), ERR_NONE);
    ck_assert_ptr_null(options_misplaced(&o, TAKES_TREE));
    ck_assert_str_eq(options_misplaced(&o, TAKES_RANK)->name, "depth");
    options_release(&o);
}
