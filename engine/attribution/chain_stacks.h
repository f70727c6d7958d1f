/*
 * chain_stacks - from the call chains of samples to stacks of the profile.
 *
 *     struct chain_stacks chains;
 *     chain_stacks_init(&chains, &locator, most);
 *     uint32_t caller = chain_stacks_at(&chains, 0, process, user, time);
 *     uint32_t stack = chain_stacks_at(&chains, caller, NO_ID, kernel, time);
 *     chain_stacks_release(&chains);
 *
 * A chain is located once per process: each of its addresses becomes a
 * location. The locations of a chain hold between two times, because memory is
 * reused; outside of them the chain is located again. A chain that was met
 * before on top of the same stack costs one look-up.
 *
 * Samples come in order of time. Locations, stacks and methods are numbered in
 * the order in which the samples need them.
 */
#ifndef TOPFN_CHAIN_STACKS_H
#define TOPFN_CHAIN_STACKS_H

#include "engine/attribution/address_locator.h"

/* The first process that has a chain. */
struct chain_owner {
    uint32_t process;
    uint32_t chain; /* in `list`, plus one; 0: nobody has it yet */
};

struct chain_stacks {
    struct locator *locator;
    struct chain_owner *owners;     /* by call chain */
    struct map others;              /* (process, call chain) -> in `list` */
    VEC(struct located_chain) list; /* call chains of processes */
    struct map stacks; /* (stack below, version of a chain) -> stack, but for
                          the first stack of each version */
    uint32_t versions;
    uint8_t *spaces;      /* by call chain: see chain_stacks_is_kernel */
    size_t changed, most; /* frames that were located again, and the most */
    uint64_t kept;        /* chains asked for that changed and stayed */
};

/*
 * A method that is compiled anew at the root of a stack makes all of it anew,
 * and a few bytes of a file can say so. So the work is bounded: after `most`
 * frames that changed, a chain keeps its locations.
 */
void chain_stacks_init(struct chain_stacks *chains, struct locator *locator,
                       size_t most);
void chain_stacks_release(struct chain_stacks *chains);

/* The stack of a chain in a process (NO_ID: in the kernel) at a time, on top
 * of another stack (0: of none). An empty chain adds nothing to it. */
uint32_t chain_stacks_at(struct chain_stacks *chains, uint32_t below,
                         uint32_t process, uint32_t chain, int64_t time);

/* True if all frames of a chain are the kernel's. Such a chain is the same in
 * every process. */
bool chain_stacks_is_kernel(struct chain_stacks *chains, uint32_t chain);

#endif
