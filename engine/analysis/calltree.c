#include "engine/analysis/calltree.h"

#include <string.h>

#include "engine/analysis/rank.h"

struct builder {
    const struct profile *p;
    const struct selection *sel;
    struct map ids; /* (parent node, function) to node */
    VEC(struct calltree_node) nodes;
};

static uint32_t child_of(struct builder *b, uint32_t parent, uint32_t function)
{
    uint32_t fresh = (uint32_t)b->nodes.len;
    uint32_t id = map_add(&b->ids, parent, function, fresh);

    if (id == fresh)
        *vec_add(&b->nodes) =
            (struct calltree_node){.parent = parent, .function = function};
    return id;
}

/* The node that `frame` is under `parent`, with `count` samples through. */
static uint32_t step(struct builder *b, uint32_t parent, uint32_t frame,
                     uint64_t count)
{
    const struct frame *f = &b->p->frames.data[frame];
    uint32_t id = child_of(b, parent, f->function);
    struct calltree_node *node = &b->nodes.data[id];

    node->inclusive += count;
    if (f->inlined)
        node->inlined_inclusive += count;
    return id;
}

static void end_here(struct builder *b, uint32_t id, uint32_t frame,
                     uint64_t count)
{
    struct calltree_node *node = &b->nodes.data[id];

    node->exclusive += count;
    if (b->p->frames.data[frame].inlined)
        node->inlined_exclusive += count;
}

/* A stack's node is below its parent's, which came earlier; its location's
 * frames are laid down outermost first. */
static void build_top_down(struct builder *b)
{
    const struct profile *p = b->p;
    uint64_t *inclusive = selection_inclusive(p, b->sel);
    uint32_t *node_of = mem_new(p->stacks.len, sizeof(*node_of));

    for (size_t i = 1; i < p->stacks.len; i++) {
        const struct stack *s = &p->stacks.data[i];
        uint32_t first = p->frame_start.data[s->location];
        uint32_t at = node_of[s->parent];

        if (!inclusive[i])
            continue;
        for (uint32_t f = p->frame_start.data[s->location + 1]; f-- > first;)
            at = step(b, at, f, inclusive[i]);
        end_here(b, at, first, b->sel->stack_counts[i]);
        node_of[i] = at;
    }
    free(inclusive);
    free(node_of);
}

/* Samples that agree from their innermost frame up to here, and in all
 * their callers from here on. */
struct cursor {
    uint32_t node;
    uint32_t stack, frame; /* where the node's frame is */
    uint64_t count;
};

struct level {
    VEC(struct cursor) cursors;
    struct map ids; /* (node, stack, frame) to cursor */
};

static void level_release(struct level *level)
{
    vec_release(&level->cursors);
    map_release(&level->ids);
}

static void level_add(struct level *level, const struct cursor *c)
{
    uint32_t fresh = (uint32_t)level->cursors.len;
    uint32_t id = map_add(&level->ids, (uint64_t)c->node << 32 | c->stack,
                          c->frame, fresh);

    if (id == fresh)
        *vec_add(&level->cursors) = *c;
    else
        level->cursors.data[id].count += c->count;
}

/* Moves to the caller: the next frame of the location, or the first of the
 * parent stack. False at the outermost. */
static bool to_caller(const struct profile *p, struct cursor *c)
{
    uint32_t location = p->stacks.data[c->stack].location;

    if (++c->frame < p->frame_start.data[location + 1])
        return true;
    c->stack = p->stacks.data[c->stack].parent;
    if (!c->stack)
        return false;
    c->frame = p->frame_start.data[p->stacks.data[c->stack].location];
    return true;
}

static struct level sampled_functions(struct builder *b)
{
    const struct profile *p = b->p;
    struct level level = {0};

    for (size_t i = 1; i < p->stacks.len; i++) {
        uint64_t count = b->sel->stack_counts[i];
        uint32_t frame = p->frame_start.data[p->stacks.data[i].location];
        struct cursor c = {0, (uint32_t)i, frame, count};

        if (!count)
            continue;
        c.node = step(b, 0, frame, count);
        end_here(b, c.node, frame, count);
        level_add(&level, &c);
    }
    return level;
}

static struct level callers(struct builder *b, const struct level *level,
                            uint64_t least)
{
    struct level next = {0};

    for (size_t i = 0; i < level->cursors.len; i++) {
        struct cursor c = level->cursors.data[i];

        if (b->nodes.data[c.node].inclusive < least || !to_caller(b->p, &c))
            continue;
        c.node = step(b, c.node, c.frame, c.count);
        level_add(&next, &c);
    }
    return next;
}

/* Level by level, so that stacks that have become equal are one, and what
 * is too small is not followed. */
static void build_bottom_up(struct builder *b, uint64_t least)
{
    struct level level = sampled_functions(b);

    while (level.cursors.len) {
        struct level next = callers(b, &level, least);

        level_release(&level);
        level = next;
    }
    level_release(&level);
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
    return (a->name > b->name) - (a->name < b->name);
}

/* One sort of all nodes orders every node's children. */
static void link_children(struct builder *b)
{
    struct calltree_node *nodes = b->nodes.data;
    size_t n = b->nodes.len - 1;
    struct ordered *sorted = mem_new(n, sizeof(*sorted));
    uint32_t *names = name_order(b->p);

    for (uint32_t i = 0; i < n; i++)
        sorted[i] = (struct ordered){nodes[i + 1].inclusive,
                                     names[nodes[i + 1].function], i + 1};
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

struct calltree *calltree_new(const struct profile *p,
                              const struct selection *sel,
                              enum calltree_direction direction,
                              uint64_t least)
{
    struct calltree *tree = mem_new(1, sizeof(*tree));
    struct builder b = {.p = p, .sel = sel};

    *vec_add(&b.nodes) = (struct calltree_node){.function = NO_ID,
                                                .inclusive = sel->samples};
    if (direction == CALLTREE_TOP_DOWN)
        build_top_down(&b);
    else
        build_bottom_up(&b, least);
    link_children(&b);
    map_release(&b.ids);
    tree->nodes = b.nodes.data;
    tree->len = b.nodes.len;
    return tree;
}

void calltree_free(struct calltree *tree)
{
    if (!tree)
        return;
    free(tree->nodes);
    free(tree);
}
