#include "engine/attribution/chain_stacks.h"

#include <string.h>

struct located_chain {
    int64_t from, to;      /* its locations hold for from <= time <= to */
    uint32_t count;        /* of them */
    uint32_t version;      /* another one for other locations */
    uint32_t below, stack; /* the first stack that it made, on top of `below`;
                              0: not located yet */
};

void chain_stacks_init(struct chain_stacks *c, struct locator *locator,
                       size_t most)
{
    size_t chains = locator->seen->callchains.list.len;

    *c = (struct chain_stacks){.locator = locator,
                               .owners = mem_new(chains, sizeof(*c->owners)),
                               .spaces = mem_new(chains, 1),
                               .most = most};
}

void chain_stacks_release(struct chain_stacks *c)
{
    free(c->owners);
    free(c->spaces);
    map_release(&c->others);
    vec_release(&c->list);
    map_release(&c->stacks);
}

bool chain_stacks_is_kernel(struct chain_stacks *c, uint32_t chain)
{
    enum { UNKNOWN, ALL_KERNEL, MIXED };
    const struct callchain *run =
        &c->locator->seen->callchains.list.data[chain];
    uint8_t *space = &c->spaces[chain];

    if (*space == UNKNOWN) {
        *space = ALL_KERNEL;
        for (uint32_t i = 0; i < run->count; i++)
            if (callchain_frame(run, i) < c->locator->seen->kernel_from)
                *space = MIXED;
    }
    return *space == ALL_KERNEL;
}

/*
 * True if a call returns to frame `i`. The innermost of a chain is
 * where the processor stopped: a leaf, or user code that gave way to the
 * kernel. So is user code below the kernel's within a chain, and what the
 * recorder says.
 */
static bool is_caller(const struct observations *seen,
                      const struct callchain *run, uint32_t i)
{
    if (!i || (run->exact && run->exact[i]))
        return false;
    return callchain_frame(run, i) >= seen->kernel_from ||
           callchain_frame(run, i - 1) < seen->kernel_from;
}

/* The innermost locations of a stack, outermost first. */
static void copy_locations(const struct chain_stacks *c, uint32_t stack,
                           uint32_t *locations, uint32_t count)
{
    const struct stack *stacks = c->locator->profile->stacks.data;

    for (uint32_t i = count; i--; stack = stacks[stack].parent)
        locations[i] = stacks[stack].location;
}

static uint32_t add_stacks(struct chain_stacks *c, uint32_t below,
                           const uint32_t *locations, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        below = profile_stack(c->locator->profile, below, locations[i]);
    return below;
}

/* A chain holds where all of its locations do. Other locations than before
 * begin a new version. */
static void locate(struct chain_stacks *c, struct located_chain *chain,
                   uint32_t below, uint32_t process,
                   const struct callchain *run, int64_t time)
{
    uint32_t locations[STACK_PART_DEEPEST], last[STACK_PART_DEEPEST];
    uint32_t changed = run->count; /* locations, the innermost ones */

    if (chain->stack && c->changed >= c->most) {
        c->kept++;
        return;
    }
    chain->from = TIME_MIN;
    chain->to = TIME_MAX;
    /* An innermost address seldom comes in another chain, so its answer is not
     * kept: that saves 7 % of user time and 4 MB of a perf.data of a compiler.
     */
    for (uint32_t i = 0; i < run->count; i++) {
        uint32_t frame = run->count - 1 - i;
        uint64_t address = callchain_frame(run, frame);
        bool caller = is_caller(c->locator->seen, run, frame);
        struct located found =
            frame ? *locator_find(c->locator, process, address, caller, time)
                  : locator_look_up(c->locator, process, address, caller, time);

        locations[i] = found.location;
        chain->from = found.from > chain->from ? found.from : chain->from;
        chain->to = found.to < chain->to ? found.to : chain->to;
    }
    if (chain->stack) {
        copy_locations(c, chain->stack, last, run->count);
        while (changed &&
               locations[run->count - changed] == last[run->count - changed])
            changed--;
        c->changed += changed;
    }
    if (!changed)
        return;
    chain->count = run->count;
    chain->version = c->versions++;
    chain->below = below;
    chain->stack = add_stacks(c, below, locations, run->count);
}

/* The stack of a chain whose first stack is on top of another one. */
static uint32_t stack_on(struct chain_stacks *c,
                         const struct located_chain *chain, uint32_t below)
{
    uint64_t key = (uint64_t)below << 32 | chain->version;
    uint32_t locations[STACK_PART_DEEPEST], count = chain->count;
    uint32_t stack = map_get(&c->stacks, key, 0);

    if (stack != MAP_NONE)
        return stack;
    copy_locations(c, chain->stack, locations, count);
    stack = add_stacks(c, below, locations, count);
    map_set(&c->stacks, key, 0, stack);
    return stack;
}

/* Most call chains belong to one process, which is found without hashing. */
uint32_t chain_stacks_at(struct chain_stacks *c, uint32_t below,
                         uint32_t process, uint32_t chain, int64_t time)
{
    const struct callchain *run =
        &c->locator->seen->callchains.list.data[chain];
    struct chain_owner *owner = &c->owners[chain];
    uint32_t fresh = mem_next_id(c->list.len), id;
    struct located_chain *located;

    if (!run->count)
        return below;
    if (!owner->chain)
        *owner = (struct chain_owner){process, fresh + 1};
    id = owner->process == process
             ? owner->chain - 1
             : map_add(&c->others, (uint64_t)process << 32 | chain, 0, fresh);
    if (id == fresh)
        *vec_add(&c->list) = (struct located_chain){.from = 1, .to = 0};
    located = &c->list.data[id];
    if (time < located->from || time > located->to)
        locate(c, located, below, process, run, time);
    return below == located->below ? located->stack
                                   : stack_on(c, located, below);
}
