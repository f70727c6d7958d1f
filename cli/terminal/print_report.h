/*
 * print_report - a report goes where the options say.
 */
#ifndef TOPFN_PRINT_REPORT_H
#define TOPFN_PRINT_REPORT_H

#include "cli/options/options.h"
#include "cli/status.h"

/* Whether there is such a report in the format that is asked for; says so if
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
