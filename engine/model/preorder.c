
#include "engine/model/profile.h"

/* Where chains begin, and the stacks that they part from. */
struct found {
    VEC(struct chain_start) chains;
    VEC(uint32_t) parents;
};

static void find_chains(struct found *found, const struct profile *p)
{
    const struct stack *stacks = p->stacks.data;
    uint32_t n = (uint32_t)p->stacks.len;

    for (uint32_t i = 1; i < n; i++) {
        if (i > 1 && stacks[i].parent == i - 1)
            continue;
        *vec_add(&found->chains) = (struct chain_start){.stack = i};
        *vec_add(&found->parents) = stacks[i].parent;
    }
    *vec_add(&found->chains) = (struct chain_start){.stack = n};
    vec_trim(&found->chains);
}

enum { DIGIT = 12, BUCKETS = 1 << DIGIT };

/* Of what is sorted by the digits behind this one. */
static void sort_by_digit(const uint32_t *from, uint32_t *to, size_t n,
                          const uint32_t *parents, unsigned shift)
{
    uint32_t starts[BUCKETS + 1] = {0};

    for (size_t i = 0; i < n; i++)
        starts[(parents[i] >> shift & (BUCKETS - 1)) + 1]++;
    for (size_t b = 1; b < BUCKETS; b++)
        starts[b] += starts[b - 1];
    for (size_t i = 0; i < n; i++) {
        uint32_t digit = parents[from[i]] >> shift & (BUCKETS - 1);

        to[starts[digit]++] = from[i];
    }
}

/* By digits of a table's index: keys and values of 4 bytes are all there is to
 * be moved. */
static void sort_joints(struct preorder *order, const uint32_t *parents,
                        size_t stacks)
{
    uint32_t *spare = mem_new(order->len, sizeof(*spare)), *sorted;

    for (uint32_t i = 0; i < order->len; i++)
        order->joints[i] = i;
    for (unsigned shift = 0; shift < 32 && stacks >> shift; shift += DIGIT) {
        sort_by_digit(order->joints, spare, order->len, parents, shift);
        sorted = spare;
        spare = order->joints;
        order->joints = sorted;
    }
    free(spare);
}

static void find_joints(struct preorder *order, const uint32_t *parents)
{
    uint32_t n = (uint32_t)order->len, at = 0;

    while (at < n && !parents[order->joints[at]])
        at++;
    for (uint32_t i = 0; i < n; i++) {
        order->chains[i].joint = at;
        while (at < n &&
               parents[order->joints[at]] < order->chains[i + 1].stack)
            at++;
    }
    order->chains[n].joint = at;
}

/* Branches of a chain have higher numbers than the chain. Returns, by chain,
 * the number of chains in its tree. */
static uint32_t *count_trees(const struct preorder *order)
{
    uint32_t *trees = mem_new(order->len, sizeof(*trees));

    for (size_t i = order->len; i--;) {
        const struct chain_start *chain = &order->chains[i];

        trees[i] = 1;
        for (uint32_t j = chain[0].joint; j < chain[1].joint; j++)
            trees[i] += trees[order->joints[j]];
    }
    return trees;
}

/* Chains that part from one get their places from `next` on: those that part
 * from it farthest in come first, so that the way back to where the others do
 * is gone once. A place takes that of the tree's count. */
static void give_places(const struct preorder *order, uint32_t *trees,
                        uint32_t from, uint32_t to, uint32_t next)
{
    while (to-- > from) {
        uint32_t *tree = &trees[order->joints[to]], count = *tree;

        *tree = next;
        next += count;
    }
}

static void walk(struct preorder *order)
{
    uint32_t *places = count_trees(order);

    give_places(order, places, 0, order->chains[0].joint, 0);
    for (size_t i = 0; i < order->len; i++) {
        const struct chain_start *chain = &order->chains[i];

        order->walk[places[i]] =
            (struct stack_chain){chain[0].stack, chain[1].stack};
        give_places(order, places, chain[0].joint, chain[1].joint,
                    places[i] + 1);
    }
    free(places);
}

static void make(struct preorder *order, const struct profile *p)
{
    struct found found = {.chains = {NULL, 0, 0}};

    find_chains(&found, p);
    *order = (struct preorder){
        .len = found.parents.len,
        .chains = found.chains.data,
        .joints = mem_new(found.parents.len, sizeof(*order->joints)),
    };
    sort_joints(order, found.parents.data, p->stacks.len);
    find_joints(order, found.parents.data);
    vec_release(&found.parents);
    order->walk = mem_new(order->len, sizeof(*order->walk));
    walk(order);
}

const struct preorder *preorder_of(const struct profile *p)
{
    if (!p->order->walk)
        make(p->order, p);
    return p->order;
}

struct preorder *preorder_new(void)
{
    return mem_new(1, sizeof(struct preorder));
}

void preorder_forget(struct preorder *order)
{
    free(order->chains);
    free(order->joints);
    free(order->walk);
    *order = (struct preorder){NULL, 0, NULL, NULL};
}

void preorder_free(struct preorder *order)
{
    if (order)
        preorder_forget(order);
    free(order);
}
