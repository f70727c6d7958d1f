/*
 * algebra_impl - what the steps of the algebra share.
 */
#ifndef TOPFN_ALGEBRA_IMPL_H
#define TOPFN_ALGEBRA_IMPL_H

#include "engine/analysis/algebra.h"
#include "engine/analysis/match.h"
#include "engine/model/profile.h"

/* Frees the pattern and adds warnings about it to `notes`. */
void name_pattern_end(struct name_pattern *n, const char *option,
                      const char *text, struct algebra_notes *notes);

/* By function: bit I (at most 63) is that it matches pattern I. To be freed.
 * Notes say which patterns match nothing, and which only part of a name. */
uint64_t *functions_meant(const struct profile *p, const struct words *words,
                          const char *option, struct algebra_notes *notes);

/*
 * algebra_groups - the first step: what functions are called together.
 *
 *     struct groups groups = groups_find(p, &filter, notes);
 *     groups.group[f], groups.becomes[f]
 *     groups_release(&groups);
 *
 * A rule is "PATTERN->NAME", "PATTERN=>NAME" or a name:
 *
 *     modules       each module is a group: "*!*->$1"
 *     kernel        code of the kernel: "[kernel]"
 *     runtime       code of .NET's, Java's and JavaScript's machines:
 *                   "[runtime]"
 *     namespaces:N  the first N parts of a name, but the last: with 2,
 *                   System.Text.Json.Read is in "System.Text"
 *     just-my-code  all that is not one's own is by its ways in: what `mine`
 *                   does not match; without it, what belongs to the system,
 *                   to a runtime, to a package (algebra_groups.c)
 *
 * The way into a group of NAME is called "NAME <<entry>>", or without a NAME
 * as it was.
 */

struct groups {
    uint32_t *group;   /* by function; 0: in none */
    uint32_t *becomes; /* by function */
};

/* Adds the functions that stand for groups. */
struct groups groups_find(struct profile *p, const struct filter *filter,
                          struct algebra_notes *notes);
void groups_release(struct groups *groups);

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
