#include "engine/sql/event_groups.h"

#include <stdlib.h>
#include <string.h>

#include "engine/sql/event_values.h"

struct ordering {
    const struct event_order *list;
    size_t count;
};

void event_groups_count(struct event_groups *g, const struct event_kind *kind)
{
    while (g->counts.len <= kind->index)
        *vec_add(&g->counts) = (struct kind_count){NULL, 0};
    g->counts.data[kind->index].kind = kind;
    g->counts.data[kind->index].events++;
}

/* As SQL orders: NULL first, texts by their bytes. */
static int compare_values(const struct kind_value *x,
                          const struct kind_value *y)
{
    if (!x->is_text)
        return (x->number > y->number) - (x->number < y->number);
    if (!x->text || !y->text)
        return (x->text != NULL) - (y->text != NULL);
    return strcmp(x->text, y->text);
}

static int compare(const void *left, const void *right, void *context)
{
    const struct kind_count *a = left, *b = right;
    const struct ordering *order = context;

    for (size_t i = 0; i < order->count; i++) {
        struct kind_value x, y;
        int result;

        kind_value(a->kind, order->list[i].column, &x);
        kind_value(b->kind, order->list[i].column, &y);
        result = compare_values(&x, &y);
        if (result)
            return order->list[i].descending ? -result : result;
    }
    return (a->kind->index > b->kind->index) -
           (a->kind->index < b->kind->index);
}

void event_groups_sort(struct event_groups *g, const struct event_order *order,
                       size_t orders, bool distinct)
{
    struct ordering ordering = {order, orders};
    size_t kept = 0;

    for (size_t i = 0; i < g->counts.len; i++)
        if (g->counts.data[i].events)
            g->counts.data[kept++] = g->counts.data[i];
    g->counts.len = kept;
    for (size_t i = 0; distinct && i < kept; i++)
        g->counts.data[i].events = 1;
    if (kept)
        qsort_r(g->counts.data, kept, sizeof(*g->counts.data), compare,
                &ordering);
    g->at = 0;
}

const struct event_kind *event_groups_kind(const struct event_groups *g)
{
    return g->at < g->counts.len ? g->counts.data[g->at].kind : NULL;
}

void event_groups_next(struct event_groups *g)
{
    if (!--g->counts.data[g->at].events)
        g->at++;
}

void event_groups_release(struct event_groups *g)
{
    vec_release(&g->counts);
    g->at = 0;
}
