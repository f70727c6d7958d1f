/*
 * whole_stacks - the stacks of rows (stack_rows.h), made a tree.
 *
 * Any number of threads find out, each for its share of the pairs of rows,
 * where these part from each other (pair_tree.h), which tells how many stacks
 * of its own a pair has. So stacks are numbered as one thread would, that made
 * the stack of each pair in turn, and lie where they belong at once.
 *
 *     whole_stacks_make(p, pool);
 *     use(p->stacks.data[p->samples.stack[i]]);
 */
#ifndef TOPFN_WHOLE_STACKS_H
#define TOPFN_WHOLE_STACKS_H

#include "engine/base/threads.h"
#include "engine/model/profile.h"

/* The profile has its stacks then, and no rows; samples have the ids of the
 * former. Of one that has no rows nothing changes. */
void whole_stacks_make(struct profile *p, struct threads *pool);

#endif
