#include "engine/analysis/call_edges.h"

#include <string.h>

#include "engine/analysis/rank.h"

/* A function that was asked for and one next to it on a stack. */
struct neighbour {
    uint32_t slot, function;
    bool is_caller;
    uint32_t seen; /* the last stack that counted it */
    uint64_t samples;
};

struct counting {
    const struct profile *p;
    uint32_t *slots; /* by function; NO_ID: not asked for */
    struct map ids;
    VEC(struct neighbour) neighbours;
};

static void count(struct counting *c, uint32_t slot, uint32_t function,
                  bool is_caller, uint32_t stack, uint64_t samples)
{
    uint32_t fresh = (uint32_t)c->neighbours.len;
    uint32_t id = map_add(&c->ids, (uint64_t)slot << 32 | function, is_caller,
                          fresh);
    struct neighbour *n;

    if (id == fresh)
        *vec_add(&c->neighbours) =
            (struct neighbour){slot, function, is_caller, 0, 0};
    n = &c->neighbours.data[id];
    if (n->seen == stack)
        return;
    n->seen = stack;
    n->samples += samples;
}

/* From the innermost frame out; `inner` is what the frame called. */
static void count_stack(struct counting *c, uint32_t stack, uint64_t samples)
{
    const struct profile *p = c->p;
    uint32_t inner = NO_ID;

    for (uint32_t at = stack; at; at = p->stacks.data[at].parent) {
        uint32_t location = p->stacks.data[at].location;
        uint32_t end = p->frame_start.data[location + 1];

        for (uint32_t i = p->frame_start.data[location]; i < end; i++) {
            uint32_t function = p->frames.data[i].function;

            if (c->slots[function] != NO_ID)
                count(c, c->slots[function], inner, false, stack, samples);
            if (inner != NO_ID && c->slots[inner] != NO_ID)
                count(c, c->slots[inner], function, true, stack, samples);
            inner = function;
        }
    }
    if (c->slots[inner] != NO_ID)
        count(c, c->slots[inner], NO_ID, true, stack, samples);
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

void call_edges_count(const struct profile *p, const struct selection *sel,
                      const uint32_t *functions, size_t n,
                      struct function_calls *calls)
{
    struct counting c = {.p = p};

    c.slots = mem_new(p->functions.len, sizeof(*c.slots));
    memset(c.slots, 0xFF, p->functions.len * sizeof(*c.slots));
    memset(calls, 0, n * sizeof(*calls));
    for (uint32_t i = 0; i < n; i++)
        c.slots[functions[i]] = i;
    for (uint32_t i = 1; i < p->stacks.len; i++)
        if (sel->stack_counts[i])
            count_stack(&c, i, sel->stack_counts[i]);
    distribute(&c, calls);
    for (size_t i = 0; i < n; i++) {
        sort_calls(p, calls[i].callers.data, calls[i].callers.len);
        sort_calls(p, calls[i].callees.data, calls[i].callees.len);
    }
    vec_release(&c.neighbours);
    map_release(&c.ids);
    free(c.slots);
}

void call_edges_release(struct function_calls *calls, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        vec_release(&calls[i].callers);
        vec_release(&calls[i].callees);
    }
}
