#include <string.h>

#include "engine/analysis/hot_path_impl.h"

struct hot_callees hot_callees_of(const struct profile *p)
{
    return (struct hot_callees){
        .index = mem_new_table(p->functions.len, sizeof(uint32_t))};
}

void hot_callees_release(struct hot_callees *callees)
{
    vec_release(&callees->list);
    free(callees->index);
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

void hot_callees_move(struct hot_callees *from, struct hot_callees *to)
{
    for (size_t i = 0; i < from->list.len; i++) {
        const struct hot_callee *c = &from->list.data[i];

        from->index[c->function] = 0;
        hot_callees_add(to, c->function, c->samples);
    }
    from->list.len = 0;
}

struct hot_callee hot_callees_take(struct hot_callees *callees,
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

void hot_path_add(struct hot_path *path, const struct hot_callee *step)
{
    size_t len = path->steps.len;

    if (len && path->steps.data[len - 1].function == step->function)
        path->steps.data[len - 1].depth++;
    else
        *vec_add(&path->steps) =
            (struct hot_step){step->function, 1, step->samples};
}

void hot_path_find(struct hot_path *path, const struct profile *p,
                   const struct selection *sel)
{
    if (sel->row_counts)
        hot_path_of_rows(path, p, sel);
    else
        hot_path_of_tree(path, p, sel);
}

void hot_path_release(struct hot_path *path)
{
    vec_release(&path->steps);
}
