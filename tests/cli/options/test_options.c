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

TEST(every_option_is_understood)
{
    struct options o;
    struct err err;

    ck_assert_int_eq(parse(&o,
                           "--process a.exe --process b* --pid 10 "
                           "--thread worker --tid 0x10 "
                           "--module a* --include-idle",
                           &err),
                     ERR_NONE);
    ck_assert_uint_eq(o.report.filter.processes.len, 3);
    ck_assert_str_eq(o.report.filter.processes.data[0], "a.exe");
    ck_assert_str_eq(o.report.filter.processes.data[1], "b*");
    ck_assert_str_eq(o.report.filter.processes.data[2], "10");
    ck_assert_uint_eq(o.report.filter.threads.len, 2);
    ck_assert_str_eq(o.report.filter.threads.data[0], "worker");
    ck_assert_str_eq(o.report.filter.threads.data[1], "0x10");
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

static const char *only(const struct words *words)
{
    ck_assert_uint_eq(words->len, 1);
    return words->data[0];
}

TEST(every_filter_has_its_list)
{
    const struct filter *f;
    struct options o;
    struct err err;

    ck_assert_int_eq(parse(&o,
                           "--process !a --thread b --module c --leaf-module d "
                           "--mine e --fold f --focus g --ignore h",
                           &err),
                     ERR_NONE);
    f = &o.report.filter;
    ck_assert_str_eq(only(&f->processes), "!a");
    ck_assert_str_eq(only(&f->threads), "b");
    ck_assert_str_eq(only(&f->modules), "c");
    ck_assert_str_eq(only(&f->leaf_modules), "d");
    ck_assert_str_eq(only(&f->mine), "e");
    ck_assert_str_eq(only(&f->folds), "f");
    ck_assert_str_eq(only(&f->focus), "g");
    ck_assert_str_eq(only(&f->ignore), "h");
    options_release(&o);
    ck_assert_int_eq(parse(&o,
                           "--leaf i --hide j --show-from k --between l,m "
                           "--group n->o --kind kernel --kind jit "
                           "--tier tier0 --tier unknown --cpu 7,0-3",
                           &err),
                     ERR_NONE);
    f = &o.report.filter;
    ck_assert_str_eq(only(&f->leaves), "i");
    ck_assert_str_eq(only(&f->hides), "j");
    ck_assert_str_eq(only(&f->show_from), "k");
    ck_assert_str_eq(only(&f->between), "l,m");
    ck_assert_str_eq(only(&f->groups), "n->o");
    ck_assert_uint_eq(f->kinds, 1 | 1 << 4);
    ck_assert_uint_eq(f->tiers, 1 | 1 << 4);
    ck_assert_uint_eq(f->cpus.len, 2);
    ck_assert(f->cpus.data[0].from == 7 && f->cpus.data[0].to == 7);
    ck_assert(f->cpus.data[1].from == 0 && f->cpus.data[1].to == 3);
    options_release(&o);
}

TEST(times_and_ids)
{
    struct options o;
    struct err err;

    ck_assert_int_eq(parse(&o, "--time 1s,2s --pid 0xffffffff", &err),
                     ERR_NONE);
    ck_assert(o.report.filter.has_time && !o.report.filter.in_percent);
    ck_assert_int_eq(o.report.filter.from, 1000000000);
    ck_assert_int_eq(o.report.filter.to, 2000000000);
    ck_assert_str_eq(o.report.filter.processes.data[0], "0xffffffff");
    options_release(&o);
    ck_assert_int_eq(parse(&o, "--time 1%,2% --tid 0", &err), ERR_NONE);
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

TEST(values_of_queries_and_fleets)
{
    struct options o;
    struct err err;

    ck_assert_int_eq(parse(&o,
                           "--max-time 1.5s --max-memory 2M --attach a=b=c "
                           "--param n= --param m=1",
                           &err),
                     ERR_NONE);
    ck_assert_int_eq(o.max_time, 1500000000);
    ck_assert_uint_eq(o.max_memory, 2097152);
    ck_assert_str_eq(o.attached.data[0], "a=b=c");
    ck_assert_uint_eq(o.parameters.len, 2);
    options_release(&o);
    ck_assert_int_eq(parse(&o,
                           "--slice 1ns --label a=b --label host=x "
                           "--explain 7 --over commit --source-map a=b",
                           &err),
                     ERR_NONE);
    ck_assert_int_eq(o.slice_ns, 1);
    ck_assert_uint_eq(o.labels.len, 2);
    ck_assert(o.explain_is_number);
    ck_assert_uint_eq(o.report.explain, 7);
    ck_assert_str_eq(o.over, "commit");
    ck_assert_uint_eq(o.source_maps.len, 1);
    options_release(&o);
    ck_assert_int_eq(parse(&o, "--explain 7x", &err), ERR_NONE);
    ck_assert(!o.explain_is_number);
    ck_assert_uint_eq(o.report.explain, 3);
    options_release(&o);
}

static const struct {
    const char *line, *message;
} wrong[] = {
    {"top --nonsense", "unknown option --nonsense"},
    {"top -z", "unknown option -z"},
    {"top -n", "-n needs a value: N"},
    {"top -n x", "--limit: not a valid N: \"x\" (rows or functions to show; 0 = all (default 30; events: all))"},
    {"top -n -1", "--limit: not a valid N: \"-1\" (rows or functions to show; 0 = all (default 30; events: all))"},
    {"top --quiet=yes", "--quiet takes no value"},
    {"top --format xml", "--format: unknown value \"xml\" (text, json, csv, md)"},
    {"top --time 3s", "--time: not a valid FROM,TO: \"3s\" (only this range: 1.5s,2s or ,200ms or 25%,50%)"},
    {"top --pid 4294967296", "--pid: not a valid N: \"4294967296\" (the same as --process N)"},
    {"top --by=", "--by: unknown value \"\" (function, module, process, thread, file, line, address, kind, label)"},
    {"top --label day=x", "--label: not a valid KEY=VALUE: \"day=x\" (label of the recordings: version=2.1; may repeat)"},
    {"top --label a\x01=x", "--label: not a valid KEY=VALUE: \"a\x01=x\" (label of the recordings: version=2.1; may repeat)"},
};

TEST(mistakes_are_named)
{
    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct options o;
        struct err err;

        ck_assert_int_eq(parse(&o, wrong[i].line, &err), ERR_USAGE);
        ck_assert_str_eq(err.message, wrong[i].message);
        options_release(&o);
    }
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
