#include "engine/analysis/calltree_impl.h"

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
    uint64_t *inclusive = selection_inclusive(p, b->sel);
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
