/*
 * trace_symbols - symbols that a trace gives itself, looked up by address.
 *
 * A set belongs to a mapped file, and so to every process that maps it. Of
 * several names for one range (fork, __fork, __libc_fork) the plainest is
 * kept; of symbols that overlap the shortest is meant.
 */
#ifndef TOPFN_TRACE_SYMBOLS_H
#define TOPFN_TRACE_SYMBOLS_H

#include "engine/attribution/observations.h"
#include "engine/attribution/rangemap.h"

/* By set; a range's value is the index of its fact. Free with
 * trace_symbols_free. */
struct rangemap *trace_symbols_new(const struct observations *seen);
void trace_symbols_free(struct rangemap *sets, const struct observations *seen);

/* Sorts ranges so that of those a look-up cannot tell apart by time the
 * smallest wins. Before rangemap_build. */
void prefer_small_ranges(struct rangemap *map);

#endif
