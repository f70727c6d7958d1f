#include "engine/format/etl/pending.h"

#include <string.h>

/* By half; once there are some to judge by, for all that are expected, in
 * reason. */
static size_t next_cap(const struct etl_pending *p)
{
    enum { FIRST = 4096, ENOUGH = 1 << 15, MOST_TIMES = 128 };
    size_t by_half = p->cap + p->cap / 2, most = p->cap * MOST_TIMES;

    if (p->cap >= ENOUGH && p->expected > by_half)
        return p->expected < most ? p->expected : most;
    return p->cap ? by_half : FIRST;
}

void etl_pending_reserve(struct etl_pending *p)
{
    size_t cap = next_cap(p);

#define ENLARGE(column)                                                        \
    p->column = mem_resize(p->column, cap, sizeof(*p->column))
    ENLARGE(time);
    ENLARGE(thread_key);
    ENLARGE(outer);
    ENLARGE(inner);
    ENLARGE(cpu);
    ENLARGE(flags);
    ENLARGE(kinds);
    if (p->weight)
        ENLARGE(weight);
#undef ENLARGE
    p->cap = cap;
}

static void begin_weights(struct etl_pending *p)
{
    p->weight = mem_resize(NULL, p->cap, sizeof(*p->weight));
    for (size_t i = 0; i < p->len; i++)
        p->weight[i] = 1;
}

void etl_pending_weigh(struct etl_pending *p, uint32_t sample, uint64_t weight)
{
    if (!p->weight)
        begin_weights(p);
    p->weight[sample] = weight;
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
    };

    for (uint32_t i = 0; i < p->len; i++)
        samples.leaf[i] = etl_pending_inner(p, i).kind == PART_ADDRESS;
    *p = (struct etl_pending){0};
    observe_samples(seen, &samples);
}
