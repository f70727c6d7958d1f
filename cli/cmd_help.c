#include <string.h>

#include "cli/command.h"
#include "cli/say.h"

static void print_commands(struct out *out)
{
    for (const struct command *c = commands; c->name; c++) {
        out_str(out, "  ");
        out_cell(out, c->name, 10, true);
        out_cell(out, c->arguments, 18, true);
        out_str(out, command_help(c));
        out_char(out, '\n');
    }
}

void print_usage(const struct command *command, struct out *out)
{
    if (!command) {
        out_str(out, "Which functions a CPU sampling profile found hot.\n\n"
                     "topfn FILE... is topfn top FILE...; several files are "
                     "one profile.\n\nCommands:\n");
        print_commands(out);
        out_str(out, "\nOptions of every command (topfn help COMMAND shows "
                     "the rest):\n");
        options_help(0, out);
        return;
    }
    out_fmt(out, "topfn %s %s", command->name, command->arguments);
    out_fmt(out, " - %s\n\n", command_help(command));
    options_help(command->takes, out);
}

enum status cmd_help(const struct command *command, const struct options *o,
                     const char *const *names, size_t count)
{
    const struct command *about = count ? command_find(names[0]) : NULL;
    struct out *out;
    struct err err = {0};

    (void)command;
    (void)o;
    if (count && !about) {
        say("no command \"%s\"; topfn help lists them", names[0]);
        return STATUS_USAGE;
    }
    out = out_stream(stdout);
    print_usage(about, out);
    if (out_close(out, &err))
        return STATUS_OK;
    say("%s", err.message);
    return STATUS_CANNOT_WRITE;
}
