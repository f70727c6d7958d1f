/*
 * choose - the functions that a person means by a name.
 *
 *     struct ranking *all = ranking_new(p, sel, RANK_FUNCTION,
 *                                       SORT_EXCLUSIVE);
 *     struct chosen chosen = choose(all, "hash_block");
 *     if (!chosen.rows.len)
 *         n = choose_nearest(all, "hash_block", nearest, 3);
 *     chosen_release(&chosen);
 *
 * A name means the functions called exactly so; if there are none, those
 * called so without their arguments; if there are none either, those that it
 * matches as a glob (* and ?, case ignored).
 */
#ifndef TOPFN_CHOOSE_H
#define TOPFN_CHOOSE_H

#include "engine/rank.h"

struct chosen {
    /* Most exclusive samples first, then most inclusive ones. */
    VEC(const struct rank_row *) rows;
};

struct chosen choose(const struct ranking *functions, const char *name);
void chosen_release(struct chosen *chosen);

/* Names that may have been meant: those that have `name` in them, hottest
 * first; if there are none, those that differ in the fewest characters. At
 * most `most`, a few; returns how many. */
size_t choose_nearest(const struct ranking *functions, const char *name,
                      const char **nearest, size_t most);

#endif
