#include "engine/analysis/calltree.h"

#include <string.h>

#include "engine/analysis/calltree_impl.h"
#include "engine/model/labels.h"
#include "engine/model/profile.h"

/* Trees from the sampled functions to their callers. */

/* Samples that agree from their innermost frame up to here, and in all
 * their callers from here on. */
struct cursor {
    uint32_t node;
    uint32_t stack, frame; /* where the node's frame is */
    uint32_t run;          /* how often its function came in a row */
    uint32_t level;        /* of the node */
    bool inlined;          /* one of them was */
    uint64_t count;
};

struct level {
    VEC(struct cursor) cursors;
    struct map ids; /* (node, stack, frame) to cursor, where some may meet */
};

static void level_release(struct level *level)
{
    vec_release(&level->cursors);
    map_release(&level->ids);
}

/* `meets`: another cursor of this level may be at the same place. */
static void level_add(struct level *level, const struct cursor *c, bool meets)
{
    uint32_t fresh = (uint32_t)level->cursors.len, id = fresh;

    if (meets)
        id = map_add(&level->ids, (uint64_t)c->node << 32 | c->stack, c->frame,
                     fresh);
    if (id == fresh) {
        *vec_add(&level->cursors) = *c;
        return;
    }
    level->cursors.data[id].count += c->count;
    if (c->run > level->cursors.data[id].run)
        level->cursors.data[id].run = c->run;
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

/* To the node that the cursor's frame is: the one it is at, if that is the
 * same function again and recursion is folded. */
static void step(struct calltree_builder *b, struct cursor *c)
{
    const struct frame *f = &b->p->frames.data[c->frame];
    struct calltree_node *node = &b->nodes.data[c->node];

    b->tree->steps++;
    if (b->options->fold_recursion && node->kind == CALLTREE_CODE &&
        node->function == f->function) {
        if (++c->run > node->depth)
            node->depth = c->run;
    } else {
        c->node = calltree_child(b, c->node, CALLTREE_CODE, f->function);
        node = &b->nodes.data[c->node];
        node->inclusive += c->count;
        c->run = 1;
        c->level++;
        c->inlined = false;
    }
    if (f->inlined && !c->inlined) {
        b->inlined.data[c->node].inclusive += c->count;
        c->inlined = true;
    }
}

/* Moves to the outermost frame of one of these functions. False: none. */
static bool to_root(const struct profile *p, const bool *root, struct cursor *c)
{
    struct cursor at = *c;
    bool found = false;

    do {
        uint32_t function = p->frames.data[at.frame].function;

        if (!root[function])
            continue;
        c->stack = at.stack;
        c->frame = at.frame;
        found = true;
    } while (to_caller(p, &at));
    return found;
}

static struct level sampled_functions(struct calltree_builder *b)
{
    const struct profile *p = b->p;
    struct level level = {0};

    for (size_t i = 1; i < p->stacks.len; i++) {
        uint64_t count = b->sel->stack_counts[i];
        uint32_t frame = p->frame_start.data[p->stacks.data[i].location];
        struct cursor c = {
            .stack = (uint32_t)i, .frame = frame, .count = count};

        if (!count || (b->options->root && !to_root(p, b->options->root, &c)))
            continue;
        step(b, &c);
        if (!b->options->root)
            calltree_end(b, c.node, frame, count);
        level_add(&level, &c, b->options->root != NULL);
    }
    return level;
}

/* By stack, whether several stacks that lead to samples have it as parent.
 * Only where they do can cursors meet: along a chain none catches up. */
static bool *find_forks(const struct calltree_builder *b)
{
    const struct profile *p = b->p;
    uint64_t *inclusive = stacks_inclusive(p, b->sel->stack_counts);
    bool *entered = mem_new(p->stacks.len, sizeof(*entered));
    bool *forks = mem_new(p->stacks.len, sizeof(*forks));

    for (size_t i = 1; i < p->stacks.len; i++) {
        uint32_t parent = p->stacks.data[i].parent;

        if (!inclusive[i])
            continue;
        forks[parent] = entered[parent];
        entered[parent] = true;
    }
    free(inclusive);
    free(entered);
    return forks;
}

/* Too small, or too deep, for anybody to look at what is below. */
static bool is_end(const struct calltree_builder *b, const struct cursor *c)
{
    const struct calltree_options *o = b->options;

    return b->nodes.data[c->node].inclusive < o->least ||
           (o->deepest && c->level > o->deepest);
}

static struct level callers(struct calltree_builder *b,
                            const struct level *level, const bool *forks)
{
    struct level next = {0};

    for (size_t i = 0; i < level->cursors.len; i++) {
        struct cursor c = level->cursors.data[i];
        uint32_t stack = c.stack;

        if (is_end(b, &c) || !to_caller(b->p, &c))
            continue;
        step(b, &c);
        level_add(&next, &c, c.stack != stack && forks[c.stack]);
    }
    return next;
}

/* Level by level, so that stacks that have become equal are one, and what
 * is too small is not followed. */
void calltree_build_up(struct calltree_builder *b)
{
    struct level level = sampled_functions(b);
    bool *forks = find_forks(b);

    while (level.cursors.len) {
        struct level next = callers(b, &level, forks);

        level_release(&level);
        level = next;
    }
    level_release(&level);
    free(forks);
}

static bool stands_for(const struct calltree_builder *b, uint32_t node,
                       enum calltree_kind kind, uint32_t id)
{
    return node && b->nodes.data[node].kind == kind &&
           b->nodes.data[node].function == id;
}

static void add_node(struct calltree_builder *b,
                     const struct calltree_node *node)
{
    *vec_add(&b->nodes) = *node;
    if (b->any_inlined)
        *vec_add(&b->inlined) = (struct calltree_inlined){0, 0};
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
        add_node(b, &(struct calltree_node){.parent = parent,
                                            .kind = (uint8_t)kind,
                                            .function = id,
                                            .depth = 1});
    return node;
}

/* ---- siblings in order ---- */

/* A function whose place in the order of names is wanted. Most names differ
 * in what they begin with. */
struct named {
    uint64_t beginning;
    uint32_t function;
    uint32_t made; /* its name in `made`, where it has none */
};

struct naming {
    const struct profile *p;
    struct strings *made; /* "clr.dll!+0x1a2b" */
    VEC(struct named) list;
};

/* Of two names, the smaller number is that of the one that comes first. */
static uint64_t beginning_of(const char *name)
{
    uint64_t n = 0;
    size_t i = 0;

    for (; i < sizeof(n) && name[i]; i++)
        n = n << 8 | (uint8_t)name[i];
    return i ? n << 8 * (sizeof(n) - i) : 0;
}

static const char *name_of(const struct naming *n, const struct named *f)
{
    return f->made ? strings_get(n->made, f->made)
                   : strings_get(n->p->strings,
                                 n->p->functions.data[f->function].name);
}

static int by_name(const void *x, const void *y, void *context)
{
    const struct naming *n = context;
    const struct named *a = x, *b = y;
    int order;

    if (a->beginning != b->beginning)
        return a->beginning < b->beginning ? -1 : 1;
    order = strcmp(name_of(n, a), name_of(n, b));
    if (!order)
        order = strcmp(function_module(n->p, a->function),
                       function_module(n->p, b->function));
    return order ? order
                 : (a->function > b->function) - (a->function < b->function);
}

static void add_name(struct naming *n, uint32_t function)
{
    char text[FUNCTION_NAME_SIZE];
    const char *name = profile_function_name(n->p, function, text);
    struct named one = {beginning_of(name), function, 0};

    if (name == text)
        one.made = strings_add(n->made, text, strlen(text));
    *vec_add(&n->list) = one;
}

static bool has_siblings(const struct calltree_node *nodes, uint32_t node)
{
    uint32_t first = nodes[nodes[node].parent].first_child;

    return nodes[first].next_sibling;
}

/* By function, its place in the order of names, of those that are wanted. */
static uint32_t *name_order(const struct calltree_builder *b)
{
    struct naming naming = {.p = b->p, .made = strings_new()};
    size_t n = b->p->functions.len;
    uint32_t *order = mem_new(n, sizeof(*order));

    for (uint32_t i = 1; i < b->nodes.len; i++)
        if (b->nodes.data[i].kind == CALLTREE_CODE &&
            has_siblings(b->nodes.data, i))
            order[b->nodes.data[i].function] = 1;
    for (uint32_t i = 0; i < n; i++)
        if (order[i])
            add_name(&naming, i);
    if (naming.list.len)
        qsort_r(naming.list.data, naming.list.len, sizeof(*naming.list.data),
                by_name, &naming);
    for (uint32_t i = 0; i < naming.list.len; i++)
        order[naming.list.data[i].function] = i;
    vec_release(&naming.list);
    strings_free(naming.made);
    return order;
}

struct sibling {
    uint64_t inclusive;
    uint32_t name, node;
};

typedef VEC(struct sibling) siblings;

static int by_inclusive(const void *x, const void *y)
{
    const struct sibling *a = x, *b = y;

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

/* Puts the children of a node, which are linked, in order. */
static void order_children(struct calltree_builder *b, uint32_t parent,
                           const uint32_t *names, siblings *list)
{
    struct calltree_node *nodes = b->nodes.data;
    uint32_t next = 0;

    list->len = 0;
    for (uint32_t i = nodes[parent].first_child; i; i = nodes[i].next_sibling)
        *vec_add(list) = (struct sibling){nodes[i].inclusive,
                                          place_of(b->p, names, &nodes[i]), i};
    if (list->len)
        qsort(list->data, list->len, sizeof(*list->data), by_inclusive);
    for (size_t i = list->len; i--;) {
        nodes[list->data[i].node].next_sibling = next;
        next = list->data[i].node;
    }
    nodes[parent].first_child = next;
}

/* Most nodes are only children, and need no place. */
static void link_children(struct calltree_builder *b)
{
    struct calltree_node *nodes = b->nodes.data;
    uint32_t n = (uint32_t)b->nodes.len, *names;
    siblings list = {0};

    for (uint32_t i = 0; i < n; i++)
        nodes[i].first_child = nodes[i].next_sibling = 0;
    for (uint32_t i = n; --i;) {
        nodes[i].next_sibling = nodes[nodes[i].parent].first_child;
        nodes[nodes[i].parent].first_child = i;
    }
    names = name_order(b);
    for (uint32_t i = 0; i < n; i++)
        if (nodes[nodes[i].first_child].next_sibling)
            order_children(b, i, names, &list);
    free(names);
    vec_release(&list);
}

void calltree_free(struct calltree *tree)
{
    if (!tree)
        return;
    free(tree->nodes);
    free(tree->inlined);
    vec_release(&tree->folded);
    free(tree);
}

struct calltree *calltree_build(const struct profile *p,
                                const struct selection *sel,
                                const struct calltree_options *options)
{
    struct calltree *tree = mem_new(1, sizeof(*tree));
    struct calltree_builder b = {.p = p,
                                 .sel = sel,
                                 .options = options,
                                 .tree = tree,
                                 .any_inlined = inlines_any(p)};

    add_node(&b, &(struct calltree_node){.kind = CALLTREE_ROOT,
                                         .function = NO_ID,
                                         .inclusive = sel->samples});
    if (options->direction == CALLTREE_TOP_DOWN)
        calltree_build_down(&b);
    else
        calltree_build_up(&b);
    map_release(&b.ids);
    link_children(&b);
    tree->nodes = b.nodes.data;
    tree->len = b.nodes.len;
    tree->inlined = b.inlined.data;
    tree->direction = options->direction;
    tree->rooted = options->root != NULL;
    return tree;
}

uint64_t calltree_exclusive(const struct calltree *tree, uint32_t node)
{
    const struct calltree_node *n = &tree->nodes[node];
    uint64_t rest = n->inclusive;

    if (n->kind != CALLTREE_CODE && n->kind != CALLTREE_STARTUP)
        return 0;
    if (tree->direction == CALLTREE_BOTTOM_UP)
        return n->parent || tree->rooted ? 0 : rest;
    for (uint32_t i = n->first_child; i; i = tree->nodes[i].next_sibling)
        rest -= tree->nodes[i].inclusive;
    return rest;
}

struct calltree_inlined calltree_inlined(const struct calltree *tree,
                                         uint32_t node)
{
    return tree->inlined ? tree->inlined[node]
                         : (struct calltree_inlined){0, 0};
}

struct calltree *calltree_new(const struct profile *p,
                              const struct selection *sel,
                              enum calltree_direction direction, uint64_t least)
{
    struct calltree_options options = {.direction = direction, .least = least};

    return calltree_build(p, sel, &options);
}
