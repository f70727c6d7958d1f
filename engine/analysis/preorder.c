#include "engine/analysis/preorder.h"

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

/* Chains that are still to come, the next one last. */
struct todo {
    VEC(uint32_t) chains;
};

static void put_off(struct todo *todo, const struct preorder *order,
                    uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        *vec_add(&todo->chains) = order->joints[i];
        __builtin_prefetch(&order->chains[order->joints[i]]);
    }
}

/* Of the chains that part from one, those that part from it farthest in come
 * first: so the way back to where the others do is gone once. */
static void walk(struct preorder *order)
{
    struct todo todo = {{NULL, 0, 0}};
    size_t n = 0;

    put_off(&todo, order, 0, order->chains[0].joint);
    while (todo.chains.len) {
        const struct chain_start *chain =
            &order->chains[todo.chains.data[--todo.chains.len]];

        order->walk[n++] = (struct stack_chain){chain[0].stack, chain[1].stack};
        put_off(&todo, order, chain[0].joint, chain[1].joint);
    }
    vec_release(&todo.chains);
}

void preorder_init(struct preorder *order, const struct profile *p)
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

void preorder_release(struct preorder *order)
{
    free(order->chains);
    free(order->joints);
    free(order->walk);
    *order = (struct preorder){NULL, 0, NULL, NULL};
}
