/*
 * diff_names - names of functions as two builds would both write them.
 *
 *     const char *key = diff_clean("work.part.3", DIFF_SUFFIX, &arena);
 *
 * A rule leaves out what a compiler or a runtime adds to a name, and what
 * changes from build to build. Rules build on each other: cleaning by one
 * means cleaning by all before it, from the most to the least certain.
 */
#ifndef TOPFN_DIFF_NAMES_H
#define TOPFN_DIFF_NAMES_H

#include "engine/base/arena.h"

enum diff_rule {
    DIFF_EXACT,
    DIFF_RENAME,   /* --rename OLD=NEW */
    DIFF_ADDRESS,  /* unnamed on one side: its address in the same build */
    DIFF_SPELLING, /* class System.String is string, value class valuetype */
    DIFF_SUFFIX,   /* .isra.0 .part.1 .cold .constprop.2 .llvm.3 */
    DIFF_TIER,     /* [Tier0] [OptimizedTier1] [PreJIT] */
    DIFF_MODULE,   /* the same name in another module */
    DIFF_HASH,     /* ::h0123456789abcdef */
    DIFF_LAMBDA,   /* numbers of lambdas, closures, local functions */
    DIFF_TEMPLATE, /* vector<int>::push_back is vector<>::push_back */
    DIFF_POSITION, /* unnamed code: module, caller and callee */
    DIFF_NAMELESS, /* none: its module has names on one side only */
    DIFF_RULES     /* how many */
};

/* "exact", "template arguments", ... */
const char *diff_rule_name(enum diff_rule rule);

/* The name by this rule and those before it; the arena's. */
char *diff_clean(const char *name, enum diff_rule rule, struct arena *arena);

#endif
