/*
 * match - the functions that a person means by a name.
 *
 *     struct ranking *all = ranking_new(p, sel, RANK_FUNCTION,
 *                                       SORT_EXCLUSIVE);
 *     struct matches chosen = match_functions(all, "hash_block");
 *     if (!chosen.rows.len)
 *         n = match_nearest(all, "hash_block", nearest, 3);
 *     matches_release(&chosen);
 *
 * A name means the functions called exactly so; if there are none, those
 * called so without their arguments; if there are none either, those that it
 * matches as a glob (* and ?, case ignored).
 */
#ifndef TOPFN_MATCH_H
#define TOPFN_MATCH_H

#include "engine/analysis/rank.h"

struct matches {
    /* Most exclusive samples first, then most inclusive ones. */
    VEC(const struct rank_row *) rows;
};

/* Length of a name without its arguments. */
size_t match_bare_length(const char *name);

struct matches match_functions(const struct ranking *functions,
                               const char *name);
void matches_release(struct matches *chosen);

/* Whether `name` is one that `wanted` may mean: it has it in it, case
 * ignored, or matches it as a glob if that has * or ?. */
bool match_name(const char *wanted, const char *name);

/* By which rules a name means another, the strictest first: it is exactly so,
 * is so without arguments, or may be meant. */
enum { MATCH_RULES = 3 };
bool match_rule(size_t rule, const char *wanted, const char *name);

/* The functions that `name` may mean, for those who list what there is: those
 * whose label (labels.h) or recorded name is exactly so; else those called so
 * without their arguments; else those that have it in either, case ignored,
 * or match it as a glob if it has * or ?. An empty name means none. Those that
 * were sampled, ranked as by ranking_of (rank.h) with this limit; NULL: none
 * was. */
struct ranking *match_labels(const struct profile *p,
                             const struct selection *sel, const char *name,
                             size_t limit);

/* Names that may have been meant: those that have `name` in them, hottest
 * first; if there are none, those that differ in the fewest characters. At
 * most `most`, a few; returns how many. */
size_t match_nearest(const struct ranking *functions, const char *name,
                     const char **nearest, size_t most);

/* The same for labels, which live as long as the profile's. */
size_t match_nearest_labels(const struct profile *p,
                            const struct ranking *functions, const char *name,
                            const char **nearest, size_t most);

#endif
