#include "engine/sql/frame_groups.h"

#include <stdlib.h>
#include <string.h>

struct ordering {
    struct frame_texts *texts;
    const struct frame_term *list;
    size_t count;
};

void frame_groups_init(struct frame_groups *g, struct frame_texts *texts)
{
    uint32_t count = (uint32_t)texts->p->functions.len;

    g->texts = texts;
    g->at = g->counts.len = 0;
    for (uint32_t i = 0; i < count; i++)
        *vec_add(&g->counts) = (struct function_count){i, 0};
}

/* As SQL orders: NULL first, texts by their bytes; a column has one type. */
static int compare_values(const struct frame_value *x,
                          const struct frame_value *y)
{
    size_t n = x->len < y->len ? x->len : y->len;
    int result;

    if (x->type == SQLITE_NULL || y->type == SQLITE_NULL)
        return (x->type != SQLITE_NULL) - (y->type != SQLITE_NULL);
    if (x->type == SQLITE_INTEGER)
        return (x->number > y->number) - (x->number < y->number);
    result = n ? memcmp(x->text, y->text, n) : 0;
    return result ? result : (x->len > y->len) - (x->len < y->len);
}

static int compare(const void *left, const void *right, void *context)
{
    const struct function_count *a = left, *b = right;
    const struct ordering *order = context;

    for (size_t i = 0; i < order->count; i++) {
        struct frame_value x, y;
        int result;

        frame_function_value(order->texts, order->list[i].column, a->function,
                             &x);
        frame_function_value(order->texts, order->list[i].column, b->function,
                             &y);
        result = compare_values(&x, &y);
        if (result)
            return order->list[i].descending ? -result : result;
    }
    return (a->function > b->function) - (a->function < b->function);
}

void frame_groups_sort(struct frame_groups *g, const struct frame_term *order,
                       size_t orders, bool distinct)
{
    struct ordering ordering = {g->texts, order, orders};
    size_t kept = 0;

    for (size_t i = 0; i < g->counts.len; i++)
        if (g->counts.data[i].frames)
            g->counts.data[kept++] = g->counts.data[i];
    g->counts.len = kept;
    for (size_t i = 0; distinct && i < kept; i++)
        g->counts.data[i].frames = 1;
    if (kept)
        qsort_r(g->counts.data, kept, sizeof(*g->counts.data), compare,
                &ordering);
    g->at = 0;
}

bool frame_groups_more(const struct frame_groups *g)
{
    return g->at < g->counts.len;
}

uint32_t frame_groups_function(const struct frame_groups *g)
{
    return g->counts.data[g->at].function;
}

void frame_groups_next(struct frame_groups *g)
{
    if (!--g->counts.data[g->at].frames)
        g->at++;
}

void frame_groups_release(struct frame_groups *g)
{
    vec_release(&g->counts);
    g->at = 0;
}
