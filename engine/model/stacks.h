/*
 * stacks - the tree of stacks, its order, and where stacks end.
 *
 * A stack is a chain of locations, outermost first: the caller's stack and one
 * location. Stacks are distinct, each has a larger id than its parent, and
 * stack 0 is the empty one.
 */
#ifndef TOPFN_STACKS_H
#define TOPFN_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/map.h"

struct profile;

struct stack {
    uint32_t parent;   /* the caller's stack; 0 for the outermost frame */
    uint32_t location; /* NO_ID only for stack 0 */
};

/* Distinct stacks by id, each behind its parent; stack 0 is the empty one. */
struct stack_table {
    struct stack *data;
    size_t len, cap;
    struct map ids; /* while it is filled */
};

/* Frames of one part of a stack (kernel or user) that readers keep, the
 * innermost ones, and of a whole stack. A record of Linux holds 8,191
 * addresses; Windows writes 192, .NET 100. Deeper ones are counted in the
 * quality. */
enum { STACK_PART_DEEPEST = 8192, STACK_DEEPEST = 2 * STACK_PART_DEEPEST };

/* Stacks outside a profile, with locations of one. */
void stack_table_init(struct stack_table *table);
void stack_table_release(struct stack_table *table);
uint32_t stack_table_add(struct stack_table *table, uint32_t parent,
                         uint32_t location);

/* ---- depth ---- */

/* A stack of a tree costs its bytes once, but analyses that go through the
 * frames of every sampled stack pay for its depth: a chain that is sampled at
 * each of its n nodes has n * n / 2 frames. Readers whose stacks come as a tree
 * call profile_bound_stacks when all samples are in. Where frames are listed
 * sample by sample the file itself has as many bytes. */
enum {
    STACK_USUAL_DEEPEST = 512, /* such frames cost nothing */
    DEEP_FRAMES_FREE = 1 << 24,
    DEEP_FRAMES_PER_STACK = 64, /* beside them, for each node of the tree */
};

/* Begins stacks anew, on no parent, that are deeper than STACK_DEEPEST or, if
 * sampled stacks have too many frames beyond the usual ones, than those; and
 * says so. The innermost frames stay. */
void profile_bound_stacks(struct profile *p);

/* ---- walking ---- */

/* By stack: its own samples and those of all stacks that it called; `samples`
 * are by stack. To be freed. */
uint64_t *stacks_inclusive(const struct profile *p, const uint64_t *samples);

/* By stack, the first one that it called and the next one of its caller; 0:
 * none. Stacks whose `inclusive` is 0 are left out. */
struct stack_links {
    uint32_t *child, *sibling;
};

struct stack_links stack_links_new(const struct profile *p,
                                   const uint64_t *inclusive);
void stack_links_release(struct stack_links *links);

/* Goes through these stacks depth first: each is entered behind its caller,
 * and left when all that it called was left. */
void stacks_walk(const struct profile *p, const uint64_t *inclusive,
                 void (*enter)(void *context, uint32_t stack),
                 void (*leave)(void *context, uint32_t stack), void *context);

/* ---- ends ---- */

/* The end of a stack: complete, or the cause why it is not. A stack is complete
 * only if its outermost frame is known to be the root: a start routine, a
 * kernel entry, or code whose unwind data marks the outermost frame. The end is
 * part of a sample's flags. A reader that knows the end sets it:
 *
 *     .flags = stack_end_flags(STACK_END_COPY)
 *     samples->flags[i] = stack_end_put(samples->flags[i], STACK_END_DEPTH);
 *
 * A reader that does not know it leaves 0; the outermost frame may prove to be
 * a root later. Databases hold the numbers. */
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
                                 frame, mostly the leaf: no caller of it */
    STACK_END_BROKEN,         /* the recorder or the walk says so */
    STACK_END_NO_STACK,       /* there is the sampled address alone, or less */
    STACK_ENDS
};

const char *stack_end_word(enum stack_end end);   /* "depth_limit" */
const char *stack_end_phrase(enum stack_end end); /* "depth limit" */

/* Bits of a sample's flags that hold it. */
enum { STACK_END_SHIFT = 8, STACK_END_BITS = 15 << STACK_END_SHIFT };

static inline uint32_t stack_end_flags(enum stack_end end)
{
    return (uint32_t)end << STACK_END_SHIFT;
}

static inline uint32_t stack_end_put(uint32_t flags, enum stack_end end)
{
    return (flags & ~(uint32_t)STACK_END_BITS) | stack_end_flags(end);
}

static inline enum stack_end stack_end_of(uint32_t flags)
{
    return (enum stack_end)((flags & STACK_END_BITS) >> STACK_END_SHIFT);
}

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

/* By stack: 1 if its root frame is a start routine, such as _start,
 * RtlUserThreadStart or runtime.goexit. The profile must be finished; the
 * caller frees the array. */
uint8_t *stack_ends_by_name(const struct profile *p);

bool stack_root_is_named(const char *name);

#endif
