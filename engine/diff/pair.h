/*
 * diff_pair - which function of one build is which function of another.
 *
 *     struct diff_pairs *pairs = diff_pairs_new(inputs, n, renames, count, 0);
 *     uint32_t unit = pairs->unit_of[input][function];
 *     puts(pairs->names.data[unit].name);
 *     diff_pairs_free(pairs);
 *
 * Every distinct (name, module) of all inputs is a name here. Names that the
 * rules of diff/names.h find to be one function share a unit: the one of
 * them that is shown. Rules are tried from the most to the least certain and
 * only for names that one side lacks. Where a rule leaves as many names on
 * either side they are paired in order, otherwise they all become one unit:
 * their sum can be compared, which of them is which cannot be known.
 *
 * Unnamed code is known by its address in builds of equal identity, also
 * where the other side has a name for it; else by its place: module, and who
 * calls it and whom it calls most. What is left of a module that has names
 * on one side only cannot be paired; it is neither new nor gone.
 */
#ifndef TOPFN_DIFF_PAIR_H
#define TOPFN_DIFF_PAIR_H

#include "engine/base/arena.h"
#include "engine/base/threads.h"
#include "engine/diff/names.h"
#include "engine/analysis/filter.h"

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
    uint8_t rule; /* enum diff_rule that joined it to its unit */
    bool seen[2]; /* sampled before, after; of a unit: in any member */
    bool unnamed; /* or it stands for such code of its module */
    bool half_named; /* its module has names on one side only */
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

/* What is kept of inputs and renames is copied or theirs to outlive. Threads
 * as threads_new has them. */
struct diff_pairs *diff_pairs_new(const struct diff_input *inputs, size_t n,
                                  const struct diff_rename *renames,
                                  size_t rename_count, unsigned threads);
void diff_pairs_free(struct diff_pairs *pairs);

/* The inputs' numbers in an order that exchanging the sides leaves as it is:
 * what is numbered and added up in it is the same in the mirror, to the last
 * bit. To be freed. In diff/order.c. */
size_t *diff_inputs_order(const struct diff_input *inputs, size_t n);

/* For the rules' own files. Makes two units one, whose rule is the less
 * certain of the two. */
void diff_pairs_join(struct diff_pairs *pairs, uint32_t a, uint32_t b,
                     enum diff_rule rule);
uint32_t diff_pairs_unit(const struct diff_pairs *pairs, uint32_t name);
bool diff_pairs_one_sided(const struct diff_pairs *pairs, uint32_t name);

/* diff/rules.c: names; diff/place.c: unnamed code. */
void diff_pairs_by_name(struct diff_pairs *pairs);
void diff_pairs_by_place(struct diff_pairs *pairs,
                         const struct diff_input *inputs);

#endif
