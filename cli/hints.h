/*
 * hints - what to tell a person beside the report.
 */
#ifndef TOPFN_HINTS_H
#define TOPFN_HINTS_H

#include "engine/analysis/filter.h"

/* Why there are no rows: what the trace holds instead, and how to record
 * samples; or that the filter kept none. */
void explain_empty(const struct profile *p, const struct selection *sel);

/* Which words of the filter no process, thread or module of the trace is
 * called by, and what may have been meant. */
void warn_of_strangers(const struct profile *p, const struct filter *filter);

/* Where names are missing most. `file` is how the trace was named. */
void hint_missing_names(const struct profile *p, const struct selection *sel,
                        const char *file);

/* The commands that a person who has seen the ranking may want next. */
void hint_next(const struct profile *p, const struct selection *sel,
               const char *file, bool online);

#endif
