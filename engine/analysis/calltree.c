#include "engine/analysis/calltree.h"

#include <string.h>

#include "engine/analysis/calltree_impl.h"
#include "engine/analysis/rank.h"

static bool stands_for(const struct calltree_builder *b, uint32_t node,
                       enum calltree_kind kind, uint32_t id)
{
    return node && b->nodes.data[node].kind == kind &&
           b->nodes.data[node].function == id;
}

/* While the tree is built, first_child is the first, which is in no map, as
 * most nodes have no other; next_sibling is the child met last: most often it
 * is the one that is met next, too. */
uint32_t calltree_child(struct calltree_builder *b, uint32_t parent,
                        enum calltree_kind kind, uint32_t id)
{
    uint32_t fresh = mem_next_id(b->nodes.len);
    struct calltree_node *above = &b->nodes.data[parent];
    uint32_t node = fresh;

    if (stands_for(b, above->next_sibling, kind, id))
        return above->next_sibling;
    if (stands_for(b, above->first_child, kind, id))
        node = above->first_child;
    else if (above->first_child)
        node = map_add(&b->ids, (uint64_t)kind << 32 | parent, id, fresh);
    else
        above->first_child = fresh;
    above->next_sibling = node;
    if (node == fresh)
        *vec_add(&b->nodes) = (struct calltree_node){.parent = parent,
                                                     .kind = (uint8_t)kind,
                                                     .function = id,
                                                     .depth = 1};
    return node;
}

/* A function's place in the order of names, so that sorting nodes compares
 * numbers only. */
struct named {
    const char *name, *module;
    uint32_t function;
};

static int by_name(const void *x, const void *y)
{
    const struct named *a = x, *b = y;
    int order = strcmp(a->name, b->name);

    if (!order)
        order = strcmp(a->module, b->module);
    return order ? order
                 : (a->function > b->function) - (a->function < b->function);
}

static uint32_t *name_order(const struct profile *p)
{
    size_t n = p->functions.len;
    struct arena scratch = {0};
    struct named *named = mem_new(n, sizeof(*named));
    uint32_t *order = mem_new(n, sizeof(*order));

    for (uint32_t i = 0; i < n; i++)
        named[i] = (struct named){function_name(p, i, &scratch),
                                  function_module(p, i), i};
    if (n)
        qsort(named, n, sizeof(*named), by_name);
    for (uint32_t i = 0; i < n; i++)
        order[named[i].function] = i;
    free(named);
    arena_release(&scratch);
    return order;
}

struct ordered {
    uint64_t inclusive;
    uint32_t name, node;
};

static int by_inclusive(const void *x, const void *y)
{
    const struct ordered *a = x, *b = y;

    if (a->inclusive != b->inclusive)
        return a->inclusive < b->inclusive ? 1 : -1;
    if (a->name != b->name)
        return a->name < b->name ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

/* Processes and threads go by their numbers. */
static uint32_t place_of(const struct profile *p, const uint32_t *names,
                         const struct calltree_node *node)
{
    switch ((enum calltree_kind)node->kind) {
    case CALLTREE_CODE:
        return names[node->function];
    case CALLTREE_PROCESS:
        return p->processes.data[node->function].pid;
    case CALLTREE_THREAD:
        return p->threads.data[node->function].tid;
    default:
        return 0;
    }
}

/* One sort of all nodes orders every node's children. */
static void link_children(struct calltree_builder *b)
{
    struct calltree_node *nodes = b->nodes.data;
    size_t n = b->nodes.len - 1;
    struct ordered *sorted = mem_new(n, sizeof(*sorted));
    uint32_t *names = name_order(b->p);

    for (uint32_t i = 0; i <= n; i++)
        nodes[i].first_child = nodes[i].next_sibling = 0;
    for (uint32_t i = 0; i < n; i++)
        sorted[i] =
            (struct ordered){nodes[i + 1].inclusive,
                             place_of(b->p, names, &nodes[i + 1]), i + 1};
    if (n)
        qsort(sorted, n, sizeof(*sorted), by_inclusive);
    while (n--) {
        struct calltree_node *node = &nodes[sorted[n].node];

        node->next_sibling = nodes[node->parent].first_child;
        nodes[node->parent].first_child = sorted[n].node;
    }
    free(names);
    free(sorted);
}

void calltree_free(struct calltree *tree)
{
    if (!tree)
        return;
    free(tree->nodes);
    vec_release(&tree->folded);
    free(tree);
}

struct calltree *calltree_build(const struct profile *p,
                                const struct selection *sel,
                                const struct calltree_options *options)
{
    struct calltree *tree = mem_new(1, sizeof(*tree));
    struct calltree_builder b = {
        .p = p, .sel = sel, .options = options, .tree = tree};

    *vec_add(&b.nodes) = (struct calltree_node){
        .kind = CALLTREE_ROOT, .function = NO_ID, .inclusive = sel->samples};
    if (options->direction == CALLTREE_TOP_DOWN)
        calltree_build_down(&b);
    else
        calltree_build_up(&b);
    link_children(&b);
    map_release(&b.ids);
    tree->nodes = b.nodes.data;
    tree->len = b.nodes.len;
    return tree;
}

struct calltree *calltree_new(const struct profile *p,
                              const struct selection *sel,
                              enum calltree_direction direction, uint64_t least)
{
    struct calltree_options options = {.direction = direction, .least = least};

    return calltree_build(p, sel, &options);
}
