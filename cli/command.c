#include "cli/command.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/load/places.h"
#include "cli/terminal/output.h"
#include "engine/base/sandbox.h"
#include "engine/base/text.h"
#include "engine/fleet/client.h"
#include "report/export/export.h"
#include "report/report.h"
#include "report/table/columns.h"

/* The columns of a report, in the words of one of its formats. */
struct columns {
    struct column list[COLUMNS_MAX];
    struct column_set ranked[2];
    const struct column_set *sets; /* `ranked`, or the report's own */
    enum format format;
};

/* Lines of CSV have columns of their own where the report says so. */
static void columns_list(struct columns *c, const struct report *report,
                         enum rank_by by, enum format format)
{
    *c = (struct columns){.sets = report->columns, .format = format};
    if (!report->ranked_columns || (report->columns && format == FORMAT_CSV))
        return;
    c->ranked[0] = (struct column_set){c->list, columns_all(by, c->list)};
    c->sets = c->ranked;
    c->format = FORMAT_TEXT;
}

static const char *column_at(const void *columns, size_t i)
{
    const struct columns *c = columns;

    return column_sets_name(c->sets, c->format, i);
}

/* False, and says so, where --by groups what the report does not rank. */
static bool grouping_is_possible(const struct report *report,
                                 const struct options *o)
{
    const uint64_t ranks = TAKES_RANK | TAKES_TIMELINE | TAKES_DIFF;
    enum rank_by by = o->report.by;

    if (by == RANK_LABEL && (!(report->takes & TAKES_RANK) || o->report.when)) {
        say("--by label is for topfn top, without --when");
        return false;
    }
    if (report->takes & ranks || by == RANK_FUNCTION || by == RANK_VALUE)
        return true;
    say("--by %s is for topfn top, timeline and diff; %s is grouped by a field "
        "of events: --event NAME --by FIELD",
        rank_by_name((int)by), report->name);
    return false;
}

/* False, and says which columns there are, where one is named that is not.
 * True of a report that does not say beforehand which it has. */
static bool columns_asked(const struct report *report,
                          const struct report_options *o)
{
    struct columns columns;
    struct out *names;
    const char *wrong, *name;
    char word[40];
    size_t n;

    if (!o->columns || o->format == FORMAT_JSON ||
        !(report->columns || report->ranked_columns))
        return true;
    columns_list(&columns, report, o->by, o->format);
    if (column_sets_have(columns.sets, columns.format, o->columns, &wrong, &n))
        return true;
    names = out_memory();
    for (size_t i = 0; (name = column_at(&columns, i)); i++) {
        out_str(names, i ? ", " : "");
        out_str(names, name);
    }
    snprintf(word, sizeof(word), "%.*s", (int)n, wrong);
    name = text_nearest(word, column_at, &columns);
    say("no column is called \"%.*s\"%s%s%s; there are %s", (int)n, wrong,
        name ? "; did you mean " : "", name ? name : "", name ? "?" : "",
        out_text(names, NULL));
    out_close(names, NULL);
    return false;
}

static const struct {
    const char *arguments;
    command_run *run;
} kinds[] = {
    [ABOUT_PROFILE] = {"FILE...", run_on_profile},
    [ABOUT_FUNCTIONS] = {"FUNCTION FILE...", run_on_functions},
    [ABOUT_CODE] = {"FUNCTION FILE...", run_on_functions},
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

const char *command_column(const struct command *command, size_t i)
{
    struct columns columns;
    const char *name;

    columns_list(&columns, command->report, RANK_FUNCTION, FORMAT_TEXT);
    if (!columns.sets)
        columns.sets = command->columns;
    for (size_t k = 0;; k++) {
        name = column_at(&columns, k);
        if (!name || (!strchr(name, ' ') && !i--))
            return name;
    }
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
    say("%s%s; try 'topfn help'", what, detail);
    return STATUS_USAGE;
}

/* The command that writes a file with such a name. */
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

static bool has_misplaced(const struct options *o,
                          const struct command *command)
{
    const struct option *misplaced = options_misplaced(o, command->takes);

    if (misplaced && misplaced->elsewhere)
        say("topfn %s takes no --%s: %s", command->name, misplaced->name,
            misplaced->elsewhere);
    else if (misplaced) {
        /* Names the commands that take the option, if they are few. */
        enum { FEW = 4 };
        struct out *takers = out_memory();
        struct command other;
        size_t n = 0;

        for (size_t i = 0; command_get(i, &other); i++)
            if (other.takes & misplaced->use)
                out_fmt(takers, "%s%s", n++ ? ", " : "", other.name);
        if (n > FEW)
            say("topfn %s takes no --%s; topfn help %s shows what it takes",
                command->name, misplaced->name, command->name);
        else
            say("topfn %s takes no --%s; it is an option of %s", command->name,
                misplaced->name, out_text(takers, NULL));
        out_close(takers, NULL);
    }
    return misplaced;
}

/* No message may print a password, so that addresses are looked at before any
 * is printed. */
static bool has_password(const struct options *o)
{
    bool has = o->server && fleet_address_has_password(o->server);

    for (size_t i = 0; i < o->arguments.len; i++)
        has |= fleet_address_has_password(o->arguments.data[i]);
    if (has)
        say(FLEET_PASSWORD_REFUSED);
    return has;
}

static const char *command_name(const void *context, size_t i)
{
    struct command command;

    (void)context;
    return command_get(i, &command) ? command.name : NULL;
}

const char *command_nearest(const char *word)
{
    return text_nearest(word, command_name, NULL);
}

/* Help and schemas read nothing. */
static bool reads_strangers(const struct command *command)
{
    return command->takes & ~USE_HELP;
}

static enum status prepare_outputs(const struct options *o)
{
    const char *const outputs[] = {o->output, o->diff.junit, o->diff.sarif};
    struct err err = {0};

    for (size_t i = 0; i < 3 && !err.code; i++)
        if (!i || outputs[i])
            (void)output_prepare(outputs[i], &err);
    return say_output_error(&err);
}

/* Fleets and symbol servers are asked over the network, and files that symbol
 * servers send are kept. */
enum status command_enclose(const struct command *command,
                            const struct options *o)
{
    struct sandbox allowed = {
        .replaces = command->makes_database || o->output || o->diff.junit ||
                    o->diff.sarif,
        .creates = o->online || o->bundle,
        .network = o->online || command->takes & USE_PUSH,
    };
    enum status status =
        command->makes_database ? STATUS_OK : prepare_outputs(o);

    for (size_t i = 0; i < o->arguments.len; i++)
        allowed.network |= fleet_is_address(o->arguments.data[i]);
    if (!status && !o->no_sandbox)
        (void)sandbox_enter(&allowed);
    return status;
}

/* The limit of an output by default; 0: none, as nobody knows the size of the
 * input. */
static uint64_t default_output(const struct options *o, size_t first)
{
    enum { FREE = 32 << 20, RATIO = 8 };
    uint64_t size = 0;
    size_t files = 0;

    /* Patterns and names of functions are no files. */
    for (size_t i = first; i < o->arguments.len; i++) {
        struct stat st;

        if (stat(o->arguments.data[i], &st))
            continue;
        if (!S_ISREG(st.st_mode))
            return 0;
        files++;
        size += (uint64_t)st.st_size;
    }
    return files ? FREE + size * RATIO : 0;
}

static enum status run_command(struct options *o)
{
    struct command command = {.name = ""};
    enum status status = STATUS_OK;
    size_t first, count;

    if (!o->arguments.len) {
        say("no input file given; try 'topfn FILE' or 'topfn help'");
        return STATUS_USAGE;
    }
    if (has_password(o))
        return STATUS_USAGE;
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
        return usage_error(
            (command.takes & USE_LOAD || !(command.takes & USE_FLEET))
                ? "no file named after "
                : "no fleet named after ",
            command.name);
    if (!first && is_no_file(o->arguments.data[0])) {
        const char *word = o->arguments.data[0];
        const char *nearest = command_nearest(word);

        say("\"%s\" is neither a command nor a file%s%s%s", word,
            nearest ? "; did you mean '" : "", nearest ? nearest : "",
            nearest ? "'?" : "");
        return STATUS_NO_INPUT;
    }
    if (command.report && !report_is_possible(command.report, o))
        return STATUS_USAGE;
    if (command.report && !grouping_is_possible(command.report, o))
        return STATUS_USAGE;
    if (command.report && !columns_asked(command.report, &o->report))
        return STATUS_USAGE;
    symbol_places_check(o, command.takes & USE_EXPLAIN);
    if (options_given(o, "max-output"))
        output_limit(o->max_output);
    else if (strcmp(command.name, "query") != 0)
        output_limit(default_output(o, first));
    if (!command.makes_database && !command.starts_processes &&
        reads_strangers(&command))
        status = command_enclose(&command, o);
    return status ? status
                  : command.run(&command, o, o->arguments.data + first, count);
}

/* Into a pipe or a file nothing depends on a terminal. */
static void suit_terminal(struct options *o)
{
    struct terminal out = terminal_find(STDOUT_FILENO);
    bool chosen = options_given(o, "width");

    if (out.there && !o->output && !chosen)
        o->report.width = out.columns;
    if (chosen)
        say_in_width(o->report.width);
    output_dress(o->colours);
}

enum status command_main(int argc, char *const argv[])
{
    struct options o;
    struct err err = {0};
    enum status status;

    say_in_width(terminal_find(STDERR_FILENO).columns);
    if (options_parse(&o, argc - 1, argv + 1, &err)) {
        status = usage_error(err.message, "");
    } else if (o.version) {
        puts("topfn " TOPFN_VERSION);
        puts(sandbox_enter(&(struct sandbox){.network = false})
                 ? "sandbox: on (seccomp)"
                 : "sandbox: off, not possible on this system");
        status = STATUS_OK;
    } else if (o.help && !o.arguments.len) {
        status = print_usage(NULL);
    } else {
        say_quietly(o.quiet);
        suit_terminal(&o);
        status = run_command(&o);
        symbol_servers_end();
        outputs_forget();
    }
    options_release(&o);
    return status;
}
