/*
 * command - the table of commands.
 *
 * A new command is one file with a run function and a row in command.c.
 */
#ifndef TOPFN_COMMAND_H
#define TOPFN_COMMAND_H

#include "cli/options.h"
#include "cli/status.h"

struct command {
    const char *name;
    const char *arguments; /* as help shows them */
    const char *help;      /* one line; NULL: the report's of this name */
    unsigned takes;        /* groups of options */
    enum status (*run)(const struct command *command,
                       const struct options *options,
                       const char *const *files, size_t count);
};

/* NULL: no such command. */
const struct command *command_find(const char *name);

const char *command_help(const struct command *command);

/* Reads the command line and does what it says. */
enum status command_main(int argc, char *const argv[]);

enum status cmd_report(const struct command *command,
                       const struct options *options,
                       const char *const *files, size_t count);
enum status cmd_import(const struct command *command,
                       const struct options *options,
                       const char *const *files, size_t count);
enum status cmd_diff(const struct command *command,
                     const struct options *options,
                     const char *const *files, size_t count);
enum status cmd_gate(const struct command *command,
                     const struct options *options,
                     const char *const *files, size_t count);
enum status cmd_merge(const struct command *command,
                      const struct options *options,
                      const char *const *files, size_t count);
enum status cmd_resolve(const struct command *command,
                        const struct options *options,
                        const char *const *arguments, size_t count);
enum status cmd_callers(const struct command *command,
                        const struct options *options,
                        const char *const *arguments, size_t count);
enum status cmd_list(const struct command *command,
                     const struct options *options,
                     const char *const *arguments, size_t count);
enum status cmd_annotate(const struct command *command,
                         const struct options *options,
                         const char *const *arguments, size_t count);
enum status cmd_symbols(const struct command *command,
                        const struct options *options,
                        const char *const *files, size_t count);
enum status cmd_help(const struct command *command,
                     const struct options *options,
                     const char *const *names, size_t count);

/* To stdout: all commands, or one. */
void print_usage(const struct command *command, struct out *out);

/* Ends with a row without a name. */
extern const struct command commands[];

#define TOPFN_VERSION "0.1.0"

#endif
