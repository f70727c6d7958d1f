#include <string.h>

#include "engine/analysis/calltree_impl.h"
#include "engine/analysis/filter.h"
#include "engine/analysis/startup.h"

/* Trees from the outermost callers down. */

/* The node of a stack's innermost frame, and what folding needs to know of the
 * frames before it. There may be millions of them. */
struct place {
    uint32_t node;      /* NO_ID: still outside of what is shown */
    uint32_t run : 24;  /* how often the node's function came in a row */
    bool inlined : 1;   /* one of them was */
    bool met : 1;       /* the stack is in this round */
    uint32_t phase : 6; /* enum startup_phase */
};

/* Stacks of one owner are laid below its node in rounds. */
struct laying {
    struct calltree_builder *b;
    uint8_t *classes; /* by function, startup.h; NULL: no start-up is folded */
    /* By stack. */
    uint8_t *parts;      /* enum part */
    uint64_t *inclusive; /* in this round; zero otherwise */
    struct place *places;
    VEC(uint32_t) stacks; /* of this round, parents first */
    uint32_t top;         /* the node that they are below */
    enum startup_phase end;
};

/* Stacks of which different frames are folded are laid one part after the
 * other: they may share frames that only one of them folds. */
enum part { PART_PLAIN, PART_SYSTEM, PART_ALL, PARTS };

/* ---- what becomes of a stack ---- */

static enum part part_of(enum startup_phase phase)
{
    return phase == STARTUP_ENDED_ALL      ? PART_ALL
           : phase == STARTUP_ENDED_SYSTEM ? PART_SYSTEM
                                           : PART_PLAIN;
}

/* After the frames of a stack's location. */
static uint8_t phase_after(const struct laying *l, uint32_t stack,
                           uint8_t before)
{
    const struct profile *p = l->b->p;
    uint32_t location = p->stacks.data[stack].location;
    uint32_t first = p->frame_start.data[location];
    enum startup_phase phase = before;

    for (uint32_t f = p->frame_start.data[location + 1]; f-- > first;)
        phase = startup_next(phase, l->classes[p->frames.data[f].function]);
    return (uint8_t)phase;
}

static void find_startup(struct laying *l)
{
    size_t n = l->b->p->stacks.len;

    l->classes = startup_classes(l->b->p);
    for (uint32_t i = 1; i < n; i++)
        l->parts[i] =
            phase_after(l, i, l->parts[l->b->p->stacks.data[i].parent]);
    for (size_t i = 1; i < n; i++)
        l->parts[i] = (uint8_t)part_of((enum startup_phase)l->parts[i]);
}

/* ---- one frame ---- */

static void note_folded(struct calltree *tree, uint32_t module)
{
    for (size_t i = 0; i < tree->folded.len; i++)
        if (tree->folded.data[i] == module)
            return;
    *vec_add(&tree->folded) = module;
}

static bool is_folded(const struct laying *l, struct place *at,
                      uint32_t function)
{
    if (l->end == STARTUP_ENDED_NONE)
        return false;
    at->phase =
        startup_next((enum startup_phase)at->phase, l->classes[function]);
    return startup_folds((enum startup_phase)at->phase, l->end);
}

static void fold(struct laying *l, struct place *at, uint32_t function,
                 uint64_t count)
{
    struct calltree_builder *b = l->b;

    note_folded(b->tree, b->p->functions.data[function].module);
    if (at->node != l->top)
        return;
    at->node = calltree_child(b, l->top, CALLTREE_STARTUP, NO_ID);
    b->nodes.data[at->node].inclusive += count;
}

static bool is_again(const struct laying *l, const struct place *at,
                     uint32_t function)
{
    const struct calltree_node *node = &l->b->nodes.data[at->node];

    return l->b->options->fold_recursion && node->kind == CALLTREE_CODE &&
           node->function == function;
}

static void lay_frame(struct laying *l, struct place *at, uint32_t frame,
                      uint64_t count)
{
    struct calltree_builder *b = l->b;
    const struct frame *f = &b->p->frames.data[frame];
    struct calltree_node *node;

    if (at->node == NO_ID) {
        if (!b->options->root[f->function])
            return;
        at->node = l->top;
    }
    if (b->options->only && !b->options->only[f->function])
        return;
    if (is_folded(l, at, f->function)) {
        fold(l, at, f->function, count);
        return;
    }
    if (is_again(l, at, f->function)) {
        node = &b->nodes.data[at->node];
        if (++at->run > node->depth)
            node->depth = at->run;
    } else {
        at->node = calltree_child(b, at->node, CALLTREE_CODE, f->function);
        node = &b->nodes.data[at->node];
        node->inclusive += count;
        at->run = 1;
        at->inlined = false;
    }
    if (f->inlined && !at->inlined) {
        b->inlined.data[at->node].inclusive += count;
        at->inlined = true;
    }
}

/* ---- many stacks ---- */

/* A stack's node is below its parent's; its location's frames are laid down
 * outermost first. */
static void lay_stack(struct laying *l, uint32_t stack)
{
    const struct profile *p = l->b->p;
    const struct stack *s = &p->stacks.data[stack];
    uint32_t first = p->frame_start.data[s->location];
    struct place at = {.node = l->b->options->root ? NO_ID : l->top,
                       .met = true};

    if (s->parent)
        at = l->places[s->parent];
    for (uint32_t f = p->frame_start.data[s->location + 1]; f-- > first;)
        lay_frame(l, &at, f, l->inclusive[stack]);
    l->places[stack] = at;
}

/* Puts a stack and its callers behind those that are there already. */
static void gather(struct laying *l, uint32_t stack)
{
    const struct stack *stacks = l->b->p->stacks.data;
    size_t first = l->stacks.len, last;

    for (; stack && !l->places[stack].met; stack = stacks[stack].parent) {
        l->places[stack].met = true;
        *vec_add(&l->stacks) = stack;
    }
    for (last = l->stacks.len; first + 1 < last; first++) {
        uint32_t swap = l->stacks.data[first];

        l->stacks.data[first] = l->stacks.data[--last];
        l->stacks.data[last] = swap;
    }
}

/* Samples were taken in the innermost frame of a stack that is laid. */
static void end_stack(const struct laying *l, const struct owned_stack *s)
{
    const struct profile *p = l->b->p;
    uint32_t location = p->stacks.data[s->stack].location;

    if (l->places[s->stack].node != NO_ID)
        calltree_end(l->b, l->places[s->stack].node,
                     p->frame_start.data[location], s->count);
}

static void lay_round(struct laying *l, const struct owned_stack *owned,
                      size_t n, enum part part)
{
    const struct stack *stacks = l->b->p->stacks.data;

    for (size_t i = l->stacks.len; i--;) {
        uint32_t stack = l->stacks.data[i];

        l->inclusive[stacks[stack].parent] += l->inclusive[stack];
    }
    for (size_t i = 0; i < l->stacks.len; i++)
        lay_stack(l, l->stacks.data[i]);
    for (size_t i = 0; i < n; i++)
        if (l->parts[owned[i].stack] == part)
            end_stack(l, &owned[i]);
    for (size_t i = 0; i < l->stacks.len; i++) {
        l->inclusive[l->stacks.data[i]] = 0;
        l->places[l->stacks.data[i]].met = false;
    }
    l->stacks.len = 0;
}

/* The stacks of one thread or process, or of all, below a node. */
static void lay_stacks(struct laying *l, const struct owned_stack *stacks,
                       size_t n, uint32_t top)
{
    static const enum startup_phase ends[PARTS] = {
        STARTUP_ENDED_NONE, STARTUP_ENDED_SYSTEM, STARTUP_ENDED_ALL};

    l->top = top;
    for (int part = 0; part < PARTS; part++) {
        l->end = ends[part];
        for (size_t i = 0; i < n; i++) {
            if (l->parts[stacks[i].stack] != part)
                continue;
            gather(l, stacks[i].stack);
            l->inclusive[stacks[i].stack] = stacks[i].count;
        }
        lay_round(l, stacks, n, (enum part)part);
    }
}

/* ---- levels ---- */

/* By process, how many of its threads have samples. */
static uint32_t *count_threads(const struct laying *l, const owned_stacks *list)
{
    const struct profile *p = l->b->p;
    uint32_t *threads = mem_new(p->processes.len, sizeof(*threads));

    for (size_t i = 0; i < list->len; i++) {
        uint32_t thread = list->data[i].owner;

        if (!i || thread != list->data[i - 1].owner)
            threads[p->threads.data[thread].process]++;
    }
    return threads;
}

/* Goes down to the node of a process or a thread, with `count` samples. */
static uint32_t enter(struct calltree_builder *b, uint32_t above,
                      enum calltree_kind kind, uint32_t life, uint64_t count)
{
    uint32_t node = calltree_child(b, above, kind, life);

    b->nodes.data[node].inclusive += count;
    return node;
}

static void lay_lives(struct laying *l, const owned_stacks *list)
{
    const struct calltree_options *o = l->b->options;
    const struct owned_stack *rows = list->data;
    uint32_t *threads = o->threads ? count_threads(l, list) : NULL;

    for (size_t i = 0, end; i < list->len; i = end) {
        uint32_t node = 0, owner = rows[i].owner, process = owner;
        uint64_t count = 0;

        for (end = i; end < list->len && rows[end].owner == owner;)
            count += rows[end++].count;
        if (o->threads)
            process = l->b->p->threads.data[owner].process;
        if (o->processes)
            node = enter(l->b, node, CALLTREE_PROCESS, process, count);
        if (o->threads && (!o->processes || threads[process] > 1))
            node = enter(l->b, node, CALLTREE_THREAD, owner, count);
        if (count >= o->least)
            lay_stacks(l, rows + i, end - i, node);
    }
    free(threads);
}

void calltree_build_down(struct calltree_builder *b)
{
    const struct calltree_options *o = b->options;
    size_t n = b->p->stacks.len;
    struct laying l = {.b = b};
    owned_stacks list = {0};

    l.parts = mem_new(n, sizeof(*l.parts));
    l.inclusive = mem_new(n, sizeof(*l.inclusive));
    l.places = mem_new(n, sizeof(*l.places));
    if (o->fold_startup && !o->root)
        find_startup(&l);
    if (o->processes || o->threads) {
        owned_stacks_count(&list, b->p, b->sel, o->threads);
        owned_stacks_sort(&list);
        lay_lives(&l, &list);
    } else {
        const uint64_t *counts = l.b->sel->stack_counts;

        /* There is one owner: all. */
        for (uint32_t i = 1; i < l.b->p->stacks.len; i++)
            if (counts[i])
                *vec_add(&list) =
                    (struct owned_stack){.stack = i, .count = counts[i]};
        lay_stacks(&l, list.data, list.len, 0);
    }
    free(l.classes);
    free(l.parts);
    free(l.inclusive);
    free(l.places);
    vec_release(&l.stacks);
    vec_release(&list);
}
