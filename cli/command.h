/*
 * command - what topfn can be told to do, and the table of it.
 *
 *     struct command command;
 *     if (command_find("top", &command))
 *         return command.run(&command, &options, files, count);
 *
 * Every report (report/report.h) is a command by its name; what must be read
 * for it follows from what it is about. Any other command is one file with a
 * `const struct command`, and a word in COMMANDS.
 */
#ifndef TOPFN_COMMAND_H
#define TOPFN_COMMAND_H

#include "cli/options/options.h"
#include "cli/terminal/terminal.h"

/* The commands that are not in the table of reports, as help lists them. */
#define COMMANDS(ROW)                                                          \
    ROW(import)                                                                \
    ROW(merge)                                                                 \
    ROW(push)                                                                  \
    ROW(runs)                                                                  \
    ROW(symbols)                                                               \
    ROW(schema)                                                                \
    ROW(guide)                                                                 \
    ROW(mcp)                                                                   \
    ROW(resolve)                                                               \
    ROW(events)                                                                \
    ROW(gc)                                                                    \
    ROW(query)                                                                 \
    ROW(help)

struct command;

typedef enum status command_run(const struct command *command,
                                const struct options *options,
                                const char *const *arguments, size_t count);

struct command {
    const char *name;
    const char *arguments; /* as help shows them */
    const char *help;      /* one line */
    uint64_t takes;        /* groups of options */
    command_run *run;
    const struct report *report; /* what it writes; NULL: nothing of a kind */
    const struct column_set *columns; /* where the report names none */
    bool stands_alone;                /* without arguments, too */
    bool makes_database; /* creates its output and encloses itself */
    bool starts_processes; /* which enclose themselves */
};

#define DECLARE_COMMAND(name) extern const struct command name##_command;
COMMANDS(DECLARE_COMMAND)
#undef DECLARE_COMMAND

/* The one at `i` of all, reports first. False behind the last. */
bool command_get(size_t i, struct command *command);

/* Makes the files and the pager that the options ask for, then enters the
 * sandbox: commands read strangers' bytes only after it. Not STATUS_OK: a file
 * cannot be made, which was said. */
enum status command_enclose(const struct command *command,
                            const struct options *options);

/* False: no such command. */
bool command_find(const char *name, struct command *command);

/* Column `i` of those that --columns of a command takes, NULL behind the last.
 * Completion offers them: a name with a blank, which a shell splits, is left
 * out. */
const char *command_column(const struct command *command, size_t i);

/* The command with the most similar name, or NULL. */
const char *command_nearest(const char *word);

/* Reads the command line and does what it says. */
enum status command_main(int argc, char *const argv[]);

/* Run reports, by what the reports are about. */
command_run run_on_profile, run_on_functions, run_on_sides, run_on_limits,
    run_on_series;

/* Text and Markdown of top, tree and reports about functions show the running
 * samples of threads apart from the waiting ones, unless --waits is given or
 * all of them wait. */
struct selection *select_samples(const struct report *report,
                                 const struct profile *p,
                                 const struct options *o);

/* To stdout: all commands (NULL), or one. */
enum status print_usage(const struct command *command);

#define TOPFN_VERSION "0.1.0"

#endif
