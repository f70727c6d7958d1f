#include "engine/analysis/call_edges.h"

#include <string.h>

#include "engine/model/labels.h"

/* A function that was asked for and one next to it on a stack. */
struct neighbour {
    uint32_t slot, function;
    bool is_caller;
    uint32_t open; /* how often it is on the path to where the walk is */
    uint64_t samples;
};

/*
 * Stacks are a tree, which is walked once: samples at and below a stack count
 * for the pairs that its frames make, unless one further out made the same.
 */
struct counting {
    const struct profile *p;
    const struct selection *sel;
    uint64_t *inclusive; /* by stack */
    uint32_t *slots; /* by function; NO_ID: not asked for */
    struct map ids;
    VEC(struct neighbour) neighbours;
    VEC(uint32_t) opened; /* neighbours, by the stacks of the path */
    VEC(size_t) ends;     /* by these stacks: how many there were before */
    size_t steps;
};

static uint32_t neighbour(struct counting *c, uint32_t slot,
                          uint32_t function, bool is_caller)
{
    uint32_t fresh = (uint32_t)c->neighbours.len;
    uint32_t id = map_add(&c->ids, (uint64_t)slot << 32 | function, is_caller,
                          fresh);

    if (id == fresh)
        *vec_add(&c->neighbours) =
            (struct neighbour){slot, function, is_caller, 0, 0};
    return id;
}

static void open_pair(struct counting *c, uint32_t function, uint32_t other,
                      bool is_caller, uint64_t samples)
{
    uint32_t id;

    if (function == NO_ID || c->slots[function] == NO_ID)
        return;
    id = neighbour(c, c->slots[function], other, is_caller);
    if (!c->neighbours.data[id].open++)
        c->neighbours.data[id].samples += samples;
    *vec_add(&c->opened) = id;
}

/* From its outermost frame in. */
static void open_pairs(void *context, uint32_t stack)
{
    struct counting *c = context;
    const struct profile *p = c->p;
    uint32_t location = p->stacks.data[stack].location, inner;
    uint32_t parent = p->stacks.data[stack].parent;
    uint32_t outer = parent
                         ? profile_innermost(p, p->stacks.data[parent].location)
                         : NO_ID,
             id;

    *vec_add(&c->ends) = c->opened.len;
    for (uint32_t i = p->frame_start.data[location + 1];
         i-- > p->frame_start.data[location]; outer = inner) {
        inner = p->frames.data[i].function;
        open_pair(c, outer, inner, false, c->inclusive[stack]);
        open_pair(c, inner, outer, true, c->inclusive[stack]);
        c->steps++;
    }
    if (c->slots[outer] == NO_ID || !c->sel->stack_counts[stack])
        return;
    id = neighbour(c, c->slots[outer], NO_ID, false);
    c->neighbours.data[id].samples += c->sel->stack_counts[stack];
}

static void close_pairs(void *context, uint32_t stack)
{
    struct counting *c = context;
    size_t end = c->ends.data[--c->ends.len];

    (void)stack;
    while (c->opened.len > end)
        c->neighbours.data[c->opened.data[--c->opened.len]].open--;
}

struct named_count {
    const char *name, *module;
    struct call_count count;
};

static int by_samples(const void *x, const void *y)
{
    const struct named_count *a = x, *b = y;
    int order;

    if (a->count.samples != b->count.samples)
        return a->count.samples < b->count.samples ? 1 : -1;
    order = strcmp(a->name, b->name);
    if (!order)
        order = strcmp(a->module, b->module);
    return order ? order
                 : (a->count.function > b->count.function) -
                       (a->count.function < b->count.function);
}

static void sort_calls(const struct profile *p, struct call_count *calls,
                       size_t n)
{
    struct named_count *named = mem_new(n, sizeof(*named));
    struct arena scratch = {0};

    for (size_t i = 0; i < n; i++) {
        uint32_t f = calls[i].function;

        named[i] = (struct named_count){"", "", calls[i]};
        if (f == NO_ID)
            continue;
        named[i].name = function_name(p, f, &scratch);
        named[i].module = function_module(p, f);
    }
    if (n)
        qsort(named, n, sizeof(*named), by_samples);
    for (size_t i = 0; i < n; i++)
        calls[i] = named[i].count;
    arena_release(&scratch);
    free(named);
}

static void distribute(const struct counting *c, struct function_calls *calls)
{
    for (size_t i = 0; i < c->neighbours.len; i++) {
        const struct neighbour *n = &c->neighbours.data[i];
        struct call_count call = {n->function, n->samples};

        if (n->is_caller)
            *vec_add(&calls[n->slot].callers) = call;
        else
            *vec_add(&calls[n->slot].callees) = call;
    }
}

size_t call_edges_count(const struct profile *p, const struct selection *sel,
                        const uint32_t *functions, size_t n,
                        struct function_calls *calls)
{
    struct counting c = {.p = p, .sel = sel};

    c.slots = mem_new(p->functions.len, sizeof(*c.slots));
    memset(c.slots, 0xFF, p->functions.len * sizeof(*c.slots));
    memset(calls, 0, n * sizeof(*calls));
    for (uint32_t i = 0; i < n; i++)
        c.slots[functions[i]] = i;
    c.inclusive = stacks_inclusive(p, sel->stack_counts);
    stacks_walk(p, c.inclusive, open_pairs, close_pairs, &c);
    distribute(&c, calls);
    for (size_t i = 0; i < n; i++) {
        sort_calls(p, calls[i].callers.data, calls[i].callers.len);
        sort_calls(p, calls[i].callees.data, calls[i].callees.len);
    }
    vec_release(&c.neighbours);
    vec_release(&c.opened);
    vec_release(&c.ends);
    map_release(&c.ids);
    free(c.inclusive);
    free(c.slots);
    return c.steps;
}

void call_edges_release(struct function_calls *calls, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        vec_release(&calls[i].callers);
        vec_release(&calls[i].callees);
    }
}
