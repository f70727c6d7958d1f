/*
 * export_options - what `topfn export` is told, and whether it can be done.
 */
#ifndef TOPFN_EXPORT_OPTIONS_H
#define TOPFN_EXPORT_OPTIONS_H

#include "cli/options/options.h"
#include "report/export/export.h"

/* The format that is to be written; NULL: none, or the report is another. */
const struct export_kind *export_of(const struct report *report,
                                    const struct options *options);

/* Whether the options name a format and nothing that it does not know; says
 * so if not. True for other reports. */
bool export_is_possible(const struct report *report,
                        const struct options *options);

/* The same of what was read. */
bool can_be_exported(const struct report *report, const struct profile *p,
                     const struct options *options);

#endif
