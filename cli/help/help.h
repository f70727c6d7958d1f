/*
 * help_form - what `topfn help --as FORM` writes for other programs to read.
 *
 * Completion knows the commands, the options that each takes, and the values
 * of options that have a fixed set of them; where a file is meant, files are
 * offered. The files in cli/completion/ and the options in the pages of man/
 * are what these wrote (`make generated`).
 */
#ifndef TOPFN_CLI_HELP_H
#define TOPFN_CLI_HELP_H

#include <stdbool.h>

#include "engine/base/out.h"

/* The word of --as; NULL behind the last. */
const char *help_form_name(int form);

/* The topics that have a page of the manual; NULL behind the last. */
const char *topic_name(const void *context, size_t i);

void complete_bash(struct out *out);
void complete_zsh(struct out *out);
void complete_fish(struct out *out);

/* For man: the options of every command that it has for itself, and those
 * that commands share, each part between a comment that names it and one that
 * ends it. */
void manual_options(struct out *out);

/*
 * man_page - the pages of the manual, opened by the system's `man`.
 *
 *     if (isatty(STDOUT_FILENO) && man_page_show("tree"))
 *         return STATUS_OK;
 *
 * A page lies where the program was installed or built: in share/man beside
 * bin, or in man beside build. Some pages are about several commands.
 */

/* The page of a command, or of a subject: "formats". False: there is no such
 * page, or no `man` that shows it, and nothing was printed. */
bool man_page_show(const char *name);

#endif
