/*
 * algebra_stacks - stacks with frames called otherwise, or left out.
 *
 *     uint32_t *places = stacks_rewrite(p, &how);
 *     now = places[before];
 *
 * Every distinct stack is looked at once, callers first: what becomes of it
 * follows from what became of its caller's and from its own location. New
 * locations have the address of those whose frames they show.
 */
#ifndef TOPFN_ALGEBRA_STACKS_H
#define TOPFN_ALGEBRA_STACKS_H

#include "engine/model/profile.h"

enum rewrite_kind {
    /* Frames of one group that follow one another are the outermost of them,
     * called as `becomes` says. */
    REWRITE_GROUP,
    REWRITE_LEAVE_OUT, /* frames of any group */
    REWRITE_FROM,      /* stacks begin at the outermost frame of a group */
    REWRITE_TO,        /* and end there */
};

struct rewrite {
    enum rewrite_kind kind;
    const uint32_t *group;   /* by function; 0: none */
    const uint32_t *becomes; /* by function */
    uint32_t nothing; /* function that stands for a stack of which nothing is
                         left */
};

/* By stack before, the stack now; NO_ID where stacks begin or end at a frame
 * that it does not have. To be freed. */
uint32_t *stacks_rewrite(struct profile *p, const struct rewrite *how);

#endif
