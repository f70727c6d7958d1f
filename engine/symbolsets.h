/*
 * symbolsets - symbols that a trace gives itself, looked up by address.
 *
 * A set belongs to a mapped file, and so to every process that maps it. Of
 * several names for one range (fork, __fork, __libc_fork) the plainest is
 * kept; of symbols that overlap the shortest is meant.
 */
#ifndef TOPFN_SYMBOLSETS_H
#define TOPFN_SYMBOLSETS_H

#include "engine/facts.h"
#include "engine/rangemap.h"

/* By set; a range's value is the index of its fact. Free with
 * symbolsets_free. */
struct rangemap *symbolsets_new(const struct facts *facts);
void symbolsets_free(struct rangemap *sets, const struct facts *facts);

/* Sorts ranges so that of those a look-up cannot tell apart by time the
 * smallest wins. Before rangemap_build. */
void prefer_small_ranges(struct rangemap *map);

#endif
