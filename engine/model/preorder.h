/*
 * preorder - the stacks of a profile as a walk through their tree meets them.
 *
 *     const struct preorder *order = preorder_of(p);
 *     for (size_t i = 0; i < order->len; i++)
 *         for (uint32_t s = order->walk[i].from; s < order->walk[i].to; s++)
 *             visit(s);
 *
 * Stacks are numbered as they were met: a chain of calls lies in sequence, but
 * the next one may part anywhere from an older one. In this order every stack
 * comes behind its parent, and the way from one to the next is short: who
 * follows the path from the root in step with it enters and leaves each stack
 * about once. It is worked out once per chain, not per stack.
 *
 * It is made when it is first asked for and forgotten when stacks change; of
 * their locations it knows nothing.
 */
#ifndef TOPFN_PREORDER_H
#define TOPFN_PREORDER_H

#include <stddef.h>
#include <stdint.h>

struct profile;

/* Stacks from <= id < to, each the parent of the next. */
struct stack_chain {
    uint32_t from, to;
};

/* Where a chain's stacks and joints begin; they end where the next one's do. */
struct chain_start {
    uint32_t stack, joint;
};

struct preorder {
    struct stack_chain *walk;   /* chains as the walk meets them */
    size_t len;                 /* how many */
    struct chain_start *chains; /* by their first stacks, and where all end */
    uint32_t *joints; /* chains by the stacks that they part from; those before
                         the first one's are roots */
};

/* All stacks but the empty one. Valid until the profile's stacks change. The
 * first time it costs time and memory in proportion to the number of chains,
 * and no other thread may ask for it. */
const struct preorder *preorder_of(const struct profile *p);

/* For profile.h: every profile has one of these. */
struct preorder *preorder_new(void);
void preorder_forget(struct preorder *order);
void preorder_free(struct preorder *order);

#endif
