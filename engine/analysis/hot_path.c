#include <string.h>

#include "engine/analysis/hot_path_impl.h"

/* What the functions that are called next have in samples. */
struct next {
    uint32_t function;
    uint64_t samples;
};

/* Callees of one step. */
struct called {
    VEC(struct next) list;
    uint32_t *index; /* by function, plus one; 0: not called */
};

static uint32_t function_of(const struct profile *p,
                            const struct hot_place *place)
{
    return p->frames.data[place->frame].function;
}

static void count_called(struct called *called, const struct hot_walk *w)
{
    for (size_t i = 0; i < called->list.len; i++)
        called->index[called->list.data[i].function] = 0;
    called->list.len = 0;
    for (size_t i = 0; i < w->ahead.len; i++) {
        uint32_t function = function_of(w->p, &w->ahead.data[i]);
        uint32_t *index = &called->index[function];

        if (!*index) {
            *vec_add(&called->list) = (struct next){function, 0};
            *index = (uint32_t)called->list.len;
        }
        called->list.data[*index - 1].samples += w->ahead.data[i].samples;
    }
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

static struct next largest(const struct called *called, const struct profile *p)
{
    struct next best = {NO_ID, 0};

    for (size_t i = 0; i < called->list.len; i++) {
        const struct next *n = &called->list.data[i];

        if (n->samples > best.samples ||
            (n->samples == best.samples && best.function != NO_ID &&
             is_before(p, n->function, best.function)))
            best = *n;
    }
    return best;
}

/* The frames right below a place: the next one inlined there, or those of the
 * locations that it called. */
static void look_below(struct hot_walk *w, const struct hot_stacks *stacks,
                       const struct hot_place *place)
{
    struct hot_place next = *place;

    if (place->frame == place->innermost) {
        stacks->below(w, place);
        return;
    }
    next.frame--;
    *vec_add(&w->ahead) = next;
}

/* Goes on from those places ahead that are of one function. */
static void step_to(struct hot_walk *w, const struct hot_stacks *stacks,
                    uint32_t function)
{
    struct hot_places here = w->ahead;

    w->ahead = w->here;
    w->ahead.len = 0;
    w->here = here;
    vec_reserve(&w->ahead, here.len);
    for (size_t i = 0; i < here.len; i++)
        if (function_of(w->p, &here.data[i]) == function)
            look_below(w, stacks, &here.data[i]);
}

static void add_step(struct hot_path *path, const struct next *n)
{
    size_t len = path->steps.len;

    if (len && path->steps.data[len - 1].function == n->function)
        path->steps.data[len - 1].depth++;
    else
        *vec_add(&path->steps) = (struct hot_step){n->function, 1, n->samples};
}

void hot_path_find(struct hot_path *path, const struct profile *p,
                   const struct selection *sel)
{
    const struct hot_stacks *stacks =
        p->rows.stacks.len ? &hot_rows : &hot_tree;
    struct hot_walk w = {.p = p, .sel = sel};
    struct called called = {.index =
                                mem_new(p->functions.len, sizeof(uint32_t))};
    uint64_t before = 0;

    stacks->begin(&w);
    for (;;) {
        struct next n;

        count_called(&called, &w);
        n = largest(&called, p);
        if (n.function == NO_ID || n.samples <= before / 2)
            break;
        add_step(path, &n);
        before = n.samples;
        step_to(&w, stacks, n.function);
    }
    stacks->end(&w);
    vec_release(&w.here);
    vec_release(&w.ahead);
    vec_release(&called.list);
    free(called.index);
}

void hot_path_release(struct hot_path *path)
{
    vec_release(&path->steps);
}
