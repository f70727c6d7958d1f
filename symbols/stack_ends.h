/*
 * stack_ends - which stacks reached their root, by names and by the images
 * that ran.
 *
 *     profile_finish(p);
 *     stack_ends_find(p, &places);
 *
 * A chain of frame pointers leaves out the caller of every function that has
 * no frame of its own at that instruction: of a leaf, in a prologue, in a
 * library that is compiled without them. The image's call-frame information
 * tells where that is. So such a chain is complete only where it ends at a root
 * and each of its functions is known to have a frame.
 */
#ifndef TOPFN_SYMBOLS_STACK_ENDS_H
#define TOPFN_SYMBOLS_STACK_ENDS_H

#include "engine/model/profile.h"
#include "symbols/find/places.h"

/* Samples whose end is not known get one, where it can be told. Of a finished
 * profile that was just read. */
void stack_ends_find(struct profile *p, const struct places *places);

#endif
