#include "engine/analysis/hot_path.h"

#include <string.h>

/* A frame of one call path: `frame` of the location of `stack`. */
struct place {
    uint32_t stack, frame;
};

/* What the functions that are called next have in samples. */
struct next {
    uint32_t function;
    uint64_t samples;
};

struct walk {
    const struct profile *p;
    uint64_t *inclusive;                  /* by stack */
    uint32_t *first_child, *next_sibling; /* by stack; 0: none */
    VEC(struct place) here, ahead;
    VEC(struct next) called;
    struct map called_ids; /* function -> index */
};

static void link_children(struct walk *w)
{
    size_t n = w->p->stacks.len;

    w->first_child = mem_new(n, sizeof(*w->first_child));
    w->next_sibling = mem_new(n, sizeof(*w->next_sibling));
    for (uint32_t i = (uint32_t)n; i-- > 1;) {
        uint32_t parent = w->p->stacks.data[i].parent;

        w->next_sibling[i] = w->first_child[parent];
        w->first_child[parent] = i;
    }
}

/* The outermost frame of a stack's location. */
static struct place enter(const struct walk *w, uint32_t stack)
{
    uint32_t location = w->p->stacks.data[stack].location;

    return (struct place){stack, w->p->frame_start.data[location + 1] - 1};
}

/* The frames right below a place: the next one inlined there, or those of the
 * stacks that it called. */
static void look_below(struct walk *w, struct place at)
{
    uint32_t location;

    if (at.stack) {
        location = w->p->stacks.data[at.stack].location;
        if (at.frame > w->p->frame_start.data[location]) {
            *vec_add(&w->ahead) = (struct place){at.stack, at.frame - 1};
            return;
        }
    }
    for (uint32_t i = w->first_child[at.stack]; i; i = w->next_sibling[i])
        if (w->inclusive[i])
            *vec_add(&w->ahead) = enter(w, i);
}

static uint32_t function_of(const struct walk *w, struct place at)
{
    return w->p->frames.data[at.frame].function;
}

static void count_called(struct walk *w)
{
    map_release(&w->called_ids);
    w->called.len = 0;
    for (size_t i = 0; i < w->ahead.len; i++) {
        uint32_t function = function_of(w, w->ahead.data[i]);
        uint32_t fresh = (uint32_t)w->called.len;
        uint32_t id = map_add(&w->called_ids, function, 0, fresh);

        if (id == fresh)
            *vec_add(&w->called) = (struct next){function, 0};
        w->called.data[id].samples += w->inclusive[w->ahead.data[i].stack];
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

static struct next largest(const struct walk *w)
{
    struct next best = {NO_ID, 0};

    for (size_t i = 0; i < w->called.len; i++) {
        const struct next *n = &w->called.data[i];

        if (n->samples > best.samples ||
            (n->samples == best.samples && best.function != NO_ID &&
             is_before(w->p, n->function, best.function)))
            best = *n;
    }
    return best;
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
    struct walk w = {.p = p, .inclusive = selection_inclusive(p, sel)};
    uint64_t before = 0;

    link_children(&w);
    *vec_add(&w.here) = (struct place){0, 0};
    while (w.here.len) {
        struct next n;

        for (size_t i = 0; i < w.here.len; i++)
            look_below(&w, w.here.data[i]);
        count_called(&w);
        n = largest(&w);
        if (n.function == NO_ID || n.samples <= before / 2)
            break;
        add_step(path, &n);
        before = n.samples;
        step_to(&w, n.function);
    }
    free(w.inclusive);
    free(w.first_child);
    free(w.next_sibling);
    vec_release(&w.here);
    vec_release(&w.ahead);
    vec_release(&w.called);
    map_release(&w.called_ids);
}

void hot_path_release(struct hot_path *path)
{
    vec_release(&path->steps);
}
