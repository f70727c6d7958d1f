/*
 * diff_pair - which function of one build is which function of another.
 *
 *     struct diff_pairs *pairs = diff_pairs_new(inputs, n, renames, count, 0);
 *     uint32_t unit = pairs->unit_of[input][function];
 *     puts(pairs->names.data[unit].name);
 *     diff_pairs_free(pairs);
 *
 * Every distinct (name, module) of all inputs is a name here. Names that the
 * rules of diff/pair_names.c find to be one function share a unit: the one of
 * them that is shown. Rules are tried from the most to the least certain and
 * only for names that one side lacks. If a rule leaves equally many names on
 * both sides, they are paired in order. Otherwise they all become one unit:
 * their sum can be compared, but nothing tells which of them is which.
 *
 * Unnamed code is known by its address in builds of equal identity, also
 * where the other side has a name for it; else by its place: module, and who
 * calls it and whom it calls most. Other code of a module that has names
 * on one side only cannot be paired; it is neither new nor gone. Last, a
 * function that is gone and a new one are taken for one that was renamed, if
 * enough of what is around them is the same.
 */
#ifndef TOPFN_DIFF_PAIR_H
#define TOPFN_DIFF_PAIR_H

#include "engine/analysis/filter.h"
#include "engine/base/arena.h"
#include "engine/base/threads.h"

/*
 * diff_names - names of functions as two builds would both write them.
 *
 *     const char *key = diff_clean("work.part.3", DIFF_SUFFIX, &arena);
 *
 * A rule leaves out what a compiler or a runtime adds to a name, and what
 * changes from build to build. Rules build on each other: cleaning by one
 * means cleaning by all before it, from the most to the least certain.
 */

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
    DIFF_SIMILAR,  /* another name: callers, callees, size, place */
    DIFF_NAMELESS, /* none: its module has names on one side only */
    DIFF_RULES     /* how many */
};

/* "exact", "template arguments", ... */
const char *diff_rule_name(enum diff_rule rule);

/* The name by this rule and those before it; the arena's. */
char *diff_clean(const char *name, enum diff_rule rule, struct arena *arena);

struct diff_input {
    const struct profile *p;
    const struct selection *sel;
    bool after; /* else it is of the side BEFORE */
};

struct diff_rename {
    const char *from, *to; /* names of BEFORE and of AFTER, in full */
};

struct diff_name {
    const char *name, *module;
    const char *label; /* for people; no other unit of the module has it */
    uint32_t key, module_key;  /* what they are compared by */
    uint64_t weight;           /* samples at or below, with recursion */
    uint32_t unit;
    uint32_t perhaps; /* the other side's unit that it may be; or NO_ID */
    uint8_t rule; /* enum diff_rule that joined it to its unit */
    bool seen[2]; /* sampled before, after; of a unit: in any member */
    bool unnamed; /* or it stands for such code of its module */
    bool half_named; /* its module has names on one side only */
    bool in_module[2]; /* code of its module was sampled before, after */
};

struct diff_pairs {
    VEC(struct diff_name) names;
    uint32_t **unit_of; /* by input, by function; NO_ID: not sampled */
    uint64_t **samples; /* while pairing, by input, by stack: at or below */
    size_t input_count;
    uint64_t steps;       /* modules and names gone through, for tests */
    struct threads *pool; /* for all work on inputs side by side */
    struct arena arena;
    struct strings *keys;
};

/* Inputs and renames must outlive the pairs. Threads
 * as threads_new has them. */
struct diff_pairs *diff_pairs_new(const struct diff_input *inputs, size_t n,
                                  const struct diff_rename *renames,
                                  size_t rename_count, unsigned threads);
void diff_pairs_free(struct diff_pairs *pairs);

/* The inputs' numbers in an order that exchanging the sides leaves as it is:
 * what is numbered and added up in it is the same in the mirror, to the last
 * bit. To be freed. */
size_t *diff_inputs_order(const struct diff_input *inputs, size_t n);

/* For the rules' own files. Makes two units one, whose rule is the less
 * certain of the two. */
void diff_pairs_join(struct diff_pairs *pairs, uint32_t a, uint32_t b,
                     enum diff_rule rule);
uint32_t diff_pairs_unit(const struct diff_pairs *pairs, uint32_t name);
/* True if a module has another name on the other side, as app-1 and app-2. */
static inline bool diff_is_other_module(const struct diff_name *before,
                                        const struct diff_name *after)
{
    return !before->in_module[1] && !after->in_module[0];
}

bool diff_pairs_one_sided(const struct diff_pairs *pairs, uint32_t name);

/* pair_names.c: names; pair_unnamed.c: unnamed code; pair_renamed.c: other
 * names. */
void diff_pairs_by_name(struct diff_pairs *pairs);
void diff_pairs_by_place(struct diff_pairs *pairs,
                         const struct diff_input *inputs);
void diff_pairs_by_likeness(struct diff_pairs *pairs,
                            const struct diff_input *inputs);

#endif
