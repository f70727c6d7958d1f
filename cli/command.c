#include "cli/command.h"

#include <string.h>
#include <unistd.h>

#include "cli/say.h"
#include "cli/symbol_places.h"

enum {
    READS = USE_LOAD | USE_SYMBOLS | USE_FILTER | USE_INLINES,
    WRITES = USE_FORMAT | USE_OUTPUT,
};

const struct command commands[] = {
    {"top", "FILE...", NULL, READS | WRITES | USE_RANK, cmd_report},
    {"tree", "FILE...", NULL, READS | WRITES | USE_TREE, cmd_report},
    {"folded", "FILE...", NULL, READS | WRITES | USE_FOLDED, cmd_report},
    {"callers", "FUNCTION FILE...",
     "who called a function, and what it called",
     READS | WRITES | USE_ABOUT, cmd_callers},
    {"list", "FUNCTION FILE...",
     "source lines of a function, with their samples",
     READS | WRITES | USE_ABOUT | USE_SOURCES | USE_CONTEXT, cmd_list},
    {"annotate", "FUNCTION FILE...",
     "instructions of a function, with their samples",
     READS | WRITES | USE_ABOUT | USE_SOURCES, cmd_annotate},
    {"info", "FILE...", NULL, READS | WRITES, cmd_report},
    {"diff", "BEFORE AFTER",
     "what changed between two profiles, and how sure that is",
     READS | WRITES | USE_DIFF, cmd_diff},
    {"gate", "BEFORE AFTER",
     "fail when a function became too slow: 0 pass, 1 fail, 2 unknown",
     READS | WRITES | USE_GATE, cmd_gate},
    {"import", "FILE...", "make a .topfn database (SQLite) of a trace",
     USE_LOAD | USE_SYMBOLS | USE_OUTPUT, cmd_import},
    {"merge", "FILE...", "join profiles as runs in one .topfn database (-o)",
     USE_LOAD | USE_SYMBOLS | USE_OUTPUT, cmd_merge},
    {"symbols", "FILE...", "which modules have names, from where, or why not",
     READS | WRITES | USE_EXPLAIN, cmd_symbols},
    {"resolve", "IMAGE [RVA...]",
     "functions, files and lines of addresses of one image",
     USE_SYMBOLS | WRITES, cmd_resolve},
    {"help", "[COMMAND]", "show commands, or the options of one", 0,
     cmd_help},
    {NULL, NULL, NULL, 0, NULL},
};

const struct command *command_find(const char *name)
{
    for (const struct command *c = commands; c->name; c++)
        if (!strcmp(c->name, name))
            return c;
    return NULL;
}

const char *command_help(const struct command *command)
{
    return command->help ? command->help : report_find(command->name)->help;
}

static enum status usage_error(const char *what, const char *detail)
{
    say("%s%s; topfn help shows what there is", what, detail);
    return STATUS_USAGE;
}

/* `topfn FILE` is `topfn top FILE`. A word that is no file was perhaps meant
 * as a command. */
static const struct command *choose(const struct options *o, size_t *first)
{
    const struct command *command = NULL;

    *first = 0;
    if (o->command_allowed)
        command = command_find(o->arguments.data[0]);
    if (command)
        *first = 1;
    return command ? command : command_find("top");
}

static enum status run_command(const struct options *o)
{
    const struct option *misplaced;
    const struct command *command;
    size_t first, count;

    if (!o->arguments.len)
        return usage_error("no trace named", "");
    command = choose(o, &first);
    count = o->arguments.len - first;
    if (o->help)
        return cmd_help(command, o, &command->name, first);
    misplaced = options_misplaced(o, command->takes);
    if (misplaced) {
        say("topfn %s takes no --%s; topfn help %s shows what it takes",
            command->name, misplaced->name, command->name);
        return STATUS_USAGE;
    }
    if (!count && command->run != cmd_help)
        return usage_error("no file named after ", command->name);
    if (!first && !strpbrk(o->arguments.data[0], "./") &&
        access(o->arguments.data[0], F_OK)) {
        say("\"%s\" is neither a command nor a file",
            o->arguments.data[0]);
        return STATUS_NO_INPUT;
    }
    return command->run(command, o, o->arguments.data + first, count);
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
        status = cmd_help(NULL, &o, NULL, 0);
    } else {
        say_quietly(o.quiet);
        status = run_command(&o);
        symbol_servers_end();
    }
    options_release(&o);
    return status;
}
