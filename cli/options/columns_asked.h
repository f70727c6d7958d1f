/*
 * columns_asked - whether a report has the columns that --columns names.
 */
#ifndef TOPFN_COLUMNS_ASKED_H
#define TOPFN_COLUMNS_ASKED_H

#include "report/report.h"

/* False, and says which columns there are, where one is named that is not.
 * True of a report that does not say beforehand which it has. */
bool columns_asked(const struct report *report,
                   const struct report_options *options);

#endif
