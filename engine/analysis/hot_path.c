#include "engine/analysis/hot_path.h"

#include <string.h>

/* A frame on one of the stacks that the path goes along. */
struct hot_place {
    uint32_t stack, frame;
};

struct hot_walk {
    const struct profile *p;
    uint64_t *inclusive; /* by stack */
    struct stack_links links;
    VEC(struct hot_place) here, ahead;
    uint64_t *samples; /* by function, of the places ahead */
};

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

static void hot_path_add(struct hot_path *path, uint32_t function,
                         uint64_t samples)
{
    size_t len = path->steps.len;

    if (len && path->steps.data[len - 1].function == function)
        path->steps.data[len - 1].depth++;
    else
        *vec_add(&path->steps) = (struct hot_step){function, 1, samples};
}

static uint32_t function_at(const struct hot_walk *w, struct hot_place at)
{
    return w->p->frames.data[at.frame].function;
}

/* Goes to the outermost frames of the stacks that this one called. */
static void enter_callees(struct hot_walk *w, uint32_t stack)
{
    for (uint32_t s = w->links.child[stack]; s; s = w->links.sibling[s]) {
        uint32_t location = w->p->stacks.data[s].location;
        uint32_t frame = w->p->frame_start.data[location + 1] - 1;

        *vec_add(&w->ahead) = (struct hot_place){s, frame};
    }
}

/* The function ahead with the most samples, and how many; NO_ID: none. */
static uint32_t hottest_function(struct hot_walk *w, uint64_t *samples)
{
    uint32_t best = NO_ID;

    *samples = 0;
    for (size_t i = 0; i < w->ahead.len; i++)
        w->samples[function_at(w, w->ahead.data[i])] +=
            w->inclusive[w->ahead.data[i].stack];
    for (size_t i = 0; i < w->ahead.len; i++) {
        uint32_t f = function_at(w, w->ahead.data[i]);

        if (w->samples[f] > *samples ||
            (w->samples[f] == *samples && f != best && best != NO_ID &&
             is_before(w->p, f, best))) {
            best = f;
            *samples = w->samples[f];
        }
    }
    for (size_t i = 0; i < w->ahead.len; i++)
        w->samples[function_at(w, w->ahead.data[i])] = 0;
    return best;
}

/* Goes on to the places of one function, and puts ahead what each called: the
 * next frame inlined there, or the stacks below. */
static void step_into(struct hot_walk *w, uint32_t function)
{
    w->here.len = 0;
    for (size_t i = 0; i < w->ahead.len; i++)
        if (function_at(w, w->ahead.data[i]) == function)
            *vec_add(&w->here) = w->ahead.data[i];
    w->ahead.len = 0;
    for (size_t i = 0; i < w->here.len; i++) {
        struct hot_place at = w->here.data[i];
        uint32_t location = w->p->stacks.data[at.stack].location;

        if (at.frame > w->p->frame_start.data[location])
            *vec_add(&w->ahead) = (struct hot_place){at.stack, at.frame - 1};
        else
            enter_callees(w, at.stack);
    }
}

void hot_path_find(struct hot_path *path, const struct profile *p,
                   const struct selection *sel)
{
    struct hot_walk w = {.p = p};
    uint64_t before = 0, samples;
    uint32_t function;

    w.inclusive = stacks_inclusive(p, sel->stack_counts);
    w.links = stack_links_new(p, w.inclusive);
    w.samples = mem_new(p->functions.len, sizeof(*w.samples));
    enter_callees(&w, 0);
    while (function = hottest_function(&w, &samples), samples > before / 2) {
        hot_path_add(path, function, samples);
        before = samples;
        step_into(&w, function);
    }
    stack_links_release(&w.links);
    free(w.inclusive);
    free(w.samples);
    vec_release(&w.here);
    vec_release(&w.ahead);
}

void hot_path_release(struct hot_path *path)
{
    vec_release(&path->steps);
}
