#include "engine/analysis/preorder.h"

#include "engine/base/keysort.h"

/* Those that part from one chain lie side by side among the joints, which are
 * in the order of the stacks they part from. */
struct node {
    struct stack_chain chain;
    uint32_t joints, joints_end;
};

struct building {
    VEC(struct node) nodes; /* in the order of their stacks */
    struct keyed *joints;   /* nodes by the stack they part from */
    VEC(uint32_t) todo;     /* nodes, the next one last */
};

static void find_chains(struct building *b, const struct profile *p)
{
    const struct stack *stacks = p->stacks.data;
    uint32_t n = (uint32_t)p->stacks.len, from = 1;

    for (uint32_t i = 2; i <= n; i++) {
        if (i < n && stacks[i].parent == i - 1)
            continue;
        *vec_add(&b->nodes) = (struct node){.chain = {from, i}};
        from = i;
    }
}

static void find_joints(struct building *b, const struct profile *p)
{
    size_t n = b->nodes.len, at = 0;

    b->joints = mem_new(n, sizeof(*b->joints));
    for (uint32_t i = 0; i < n; i++)
        b->joints[i] = (struct keyed){
            p->stacks.data[b->nodes.data[i].chain.from].parent, i};
    keysort(b->joints, n);
    while (at < n && !b->joints[at].key)
        at++;
    for (size_t i = 0; i < n; i++) {
        struct node *node = &b->nodes.data[i];

        node->joints = (uint32_t)at;
        while (at < n && b->joints[at].key < node->chain.to)
            at++;
        node->joints_end = (uint32_t)at;
    }
}

static void put_off(struct building *b, uint32_t joints, uint32_t end)
{
    for (uint32_t i = joints; i < end; i++) {
        *vec_add(&b->todo) = b->joints[i].value;
        __builtin_prefetch(&b->nodes.data[b->joints[i].value]);
    }
}

/* Of the chains that part from one, those that part from it farthest in come
 * first: so the way back to where the others do is gone once. */
static void walk(struct building *b, struct preorder *order)
{
    if (b->nodes.len)
        put_off(b, 0, b->nodes.data[0].joints);
    while (b->todo.len) {
        struct node node = b->nodes.data[b->todo.data[--b->todo.len]];

        order->chains[order->len++] = node.chain;
        put_off(b, node.joints, node.joints_end);
    }
}

void preorder_init(struct preorder *order, const struct profile *p)
{
    struct building b = {.joints = NULL};

    find_chains(&b, p);
    find_joints(&b, p);
    *order = (struct preorder){
        .chains = mem_new(b.nodes.len, sizeof(*order->chains))};
    walk(&b, order);
    vec_release(&b.nodes);
    vec_release(&b.todo);
    free(b.joints);
}

void preorder_release(struct preorder *order)
{
    free(order->chains);
    *order = (struct preorder){NULL, 0};
}
