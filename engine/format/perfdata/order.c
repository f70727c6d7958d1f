/*
 * Samples in order of time. The recorder empties the buffers of all CPUs in
 * turn: what is next in order goes not far before the end of what is in order
 * already, and little has to move.
 */
#include "engine/format/perfdata/perfdata.h"

#include <string.h>

#include "engine/base/bisect.h"
#include "engine/base/keysort.h"

/* ---- periods ---- */

/* Most recordings give all samples one period. */
static void begin_periods(struct pd_reading *r)
{
    struct observed_samples *s = &r->samples;

    s->period = mem_new(s->cap, sizeof(*s->period));
    for (size_t i = 0; i < s->len; i++)
        s->period[i] = r->period;
}

void pd_expect(struct pd_reading *r, size_t n, uint64_t least_period,
               uint64_t most_period)
{
    struct observed_samples *s = &r->samples;

    if (!n)
        return;
    observed_samples_reserve(s, n);
    if (!s->len)
        r->period = least_period;
    if (!s->period && (least_period != r->period || most_period != r->period))
        begin_periods(r);
}

/* ---- sorting ---- */

struct sorting {
    struct observed_samples *samples;
    VEC(uint32_t) order; /* of rows: the place each comes from */
    VEC(uint64_t) room;  /* for a column of them */
};

/* Rows from `from` on of a column come into the order. */
#define REORDER(column, t, from)                                               \
    do {                                                                       \
        const uint32_t *order = (t)->order.data;                               \
        size_t n = (t)->order.len, bytes = n * sizeof(*(column));              \
                                                                               \
        for (size_t i = 0; i < n; i++)                                         \
            memcpy((char *)(t)->room.data + i * sizeof(*(column)),             \
                   (column) + (from) + order[i], sizeof(*(column)));           \
        memcpy((column) + (from), (t)->room.data, bytes);                      \
    } while (0)

static void reorder(struct sorting *t, size_t from)
{
    struct observed_samples *s = t->samples;

    t->room.len = 0;
    vec_reserve(&t->room, t->order.len);
    REORDER(s->time, t, from);
    REORDER(s->thread_key, t, from);
    REORDER(s->outer, t, from);
    REORDER(s->inner, t, from);
    REORDER(s->cpu, t, from);
    REORDER(s->flags, t, from);
    REORDER(s->leaf, t, from);
    if (s->period)
        REORDER(s->period, t, from);
}

static uint64_t time_of(const struct observed_samples *s, size_t i)
{
    return (uint64_t)s->time[i];
}

/* For samples in any order. */
static void sort_by_keys(struct sorting *t)
{
    const struct observed_samples *s = t->samples;
    struct keyed *keys = mem_new(s->len, sizeof(*keys));

    for (size_t i = 0; i < s->len; i++)
        keys[i] = (struct keyed){time_of(s, i), (uint32_t)i};
    keysort(keys, s->len);
    t->order.len = 0;
    for (size_t i = 0; i < s->len; i++)
        *vec_add(&t->order) = keys[i].value;
    free(keys);
    reorder(t, 0);
}

/* Where a sample of this time goes behind its equals. */
static size_t place_of(const struct observed_samples *s, size_t n,
                       uint64_t time)
{
    size_t i;

    BISECT(i, n, time_of(s, i) <= time);
    return i;
}

/* Merges [from, middle) and [middle, end), which are in order. */
static void merge(struct sorting *t, size_t from, size_t middle, size_t end)
{
    const struct observed_samples *s = t->samples;
    size_t i = from, j = middle;

    t->order.len = 0;
    vec_reserve(&t->order, end - from);
    while (i < middle || j < end) {
        bool later =
            i == middle || (j < end && time_of(s, j) < time_of(s, i));

        *vec_add(&t->order) = (uint32_t)((later ? j++ : i++) - from);
    }
    reorder(t, from);
}

/* Where those that are in order from `i` on end. */
static size_t end_of_order(const struct observed_samples *s, size_t i)
{
    while (++i < s->len && time_of(s, i - 1) <= time_of(s, i))
        continue;
    return i;
}

void pd_sort_samples(struct pd_reading *r)
{
    enum { MOVES_EACH = 16 };
    const struct observed_samples *s = &r->samples;
    struct sorting t = {.samples = &r->samples};
    size_t moved = 0, end;

    for (size_t middle = s->len ? end_of_order(s, 0) : 0; middle < s->len;
         middle = end) {
        size_t from = place_of(s, middle, time_of(s, middle));

        end = end_of_order(s, middle);
        moved += end - from;
        if (moved / MOVES_EACH > s->len) {
            sort_by_keys(&t);
            break;
        }
        merge(&t, from, middle, end);
    }
    vec_release(&t.order);
    vec_release(&t.room);
}

/* ---- telling ---- */

void pd_tell_samples(struct pd_reading *r)
{
    struct observed_samples *s = &r->samples;

    if (r->options->periods && s->len && !s->period)
        begin_periods(r);
    if (r->options->periods || s->period)
        r->profile->trace.period_of = pd_period_of(r);
    for (size_t i = 0; i < s->len; i++)
        s->time[i] = s->time[i] ? pd_time(r, time_of(s, i)) : 0;
    observe_samples(r->seen, s);
    *s = (struct observed_samples){0};
}
