#include <unistd.h>

#include "cli/command.h"
#include "cli/help/help_form.h"
#include "cli/help/man_page.h"
#include "cli/terminal/say.h"

/* help: the commands, or the options of one; on a terminal the page of the
 * manual. */

static void print_commands(struct out *out)
{
    struct command c;

    for (size_t i = 0; command_get(i, &c); i++) {
        out_str(out, "  ");
        out_cell(out, c.name, 10, true);
        out_cell(out, c.arguments, 18, true);
        out_str(out, c.help);
        out_char(out, '\n');
    }
}

static void print_all(struct out *out)
{
    out_str(out, "Which functions a CPU sampling profile found hot.\n\n"
                 "topfn FILE... is topfn top FILE...; several files are one "
                 "profile.\n\nCommands:\n");
    print_commands(out);
    out_str(out, "\nOptions of every command (topfn help COMMAND shows the "
                 "rest):\n");
    options_help(0, out);
}

static enum status finish(struct out *out)
{
    struct err err = {0};

    if (out_close(out, &err))
        return STATUS_OK;
    say("%s", err.message);
    return STATUS_CANNOT_WRITE;
}

enum status print_usage(const struct command *command)
{
    struct out *out = out_stream(stdout);

    if (command) {
        out_fmt(out, "topfn %s %s", command->name, command->arguments);
        out_fmt(out, " - %s\n\n", command->help);
        options_help(command->takes, out);
    } else {
        print_all(out);
    }
    return finish(out);
}

static enum status print_form(unsigned form)
{
    struct out *out = out_stream(stdout);

    help_form_write(form, out);
    return finish(out);
}

/* Of a command a pipe gets the list of options; a subject has a page only. */
static enum status explain(const char *name)
{
    struct command command;
    bool is_command = command_find(name, &command);

    if ((!is_command || isatty(STDOUT_FILENO)) && man_page_show(name))
        return STATUS_OK;
    if (is_command)
        return print_usage(&command);
    say("no command \"%s\"; topfn help lists them", name);
    return STATUS_USAGE;
}

static enum status run(const struct command *command, const struct options *o,
                       const char *const *names, size_t count)
{
    (void)command;
    if (o->help_form)
        return print_form(o->help_form);
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
