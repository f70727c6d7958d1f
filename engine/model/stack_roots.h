/*
 * stack_roots - which stacks reached their root, as far as it is known.
 *
 *     struct stack_root *roots = stack_roots_new(p);
 *     uint8_t *ends = mem_new(p->stacks.len, 1);
 *     ends[stack] = is_proved(roots[stack].location) ? STACK_END_ROOT : 0;
 *     stack_ends_put(p, ends);
 *
 * Readers and attribution prove it by what they know of addresses, symbols
 * (symbols/stack_ends.h) by names and images. A sample whose end is known keeps
 * it.
 */
#ifndef TOPFN_STACK_ROOTS_H
#define TOPFN_STACK_ROOTS_H

#include "engine/model/profile.h"

/* The outermost location of a stack and the one that it called; NO_ID where
 * there is none. */
struct stack_root {
    uint32_t location, callee;
};

/* By stack. To be freed. */
struct stack_root *stack_roots_new(const struct profile *p);

/* Samples whose end is not known get that of their stack, an enum stack_end
 * each. */
void stack_ends_put(struct profile *p, const uint8_t *ends);

/* By stack: whether its outermost frame has the name of a start routine, as
 * _start, RtlUserThreadStart or runtime.goexit. Of a finished profile; to be
 * freed. */
uint8_t *stack_ends_by_name(const struct profile *p);

/* Whether a name is one of these. */
bool stack_root_is_named(const char *name);

#endif
