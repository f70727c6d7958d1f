#include "cli/command.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "cli/load/symbol_places.h"
#include "cli/options/columns_asked.h"
#include "cli/terminal/output.h"
#include "cli/terminal/print_report.h"
#include "cli/terminal/say.h"
#include "engine/base/text.h"
#include "report/export/export.h"

static const struct {
    const char *arguments;
    command_run *run;
} kinds[] = {
    [ABOUT_PROFILE] = {"FILE...", run_on_profile},
    [ABOUT_FUNCTIONS] = {"FUNCTION FILE...", run_on_functions},
    [ABOUT_CODE] = {"FUNCTION FILE...", run_on_code},
    [ABOUT_CHANGES] = {"BEFORE AFTER", run_on_sides},
    [ABOUT_LIMITS] = {"BEFORE AFTER", run_on_limits},
    [ABOUT_SERIES] = {"FILE...", run_on_series},
};

static const struct command *const others[] = {
#define ROW(name) &name##_command,
    COMMANDS(ROW)
#undef ROW
        NULL,
};

static struct command command_of(const struct report *r)
{
    return (struct command){
        .name = r->name,
        .arguments = kinds[r->about].arguments,
        .help = r->help,
        .takes = USE_READING | USE_WRITING | r->takes,
        .run = kinds[r->about].run,
        .report = r,
    };
}

bool command_get(size_t i, struct command *command)
{
    size_t n = 0;

    for (; reports[n]; n++) {
        if (n == i) {
            *command = command_of(reports[n]);
            return true;
        }
    }
    for (size_t k = 0; others[k]; k++) {
        if (n + k == i) {
            *command = *others[k];
            return true;
        }
    }
    return false;
}

bool command_find(const char *name, struct command *command)
{
    for (size_t i = 0; command_get(i, command); i++)
        if (!strcmp(command->name, name))
            return true;
    return false;
}

static enum status usage_error(const char *what, const char *detail)
{
    say("%s%s; topfn help shows what there is", what, detail);
    return STATUS_USAGE;
}

/* What makes a file that is called so. */
static const char *command_for(const char *output)
{
    if (!output)
        return "top";
    if (text_ends(output, ".html"))
        return "page";
    if (text_ends(output, ".svg"))
        return "flame";
    return export_kind_of_file(output) ? "export" : "top";
}

/* `topfn FILE` is `topfn top FILE`, or what makes the output it names. A word
 * that is no file was perhaps meant as a command. */
static size_t choose(const struct options *o, struct command *command)
{
    if (o->command_allowed && command_find(o->arguments.data[0], command))
        return 1;
    command_find(command_for(o->output), command);
    return 0;
}

/* "-" is what comes through a pipe. */
static bool is_no_file(const char *word)
{
    return strcmp(word, "-") && !strpbrk(word, "./") && access(word, F_OK);
}

static bool reads_files(const struct command *command)
{
    return command->takes & USE_LOAD || !(command->takes & USE_FLEET);
}

static bool has_misplaced(const struct options *o,
                          const struct command *command)
{
    const struct option *misplaced = options_misplaced(o, command->takes);

    if (misplaced && misplaced->elsewhere)
        say("topfn %s takes no --%s: %s", command->name, misplaced->name,
            misplaced->elsewhere);
    else if (misplaced)
        say("topfn %s takes no --%s; topfn help %s shows what it takes",
            command->name, misplaced->name, command->name);
    return misplaced;
}

static enum status run_command(struct options *o)
{
    struct command command = {.name = ""};
    size_t first, count;

    if (!o->arguments.len)
        return usage_error("no trace named", "");
    first = choose(o, &command);
    assert(command.run);
    count = o->arguments.len - first;
    if (o->help)
        return print_usage(first ? &command : NULL);
    if (has_misplaced(o, &command))
        return STATUS_USAGE;
    if (!o->to)
        o->report.export = export_kind_of_file(o->output);
    if (!count && !command.stands_alone)
        return usage_error(reads_files(&command) ? "no file named after "
                                                 : "no fleet named after ",
                           command.name);
    if (!first && is_no_file(o->arguments.data[0])) {
        say("\"%s\" is neither a command nor a file",
            o->arguments.data[0]);
        return STATUS_NO_INPUT;
    }
    if (command.report && !report_is_possible(command.report, o))
        return STATUS_USAGE;
    if (command.report && !columns_asked(command.report, &o->report))
        return STATUS_USAGE;
    symbol_places_check(o);
    return command.run(&command, o, o->arguments.data + first, count);
}

/* Into a pipe or a file nothing depends on a terminal. */
static void suit_terminal(struct options *o)
{
    struct terminal terminal = terminal_find();

    if (terminal.there && !o->output && !options_given(o, "width"))
        o->report.width = terminal.columns;
    output_dress(o->colours, !o->no_pager);
}

enum status command_main(int argc, char *const argv[])
{
    struct options o;
    struct err err = {0};
    enum status status;

    if (options_parse(&o, argc - 1, argv + 1, &err)) {
        status = usage_error(err.message, "");
    } else if (o.version) {
        puts("topfn " TOPFN_VERSION);
        status = STATUS_OK;
    } else if (o.help && !o.arguments.len) {
        status = print_usage(NULL);
    } else {
        say_quietly(o.quiet);
        suit_terminal(&o);
        status = run_command(&o);
        symbol_servers_end();
    }
    options_release(&o);
    return status;
}
