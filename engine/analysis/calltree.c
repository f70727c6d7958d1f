#include "engine/analysis/calltree.h"

#include <string.h>

#include "engine/analysis/calltree_impl.h"
#include "engine/model/labels.h"

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
static void calltree_build_up(struct calltree_builder *b)
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

struct sorting {
    const struct profile *p;
    const struct calltree_node *nodes;
    const char **names; /* by function; NULL: not made yet */
    struct arena made;
};

static const char *sibling_name(struct sorting *s, uint32_t function)
{
    if (!s->names[function])
        s->names[function] = function_name(s->p, function, &s->made);
    return s->names[function];
}

/* Processes and threads go by their numbers, functions by name, then module. */
static int by_place(struct sorting *s, const struct calltree_node *a,
                    const struct calltree_node *b)
{
    const struct process *processes = s->p->processes.data;
    const struct thread *threads = s->p->threads.data;
    uint32_t x = a->function, y = b->function;
    int order;

    if (a->kind != b->kind)
        return a->kind == CALLTREE_CODE ? 1 : -1;
    if (a->kind == CALLTREE_PROCESS)
        return processes[x].pid == processes[y].pid  ? 0
               : processes[x].pid < processes[y].pid ? -1
                                                     : 1;
    if (a->kind == CALLTREE_THREAD)
        return threads[x].tid == threads[y].tid  ? 0
               : threads[x].tid < threads[y].tid ? -1
                                                 : 1;
    order = strcmp(sibling_name(s, x), sibling_name(s, y));
    if (!order)
        order = strcmp(function_module(s->p, x), function_module(s->p, y));
    return order ? order : (x > y) - (x < y);
}

static int by_inclusive(const void *x, const void *y, void *context)
{
    struct sorting *s = context;
    uint32_t m = *(const uint32_t *)x, n = *(const uint32_t *)y;
    const struct calltree_node *a = &s->nodes[m], *b = &s->nodes[n];
    int order;

    if (a->inclusive != b->inclusive)
        return a->inclusive < b->inclusive ? 1 : -1;
    order = by_place(s, a, b);
    return order ? order : (m > n) - (m < n);
}

static void link_children(struct calltree_builder *b)
{
    struct calltree_node *nodes = b->nodes.data;
    uint32_t n = (uint32_t)b->nodes.len, next;
    struct sorting sorting = {.p = b->p, .nodes = nodes};
    VEC(uint32_t) list = {0};

    sorting.names = mem_new(b->p->functions.len, sizeof(*sorting.names));
    for (uint32_t i = 0; i < n; i++)
        nodes[i].first_child = nodes[i].next_sibling = 0;
    for (uint32_t i = n; --i;) {
        nodes[i].next_sibling = nodes[nodes[i].parent].first_child;
        nodes[nodes[i].parent].first_child = i;
    }
    for (uint32_t parent = 0; parent < n; parent++) {
        if (!nodes[nodes[parent].first_child].next_sibling)
            continue;
        list.len = next = 0;
        for (uint32_t i = nodes[parent].first_child; i;
             i = nodes[i].next_sibling)
            *vec_add(&list) = i;
        if (list.len)
            qsort_r(list.data, list.len, sizeof(*list.data), by_inclusive,
                    &sorting);
        for (size_t i = list.len; i--; next = list.data[i])
            nodes[list.data[i]].next_sibling = next;
        nodes[parent].first_child = next;
    }
    free(sorting.names);
    arena_release(&sorting.made);
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
