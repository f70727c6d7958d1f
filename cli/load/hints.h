/*
 * hints - what to tell a person beside the report.
 */
#ifndef TOPFN_CLI_HINTS_H
#define TOPFN_CLI_HINTS_H

#include "engine/analysis/algebra.h"
#include "symbols/naming.h"

/* Why there are no rows: what the trace holds instead, and how to record
 * samples; or that the filter kept none. */
void explain_empty(const struct profile *p, const struct selection *sel);

/* Warns of words of the filter that match no process or thread of the trace,
 * with the nearest names. */
void warn_of_strangers(const struct profile *p, const struct filter *filter);

/* The same for patterns of functions and modules; also warns of slow
 * patterns. */
void warn_of_patterns(const struct profile *p,
                      const struct algebra_notes *notes);

/* Says that the pattern of an option is only part of the names of functions. */
void say_part(const char *option, const char *text, size_t functions);

/* Appends a word that can be pasted into a shell. */
void out_shell_word(struct out *out, const char *text);

/* Tells what would name the modules with most samples without a name, a line
 * each. `file` is the trace's name on the command line; `online`: servers were
 * asked. (missing_names.c) */
void hint_missing_names(const struct profile *p, const struct selection *sel,
                        const struct naming_log *log, const char *file,
                        bool online);

/* Says that no sampled function has this name, with the nearest names. */
void say_unknown_function(const struct profile *p, const struct selection *sel,
                          const char *name);

/* The commands that a person who has seen the ranking may want next. */
void hint_next(const struct profile *p, const struct selection *sel,
               const char *file, bool online);

#endif
