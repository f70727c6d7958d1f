/*
 * pattern - what a person writes to mean names.
 *
 *     struct pattern *p = pattern_new("Shop.*", &err);
 *     if (pattern_match(p, "Shop.Orders.Total")) ...
 *     pattern_free(p);
 *
 * A glob: * is any text and ? any character, the rest itself without regard to
 * ASCII case, and all of a name must match. "re:" introduces a regular
 * expression (PCRE2), which may match anywhere in a name and regards case:
 * "re:^Shop\\.", "re:(?i)total".
 *
 * A replacement can use parts of the name: $1 is the text that the first * of
 * a glob, or the first parentheses, matched. A * takes as little as will do,
 * and the last one the rest.
 *
 *     char *to = pattern_replace(p, "Shop.Orders", "part $1"); "part Orders"
 *
 * Names are untrusted: a regular expression that needs too long for one does
 * not match it, and says so. A pattern is for one thread at a time.
 */
#ifndef TOPFN_PATTERN_H
#define TOPFN_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"

struct pattern;

/* NULL, and the reason in `err` (which may be NULL), when it is none. */
struct pattern *pattern_new(const char *text, struct err *err);
void pattern_free(struct pattern *p);

bool pattern_match(struct pattern *p, const char *name);

/* `with`, where $1 to $9 are parts of the name and $$ is a dollar; to be
 * freed. NULL: the name does not match. */
char *pattern_replace(struct pattern *p, const char *name, const char *with);

/* For how many names it needed too long. */
uint32_t pattern_gave_up(const struct pattern *p);

#endif
