/*
 * stack_end - whether a stack reached its root, and if not, why not.
 *
 * A stack is complete only when that is known: its outermost frame is a start
 * routine, a kernel entry, or code whose unwind data says that nobody called
 * it. One row each: a word for machines (JSON, databases) and a phrase for a
 * person.
 *
 * A sample has it in its flags. A reader that knows it adds it to those that it
 * observes:
 *
 *     .flags = stack_end_flags(STACK_END_COPY)
 *     samples->flags[i] = stack_end_put(samples->flags[i], STACK_END_DEPTH);
 *
 * A reader that does not know leaves 0: later the outermost frame may prove to
 * be a root (stack_roots.h).
 */
#ifndef TOPFN_STACK_END_H
#define TOPFN_STACK_END_H

#include <stdint.h>

/* Databases hold the numbers. */
enum stack_end {
    STACK_END_UNKNOWN,        /* nothing tells whether the root was reached */
    STACK_END_ROOT,           /* it was */
    STACK_END_NO_UNWIND_DATA, /* the walk met code without call-frame
                                 information */
    STACK_END_GENERATED_CODE, /* it met code that was made at run time */
    STACK_END_MACHINE,        /* registers of a machine that is not walked */
    STACK_END_NO_USER_PART,   /* only the kernel part was recorded */
    STACK_END_DEPTH,          /* depth limit of the recorder, or ours */
    STACK_END_COPY,           /* the copied stack memory was too short */
    STACK_END_LEAF_FRAME,     /* a chain of frame pointers met code without a
                                 frame, mostly the leaf: its caller is missing */
    STACK_END_BROKEN,         /* the recorder or the walk says so */
    STACK_END_NO_STACK,       /* there is the sampled address alone, or less */
    STACK_ENDS
};

const char *stack_end_word(enum stack_end end);   /* "depth_limit" */
const char *stack_end_phrase(enum stack_end end); /* "depth limit" */

/* Bits of a sample's flags that hold it. */
enum { STACK_END_SHIFT = 8, STACK_END_BITS = 15 << STACK_END_SHIFT };

static inline uint16_t stack_end_flags(enum stack_end end)
{
    return (uint16_t)((unsigned)end << STACK_END_SHIFT);
}

static inline uint16_t stack_end_put(uint16_t flags, enum stack_end end)
{
    return (uint16_t)((flags & ~STACK_END_BITS) | stack_end_flags(end));
}

static inline enum stack_end stack_end_of(uint16_t flags)
{
    return (enum stack_end)((flags & STACK_END_BITS) >> STACK_END_SHIFT);
}

#endif
