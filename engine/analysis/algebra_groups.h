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
 *                   to a runtime, to a package (algebra_mine.c)
 *
 * The way into a group of NAME is called "NAME <<entry>>", or without a NAME
 * as it was.
 */
#ifndef TOPFN_ALGEBRA_GROUPS_H
#define TOPFN_ALGEBRA_GROUPS_H

#include "engine/analysis/algebra.h"

struct groups {
    uint32_t *group;   /* by function; 0: in none */
    uint32_t *becomes; /* by function */
};

/* Adds the functions that stand for groups. */
struct groups groups_find(struct profile *p, const struct filter *filter,
                          struct algebra_notes *notes);
void groups_release(struct groups *groups);

/* Whether a person may write this as a rule. */
bool group_rule_is_valid(const char *text);

/* By function, whether it is one's own. To be freed. */
bool *functions_mine(const struct profile *p, const struct words *globs,
                     struct algebra_notes *notes);

/* Whether a module of this name is part of a runtime. */
bool module_is_runtime(const char *name);

#endif
