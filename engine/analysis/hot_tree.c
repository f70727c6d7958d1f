/* Places of a hot path in the tree of stacks. */
#include "engine/analysis/hot_path_impl.h"

struct hot_chains {
    const struct preorder *order;
    uint64_t *samples; /* by chain, there and in what parts from it */
};

/* What parts from a chain is behind it. */
static uint64_t *add_up_chains(const struct hot_walk *w,
                               const struct preorder *o)
{
    uint64_t *of_chain = mem_new(o->len, sizeof(*of_chain));

    for (size_t c = o->len; c--;) {
        uint64_t samples = 0;

        for (uint32_t s = o->chains[c].stack; s < o->chains[c + 1].stack; s++)
            samples += w->sel->stack_counts[s];
        for (uint32_t j = o->chains[c].joint; j < o->chains[c + 1].joint; j++)
            samples += of_chain[o->joints[j]];
        of_chain[c] = samples;
    }
    return of_chain;
}

static void enter(struct hot_walk *w, uint32_t stack, uint32_t chain,
                  uint32_t joint, uint64_t samples)
{
    hot_enter(w, w->p->stacks.data[stack].location,
              (struct hot_place){
                  .samples = samples, .of = stack, .tree = {chain, joint}});
}

/* Enters the chains that part from a stack; `joint` becomes the one behind
 * them. Returns their samples. */
static uint64_t enter_chains(struct hot_walk *w, uint32_t stack,
                             uint32_t *joint, uint32_t end)
{
    const struct hot_chains *chains = w->stacks;
    const struct preorder *order = chains->order;
    uint64_t samples = 0;

    for (; *joint < end; ++*joint) {
        uint32_t chain = order->joints[*joint];
        uint32_t first = order->chains[chain].stack;

        if (w->p->stacks.data[first].parent != stack)
            break;
        samples += chains->samples[chain];
        if (chains->samples[chain])
            enter(w, first, chain, order->chains[chain].joint,
                  chains->samples[chain]);
    }
    return samples;
}

static void begin(struct hot_walk *w)
{
    struct hot_chains *chains = mem_new(1, sizeof(*chains));
    const struct preorder *order = preorder_of(w->p);
    uint32_t root = 0;

    chains->order = order;
    chains->samples = add_up_chains(w, order);
    w->stacks = chains;
    enter_chains(w, 0, &root, order->len ? order->chains[0].joint : 0);
}

static void below(struct hot_walk *w, const struct hot_place *place)
{
    const struct hot_chains *chains = w->stacks;
    struct hot_place at = *place;
    uint32_t end = chains->order->chains[at.tree.chain + 1].joint;

    at.samples -= w->sel->stack_counts[at.of];
    at.samples -= enter_chains(w, at.of, &at.tree.joint, end);
    if (at.samples)
        enter(w, at.of + 1, at.tree.chain, at.tree.joint, at.samples);
}

static void end(struct hot_walk *w)
{
    struct hot_chains *chains = w->stacks;

    free(chains->samples);
    free(chains);
}

const struct hot_stacks hot_tree = {begin, below, end};
