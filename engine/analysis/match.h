/*
 * match - the functions that a person means by a name.
 *
 *     struct ranking *chosen = match_labels(p, sel, "hash_block", 0);
 *     if (!chosen)
 *         n = match_nearest(p, all, "hash_block", nearest, 3);
 */
#ifndef TOPFN_MATCH_H
#define TOPFN_MATCH_H

#include "engine/analysis/rank.h"

/* Length of a name without its arguments. */
size_t match_bare_length(const char *name);

/* True if `wanted` may mean `name`: that has it in it, case
 * ignored, or matches it as a glob if that has * or ?. */
bool match_name(const char *wanted, const char *name);

/* By which rules a name means another, the strictest first: it is exactly so,
 * is so without arguments, or may be meant. */
enum { MATCH_RULES = 3 };

/* The functions that `name` may mean, for those who list what there is: those
 * whose label (labels.h) or recorded name is exactly so; else those called so
 * without their arguments; else those that have it in either, case ignored,
 * or match it as a glob if it has * or ?. An empty name means none. Those that
 * were sampled, ranked as by ranking_of (rank.h) with this limit; NULL: none
 * was. */
struct ranking *match_labels(const struct profile *p,
                             const struct selection *sel, const char *name,
                             size_t limit);

/* Labels that may have been meant, which live as long as the profile's: those
 * that have `name` in them, hottest first; if there are none, those that differ
 * in the fewest characters. Without a profile, names instead of labels. At most
 * `most`, a few; returns how many. */
size_t match_nearest(const struct profile *p, const struct ranking *functions,
                     const char *name, const char **nearest, size_t most);

#endif
