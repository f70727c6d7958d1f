/*
 * Samples in order of time. The recorder empties the buffers of all CPUs in
 * turn: what is next in order goes not far before the end of what is in order
 * already, and little has to move.
 */
#include "engine/format/perfdata/perfdata.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/bisect.h"
#include "engine/base/keysort.h"
#include "engine/base/threads.h"

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

/* To wake threads takes as long as to reorder a few thousand rows. */
enum { COLUMNS = 8, FEW = 1 << 14 };

struct sorting {
    struct observed_samples *samples;
    struct threads *pool;
    VEC(uint32_t) order; /* of rows: the place each comes from */
    size_t from;         /* the first of them */
    VEC(uint64_t) * room; /* for a column of them, by thread */
};

/* Rows from `from` on of a column come into the order. */
#define REORDER(column)                                                        \
    do {                                                                       \
        char *to = (char *)t->room[worker].data;                               \
                                                                               \
        for (size_t i = 0; i < n; i++)                                         \
            memcpy(to + i * sizeof(*(column)), (column) + t->from + order[i],  \
                   sizeof(*(column)));                                         \
        memcpy((column) + t->from, to, n * sizeof(*(column)));                 \
    } while (0)

static void reorder_column(void *context, size_t column, unsigned worker)
{
    struct sorting *t = context;
    struct observed_samples *s = t->samples;
    const uint32_t *order = t->order.data;
    size_t n = t->order.len;

    vec_reserve(&t->room[worker], n);
    switch (column) {
    case 0:
        REORDER(s->time);
        break;
    case 1:
        REORDER(s->thread_key);
        break;
    case 2:
        REORDER(s->outer);
        break;
    case 3:
        REORDER(s->inner);
        break;
    case 4:
        REORDER(s->cpu);
        break;
    case 5:
        REORDER(s->flags);
        break;
    case 6:
        REORDER(s->leaf);
        break;
    case 7:
        if (s->period)
            REORDER(s->period);
        break;
    }
}

static void reorder(struct sorting *t, size_t from)
{
    t->from = from;
    if (t->order.len >= FEW) {
        threads_run(t->pool, COLUMNS, reorder_column, t);
        return;
    }
    for (size_t i = 0; i < COLUMNS; i++)
        reorder_column(t, i, 0);
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

/* Merges [from, middle) and [middle, end), which are in order. Which one is
 * next nobody foresees, so that no jump depends on it. */
static void merge(struct sorting *t, size_t from, size_t middle, size_t end)
{
    const int64_t *time = t->samples->time;
    size_t i = from, j = middle;
    uint32_t *to;

    t->order.len = 0;
    vec_reserve(&t->order, end - from);
    to = t->order.data;
    while (i < middle && j < end) {
        bool later = (uint64_t)time[j] < (uint64_t)time[i];

        *to++ = (uint32_t)(i + (later ? j - i : 0) - from);
        i += !later;
        j += later;
    }
    while (i < middle)
        *to++ = (uint32_t)(i++ - from);
    while (j < end)
        *to++ = (uint32_t)(j++ - from);
    t->order.len = end - from;
    reorder(t, from);
}

/* Where those that are in order from `i` on end. */
static size_t end_of_order(const struct observed_samples *s, size_t i)
{
    while (++i < s->len && time_of(s, i - 1) <= time_of(s, i))
        continue;
    return i;
}

static void sort(struct sorting *t)
{
    enum { MOVES_EACH = 16 };
    const struct observed_samples *s = t->samples;
    size_t moved = 0, end;

    for (size_t middle = s->len ? end_of_order(s, 0) : 0; middle < s->len;
         middle = end) {
        size_t from = place_of(s, middle, time_of(s, middle));

        end = end_of_order(s, middle);
        moved += end - from;
        if (moved / MOVES_EACH > s->len) {
            sort_by_keys(t);
            return;
        }
        merge(t, from, middle, end);
    }
}

void pd_sort_samples(struct pd_reading *r)
{
    bool few = r->samples.len < FEW;
    struct sorting t = {.samples = &r->samples,
                        .pool = threads_new(few ? 1 : r->options->threads)};
    unsigned threads = threads_count(t.pool);

    t.room = mem_new(threads, sizeof(*t.room));
    sort(&t);
    for (unsigned i = 0; i < threads; i++)
        vec_release(&t.room[i]);
    free(t.room);
    vec_release(&t.order);
    threads_free(t.pool);
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
