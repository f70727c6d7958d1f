/*
 * deep_stacks - stacks may be deep as long as all of them together are not out
 * of proportion.
 *
 *     profile_bound_stacks(p);
 *
 * A stack of a tree costs its bytes once, but what goes through the frames of
 * every sampled stack pays for its depth: a chain that is sampled at each of
 * its n nodes has n * n / 2 frames. Readers whose stacks come as a tree call
 * this when all samples are in. Where frames are listed sample by sample the
 * file itself has as many bytes.
 */
#ifndef TOPFN_DEEP_STACKS_H
#define TOPFN_DEEP_STACKS_H

#include "engine/model/profile.h"

enum {
    STACK_USUAL_DEEPEST = 512, /* such frames cost nothing */
    DEEP_FRAMES_FREE = 1 << 24,
    DEEP_FRAMES_PER_STACK = 64, /* beside them, for each node of the tree */
};

/* Begins stacks anew, on no parent, that are deeper than STACK_DEEPEST or, if
 * sampled stacks have too many frames beyond the usual ones, than those; and
 * says so. The innermost frames stay. */
void profile_bound_stacks(struct profile *p);

#endif
