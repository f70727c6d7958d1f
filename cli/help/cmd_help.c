#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/help/help.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "engine/base/text.h"
#include "report/schemas.h"

/* help: the commands, or the options of one; on a terminal the page of the
 * manual. */

static const struct {
    const char *name;
    void (*write)(struct out *out);
} forms[] = {
    {"text", NULL},          {"bash", complete_bash},  {"zsh", complete_zsh},
    {"fish", complete_fish}, {"roff", manual_options},
};

enum { FORMS = sizeof(forms) / sizeof(*forms) };

const char *help_form_name(int form)
{
    return form < FORMS ? forms[form].name : NULL;
}

/* Commands that share a page; any other name is a page of its own. */
static const struct {
    const char *name, *page;
} shared[] = {
    {"callers", "-tree"},   {"wakers", "-tree"},
    {"folded", "-tree"},    {"annotate", "-list"},
    {"merge", "-import"},   {"resolve", "-symbols"},
    {"info", "-formats"},   {"flame", "-export"},
    {"help", ""},           {"guide", "-schema"},
    {"runs", "-push"},
};

static const char *const sections[] = {"1", "5", "7"};

static void page_name(const char *name, char *page, size_t size)
{
    for (size_t i = 0; i < sizeof(shared) / sizeof(*shared); i++) {
        if (!strcmp(shared[i].name, name)) {
            snprintf(page, size, "topfn%s", shared[i].page);
            return;
        }
    }
    snprintf(page, size, "topfn-%s", name);
}

/* The folder that holds the one the program is in. */
static bool find_home(char home[PATH_MAX])
{
    ssize_t n = readlink("/proc/self/exe", home, PATH_MAX - 1);
    char *slash;

    if (n <= 0)
        return false;
    home[n] = '\0';
    for (int i = 0; i < 2; i++) {
        slash = strrchr(home, '/');
        if (!slash)
            return false;
        *slash = '\0';
    }
    return true;
}

static bool is_there(char path[PATH_MAX], const char *home, const char *folder,
                     const char *page, const char *section, const char *end)
{
    int n = snprintf(path, PATH_MAX, "%s/%s/%s.%s%s", home, folder, page,
                     section, end);

    return n > 0 && n < PATH_MAX && !access(path, R_OK);
}

static bool find_page(const char *page, char path[PATH_MAX])
{
    char home[PATH_MAX], folder[] = "share/man/man1";

    if (!find_home(home))
        return false;
    for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++) {
        const char *section = sections[i];

        folder[sizeof(folder) - 2] = *section;
        if (is_there(path, home, "man", page, section, "") ||
            is_there(path, home, folder, page, section, "") ||
            is_there(path, home, folder, page, section, ".gz"))
            return true;
    }
    return false;
}

bool man_page_show(const char *name)
{
    char page[NAME_MAX], path[PATH_MAX], man[] = "man";
    char *arguments[] = {man, path, NULL};
    int status = 0;
    pid_t child;

    page_name(name, page, sizeof(page));
    if (strchr(name, '/') || !find_page(page, path) ||
        posix_spawnp(&child, man, NULL, NULL, arguments, environ))
        return false;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFEXITED(status) && !WEXITSTATUS(status);
}

/* Closes the output and says what is wrong with it. */
static enum status finish(struct out *out)
{
    struct err err = {0};

    out_close(out, &err);
    return say_output_error(&err);
}

/* guide: one page for those who call topfn from a program. */

static const char guide[] =
    "topfn for scripts and assistants\n"
    "\n"
    "Reads CPU sampling profiles (Windows .etl, .NET .nettrace, Linux\n"
    "perf.data, Visual Studio .vsp and .diagsession, archives of these) and\n"
    "shows which functions are hot, who calls them and what changed. Uses the\n"
    "network only with --online, and writes only to stdout or to the file of\n"
    "-o. The same input gives the same output.\n"
    "\n"
    "Ask in this order\n"
    "  topfn info FILE --format json        contents and quality\n"
    "  topfn FILE --format json -n 20       the hottest functions\n"
    "  topfn tree FILE --depth 12           the call tree\n"
    "  topfn callers NAME FILE              callers of a function\n"
    "  topfn top FILE --event blocked       where threads wait\n"
    "  topfn wakers NAME FILE               who ended the waits of a function\n"
    "  topfn list NAME FILE --source DIR    its hot lines\n"
    "  topfn timeline FILE                  phases, as --time ranges\n"
    "  topfn diff BEFORE AFTER              changes, with their certainty\n"
    "  topfn gate BEFORE AFTER --max-regression 5%\n"
    "                                       pass or fail, as exit status\n"
    "  topfn import FILE -o X.topfn         a database for many questions\n"
    "\n"
    "Filters (any command; always applied in this order)\n"
    "  --group just-my-code   show only the entries into libraries;\n"
    "         'P->NAME', modules, kernel, runtime, namespaces:2\n"
    "  --fold P, --fold 1%    count P, or rare functions, for the callers\n"
    "  --focus P, --ignore P, --leaf P      samples with, without, in P\n"
    "  --process W, --thread W, --module W  '!W' excludes\n"
    "  --kind kernel, --tier tier0, --cpu 0-3, --time 1s,2s or 25%,50%\n"
    "  --show-from P, --show-to P           trim stacks\n"
    "P is a glob of a whole name (Shop.Cart.*), the last parts of a name\n"
    "(Cart.Total), module!name, or re:REGEX. Quote it.\n"
    "\n"
    "Read the answer\n"
    "  exclusive: samples taken in the function itself. The sum of all rows\n"
    "  is trace.samples. inclusive: samples with it on their stack.\n"
    "  name is as recorded, label is the short name; both find a function.\n"
    "  \"[no symbols]\" is code without names. `topfn symbols FILE` shows\n"
    "  why; --symbols DIR or --online may help. trace.selected has the\n"
    "  filter and the samples without it. Metric thread-samples is wall\n"
    "  clock: waiting threads count too. In a diff, trust rows whose\n"
    "  verdict is slower or faster; inconclusive means that neither a\n"
    "  change nor its absence is certain.\n"
    "\n"
    "Depend on\n"
    "  --format json: the member schema has the version; members are added,\n"
    "  never renamed. topfn schema REPORT prints the JSON Schema.\n"
    "  --format csv: only the rows; --columns label,exclusive chooses.\n"
    "  -n 0: all rows. --quiet: only errors on stderr.\n"
    "  Exit status: 0 success, 1 gate failed, 2 gate inconclusive, 64 usage,\n"
    "  65 not a profile, 66 no such file, 70 a bug, 73 and 74 cannot write.\n"
    "\n"
    "topfn mcp DIR answers these questions by the Model Context Protocol: its\n"
    "tools are the commands, their arguments the options, with _ for -.\n"
    "topfn help COMMAND lists the options of a command. topfn help filters,\n"
    "formats, symbols, database and json open manual pages.\n";

static enum status guide_run(const struct command *command,
                             const struct options *o,
                             const char *const *arguments, size_t count)
{
    struct out *out;

    (void)command;
    (void)o;
    if (count) {
        say("guide takes no argument: \"%s\"", arguments[0]);
        return STATUS_USAGE;
    }
    out = out_stream(stdout);
    out_str(out, guide);
    return finish(out);
}

const struct command guide_command = {
    .name = "guide",
    .arguments = "",
    .help = "one page for scripts and assistants",
    .run = guide_run,
    .stands_alone = true,
};

/* schema: the JSON Schema of a report, or which there are. */

static const char *report_name(const void *context, size_t i)
{
    (void)context;
    return schema_name(i);
}

static enum status schema_run(const struct command *command,
                              const struct options *o, const char *const *names,
                              size_t count)
{
    struct out *out = out_stream(stdout);
    enum status status = STATUS_OK, written;

    (void)command;
    (void)o;
    if (!count) {
        const char *name;

        for (size_t i = 0; (name = schema_name(i)); i++)
            out_fmt(out, "%s\n", name);
    }
    for (size_t i = 0; i < count; i++)
        if (!schema_write(names[i], out)) {
            const char *near = text_nearest(names[i], report_name, NULL);

            say("no report \"%s\" has JSON%s%s%s; topfn schema lists them",
                names[i], near ? "; did you mean " : "", near ? near : "",
                near ? "?" : "");
            status = STATUS_USAGE;
        }
    written = finish(out);
    return written ? written : status;
}

const struct command schema_command = {
    .name = "schema",
    .arguments = "[REPORT...]",
    .help = "JSON Schema of a report; without one, a list",
    .run = schema_run,
    .stands_alone = true,
};

/* It fits a screen of 80 columns and 24 lines with the next prompt. */
static const char usage[] =
    "usage: topfn FILE...\n"
    "       topfn COMMAND [FUNCTION] FILE... [OPTIONS]\n"
    "\n"
    "Look     top                    functions, modules, ... by samples (default)\n"
    "         tree, folded, timeline call tree, stacks; functions over time\n"
    "         callers, wakers        callers of a FUNCTION; who ended its waits\n"
    "         list, annotate         source lines, instructions of a FUNCTION\n"
    "         page, flame, export    HTML page, SVG image, files for other tools\n"
    "Compare  diff, gate             two recordings; pass or fail for a build\n"
    "         series                 changes in a series of recordings\n"
    "Data     info, gc               contents, quality; garbage collections\n"
    "         events, query          raw events; SQL over samples and events\n"
    "         import, merge          database of one recording, or of many\n"
    "         schema, guide, mcp     JSON Schema; guide, server for assistants\n"
    "Code     symbols, resolve       symbol files of modules; names of addresses\n"
    "Fleet    push, runs             recordings on a ClickHouse server\n"
    "\n";
static const char *const topics[] = {"filters", "formats", "symbols",
                                     "database", "json", "ci", "fleet", NULL};

const char *topic_name(const void *context, size_t i)
{
    (void)context;
    return topics[i];
}

enum status print_usage(const struct command *command)
{
    struct err err = {0};
    struct output *output = output_open(NULL, &err);
    struct out *out = output_out(output);
    char page[NAME_MAX];

    if (command) {
        page_name(command->name, page, sizeof(page));
        out_fmt(out, "usage: topfn %s %s\n", command->name,
                command->arguments);
        out_fmt(out, "%s\n\n", command->help);
        options_help(command->takes, out);
        out_fmt(out, "\nExamples and more: man %s\n", page);
    } else {
        out_str(out, usage);
        options_help(0, out);
        out_str(out, "\ntopfn help COMMAND shows its options. Topics:\n");
        for (size_t i = 0; topics[i]; i++)
            out_fmt(out, "%s%s", i ? ", " : "", topics[i]);
        out_char(out, '\n');
    }
    output_close(output, &err);
    return say_output_error(&err);
}

/* A topic has only a page of the manual. */
static enum status explain(const char *name)
{
    struct command command;
    const char *nearest;

    if (command_find(name, &command))
        return print_usage(&command);
    if (man_page_show(name))
        return STATUS_OK;
    nearest = text_nearest(name, topic_name, NULL);
    if (!nearest)
        nearest = command_nearest(name);
    if (nearest)
        say("no command or topic \"%s\"; did you mean '%s'?", name, nearest);
    else
        say("no command or topic \"%s\"; topfn help lists them", name);
    return STATUS_USAGE;
}

static enum status run(const struct command *command, const struct options *o,
                       const char *const *names, size_t count)
{
    (void)command;
    if (o->help_form) {
        struct out *out = out_stream(stdout);

        /* All commands in such a form, but for form 0: text is for people
         * (print_usage). */
        forms[o->help_form].write(out);
        return finish(out);
    }
    return count ? explain(names[0]) : print_usage(NULL);
}

const struct command help_command = {
    .name = "help",
    .arguments = "[COMMAND]",
    .help = "show commands, or the options of one",
    .takes = USE_HELP,
    .run = run,
    .stands_alone = true,
};
