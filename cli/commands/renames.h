/*
 * renames - what --rename calls by names of reports, by names in full.
 */
#ifndef TOPFN_RENAMES_H
#define TOPFN_RENAMES_H

#include "cli/commands/compare.h"

/* Says which of them are on neither side; those are left as they are. The
 * result is the comparison's. */
void renames_in_full(struct compared *c, const struct options *o);

#endif
