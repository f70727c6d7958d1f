/*
 * owned_stacks - the distinct stacks of each process or thread, counted.
 *
 *     owned_stacks list = {0};
 *     owned_stacks_count(&list, p, sel, true);
 *     owned_stacks_sort(&list);
 *     for (size_t i = 0; i < list.len; i++)
 *         use(list.data[i].owner, list.data[i].stack, list.data[i].count);
 *     vec_release(&list);
 *
 * The same stack occurs in several of them, as images and the kernel are
 * shared.
 */
#ifndef TOPFN_OWNED_STACKS_H
#define TOPFN_OWNED_STACKS_H

#include "engine/analysis/filter.h"

struct owned_stack {
    uint32_t owner;       /* process or thread */
    uint32_t stack;       /* may be 0: without frames */
    uint64_t rows, count; /* samples in the trace; their weight */
};

typedef VEC(struct owned_stack) owned_stacks;

/* Adds those of all selected samples to an empty list, in the order in which
 * they were met. `threads`: by thread, not by process. */
void owned_stacks_count(owned_stacks *list, const struct profile *p,
                        const struct selection *sel, bool threads);

/* By owner, and those of one by stack: parents come first. */
void owned_stacks_sort(owned_stacks *list);

#endif
