/*
 * output - where a report goes: stdout, or a file that appears complete.
 *
 *     struct output *output = output_open("top.json", &err);
 *     write(output_out(output));
 *     output_close(output, &err);
 *
 * A file is written under a temporary name beside it and renamed when it is
 * complete (newfile.h). Pipes, /dev/null and symbolic links are written directly. On a
 * terminal, text longer than the screen goes to a pager, as in git.
 */
#ifndef TOPFN_CLI_OUTPUT_H
#define TOPFN_CLI_OUTPUT_H

#include "cli/options/options.h"
#include "cli/terminal/terminal.h"
#include "engine/base/out.h"

struct output;

/* True if two names lead to one file. */
bool output_same_file(const char *a, const char *b);

/* True if writing to `path` (may be NULL) would overwrite one of the files
 * that are about to be read; says so. */
bool output_is_input(const char *path, const char *const *files,
                     size_t count);

/* For all outputs opened from now on; without a call a terminal is treated as
 * a file is. */
void output_dress(enum colour_choice choice);

/* Makes a file that output_open will be asked for, and for stdout (NULL or "-")
 * the pager's process: a person learns before minutes of reading whether the
 * file can be made, and a sandbox may follow. False on failure: ERR_NOT_FOUND,
 * cannot create. */
bool output_prepare(const char *path, struct err *err);
/* Removes the files that nobody asked for, and ends an unused pager. */
void outputs_forget(void);

/* For all outputs opened from now on: one that gets longer ends the program
 * with a message that names --max-output. 0: no limit. */
void output_limit(uint64_t most);

/* NULL or "-" is stdout. NULL on failure: ERR_NOT_FOUND, cannot create. */
struct output *output_open(const char *path, struct err *err);
struct out *output_out(struct output *output);

/* Frees. On failure (ERR_IO) no file is left. */
enum err_code output_close(struct output *output, struct err *err);

/*
 * print_report - a report goes where the options say.
 */

/* True if there is such a report in the format that is asked for; says so if
 * not. */
bool report_is_possible(const struct report *report,
                        const struct options *options);

/* To --output, or stdout. Says what went wrong. */
enum status print_report(const struct report *report,
                         const struct subject *subject,
                         const struct options *options);

/* The same with one of its writers, to a file. */
enum status print_to(const char *path, report_writer *write,
                     const struct subject *subject);

#endif
