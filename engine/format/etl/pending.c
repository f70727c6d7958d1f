#include "engine/format/etl/pending.h"

#include <string.h>

/* By half; of a large log, at once for all that are expected, in reason: what
 * was not touched before gets huge pages. */
static size_t next_cap(const struct etl_pending *p)
{
    enum { FIRST = 4096, MANY = 1 << 19, MOST_TIMES = 4 };

    if (p->cap >= MANY && p->expected > p->cap + p->cap / 2)
        return p->expected < MOST_TIMES * p->cap ? p->expected
                                                 : MOST_TIMES * p->cap;
    return p->cap ? p->cap + p->cap / 2 : FIRST;
}

void etl_pending_reserve(struct etl_pending *p)
{
    size_t cap = next_cap(p);

    p->time = mem_resize(p->time, cap, sizeof(*p->time));
    p->thread_key = mem_resize(p->thread_key, cap, sizeof(*p->thread_key));
    p->outer = mem_resize(p->outer, cap, sizeof(*p->outer));
    p->inner = mem_resize(p->inner, cap, sizeof(*p->inner));
    p->cpu = mem_resize(p->cpu, cap, sizeof(*p->cpu));
    p->flags = mem_resize(p->flags, cap, sizeof(*p->flags));
    p->kinds = mem_resize(p->kinds, cap, sizeof(*p->kinds));
    if (p->weight)
        p->weight = mem_resize(p->weight, cap, sizeof(*p->weight));
    if (p->until)
        p->until = mem_resize(p->until, cap, sizeof(*p->until));
    p->cap = cap;
}

static void begin_weights(struct etl_pending *p)
{
    p->weight = mem_resize(NULL, p->cap, sizeof(*p->weight));
    for (size_t i = 0; i < p->len; i++)
        p->weight[i] = 1;
}

void etl_pending_weigh(struct etl_pending *p, uint32_t sample, uint32_t weight)
{
    if (!p->weight)
        begin_weights(p);
    p->weight[sample] = weight;
}

void etl_pending_begin_folding(struct etl_pending *p)
{
    if (!p->weight)
        begin_weights(p);
    if (p->until)
        return;
    p->until = mem_resize(NULL, p->cap, sizeof(*p->until));
    memcpy(p->until, p->time, p->len * sizeof(*p->until));
}

void etl_pending_give(struct etl_pending *p, struct observations *seen)
{
    struct observed_samples samples = {
        .len = p->len,
        .cap = p->cap,
        .time = p->time,
        .thread_key = p->thread_key,
        .outer = p->outer,
        .inner = p->inner,
        .cpu = p->cpu,
        .flags = p->flags,
        .weight = p->weight,
        .leaf = p->kinds,
        .until = p->until,
        .apart = p->until && p->unordered,
    };

    for (uint32_t i = 0; i < p->len; i++)
        samples.leaf[i] = etl_pending_inner(p, i).kind == PART_ADDRESS;
    *p = (struct etl_pending){0};
    observe_samples(seen, &samples);
}
