#include "engine/analysis/hot_path.h"

#include <string.h>

/* Samples of a function that is called next. */
struct hot_callee {
    uint32_t function;
    uint64_t samples;
};

/* The callees of one step. */
struct hot_callees {
    VEC(struct hot_callee) list;
    uint32_t *index; /* by function, plus one; 0: not called */
};

static void hot_callees_add(struct hot_callees *callees,
                                   uint32_t function, uint64_t samples)
{
    uint32_t *index = &callees->index[function];

    if (!*index) {
        *vec_add(&callees->list) = (struct hot_callee){function, 0};
        *index = (uint32_t)callees->list.len;
    }
    callees->list.data[*index - 1].samples += samples;
}

static bool is_before(const struct profile *p, uint32_t a, uint32_t b)
{
    const struct function *x = &p->functions.data[a];
    const struct function *y = &p->functions.data[b];
    int order = strcmp(strings_get(p->strings, x->name),
                       strings_get(p->strings, y->name));

    if (!order)
        order = strcmp(strings_get(p->strings, x->module),
                       strings_get(p->strings, y->module));
    if (!order)
        return x->address < y->address;
    return order < 0;
}

/* The one with most samples, and NO_ID if there is none; forgets all. */
static struct hot_callee hot_callees_take(struct hot_callees *callees,
                                          const struct profile *p)
{
    struct hot_callee best = {NO_ID, 0};

    for (size_t i = 0; i < callees->list.len; i++) {
        const struct hot_callee *c = &callees->list.data[i];

        callees->index[c->function] = 0;
        if (c->samples > best.samples ||
            (c->samples == best.samples && best.function != NO_ID &&
             is_before(p, c->function, best.function)))
            best = *c;
    }
    callees->list.len = 0;
    return best;
}

static void hot_path_add(struct hot_path *path, const struct hot_callee *step)
{
    size_t len = path->steps.len;

    if (len && path->steps.data[len - 1].function == step->function)
        path->steps.data[len - 1].depth++;
    else
        *vec_add(&path->steps) =
            (struct hot_step){step->function, 1, step->samples};
}

/* A frame of one call path: `frame` of the location of `stack`, and the
 * samples there and farther in. */
struct place {
    uint64_t samples;
    uint32_t stack, frame;
    uint32_t chain; /* the stack's */
    uint32_t joint; /* the first one that is not farther out */
};

struct walk {
    const struct profile *p;
    const struct selection *sel;
    const struct preorder *order;
    uint64_t *of_chain; /* samples there and in what parts from it */
    VEC(struct place) here, ahead;
    struct hot_callees callees;
};

/* Branches of a chain have higher numbers than the chain. */
static void add_up_chains(struct walk *w)
{
    const struct preorder *o = w->order;

    w->of_chain = mem_new(o->len, sizeof(*w->of_chain));
    for (size_t c = o->len; c--;) {
        uint64_t samples = 0;

        for (uint32_t s = o->chains[c].stack; s < o->chains[c + 1].stack; s++)
            samples += w->sel->stack_counts[s];
        for (uint32_t j = o->chains[c].joint; j < o->chains[c + 1].joint; j++)
            samples += w->of_chain[o->joints[j]];
        w->of_chain[c] = samples;
    }
}

/* To the outermost frame of a stack's location. */
static void enter(struct walk *w, uint32_t stack, uint32_t chain,
                  uint32_t joint, uint64_t samples)
{
    uint32_t location = w->p->stacks.data[stack].location;
    uint32_t frame = w->p->frame_start.data[location + 1] - 1;

    *vec_add(&w->ahead) = (struct place){samples, stack, frame, chain, joint};
}

/* Enters the chains that part from a stack; `joint` becomes the one behind
 * them. Returns their samples. */
static uint64_t enter_chains(struct walk *w, uint32_t stack, uint32_t *joint,
                             uint32_t end)
{
    uint64_t samples = 0;

    for (; *joint < end; ++*joint) {
        uint32_t chain = w->order->joints[*joint];
        uint32_t first = w->order->chains[chain].stack;

        if (w->p->stacks.data[first].parent != stack)
            break;
        samples += w->of_chain[chain];
        if (w->of_chain[chain])
            enter(w, first, chain, w->order->chains[chain].joint,
                  w->of_chain[chain]);
    }
    return samples;
}

/* The frames right below a place: the next one inlined there, or those of the
 * stacks that it called. */
static void look_below(struct walk *w, struct place at)
{
    const struct chain_start *chain = &w->order->chains[at.chain];
    uint32_t location = w->p->stacks.data[at.stack].location;

    if (at.frame > w->p->frame_start.data[location]) {
        at.frame--;
        *vec_add(&w->ahead) = at;
        return;
    }
    at.samples -= w->sel->stack_counts[at.stack];
    at.samples -= enter_chains(w, at.stack, &at.joint, chain[1].joint);
    if (at.samples)
        enter(w, at.stack + 1, at.chain, at.joint, at.samples);
}

static uint32_t function_of(const struct walk *w, struct place at)
{
    return w->p->frames.data[at.frame].function;
}

static struct hot_callee next_step(struct walk *w)
{
    for (size_t i = 0; i < w->ahead.len; i++)
        hot_callees_add(&w->callees, function_of(w, w->ahead.data[i]),
                        w->ahead.data[i].samples);
    return hot_callees_take(&w->callees, w->p);
}

/* Goes on to the places of one function among those ahead. */
static void step_to(struct walk *w, uint32_t function)
{
    w->here.len = 0;
    for (size_t i = 0; i < w->ahead.len; i++)
        if (function_of(w, w->ahead.data[i]) == function)
            *vec_add(&w->here) = w->ahead.data[i];
    w->ahead.len = 0;
}

void hot_path_find(struct hot_path *path, const struct profile *p,
                   const struct selection *sel)
{
    struct walk w = {.p = p,
                     .sel = sel,
                     .order = preorder_of(p),
                     .callees.index =
                         mem_new(p->functions.len, sizeof(uint32_t))};
    struct hot_callee next;
    uint64_t before = 0;
    uint32_t root = 0;

    add_up_chains(&w);
    enter_chains(&w, 0, &root, w.order->len ? w.order->chains[0].joint : 0);
    while ((next = next_step(&w)).samples > before / 2) {
        hot_path_add(path, &next);
        before = next.samples;
        step_to(&w, next.function);
        for (size_t i = 0; i < w.here.len; i++)
            look_below(&w, w.here.data[i]);
    }
    free(w.of_chain);
    vec_release(&w.here);
    vec_release(&w.ahead);
    vec_release(&w.callees.list);
    free(w.callees.index);
}

void hot_path_release(struct hot_path *path)
{
    vec_release(&path->steps);
}
