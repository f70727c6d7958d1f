/*
 * pending - samples whose parts may still come.
 *
 *     uint32_t sample = etl_pending_add(pending, &(struct etl_sample){...});
 *     etl_pending_set(pending, sample, user, kernel);
 *     etl_pending_give(pending, seen);
 *
 * A part says itself whether it is frames or still a key (keys.h): `outer` and
 * `inner` are ids of what `kinds` tells. They are columns of the kind that is
 * handed on, so that memory holds millions of them once.
 */
#ifndef TOPFN_ETL_PENDING_H
#define TOPFN_ETL_PENDING_H

#include "engine/attribution/observations.h"
#include "engine/format/etl/keys.h"

struct etl_sample {
    int64_t time;
    uint32_t thread_key;
    uint16_t cpu;
    uint16_t flags;
};

struct etl_pending {
    size_t len, cap;
    size_t expected; /* of the whole log, roughly; 0: not known */
    int64_t *time;
    uint32_t *thread_key, *outer, *inner;
    uint16_t *cpu;
    uint16_t *flags;
    uint64_t *weight; /* NULL: 1 each */
    uint8_t *kinds; /* of the outer part; times 16, of the inner one */
};

static inline struct etl_part etl_pending_outer(const struct etl_pending *p,
                                                uint32_t sample)
{
    return (struct etl_part){p->outer[sample], p->kinds[sample] & 15};
}

static inline struct etl_part etl_pending_inner(const struct etl_pending *p,
                                                uint32_t sample)
{
    return (struct etl_part){p->inner[sample], p->kinds[sample] >> 4};
}

static inline bool etl_pending_has_key(const struct etl_pending *p,
                                       uint32_t sample)
{
    return etl_pending_outer(p, sample).kind == PART_KEY ||
           etl_pending_inner(p, sample).kind == PART_KEY;
}

static inline void etl_pending_set(struct etl_pending *p, uint32_t sample,
                                   struct etl_part outer,
                                   struct etl_part inner)
{
    p->outer[sample] = outer.id;
    p->inner[sample] = inner.id;
    p->kinds[sample] = (uint8_t)(outer.kind | inner.kind << 4);
}

/* Makes room for more: etl_pending_add does it. */
void etl_pending_reserve(struct etl_pending *pending);

/* The number of a new sample without parts. */
static inline uint32_t etl_pending_add(struct etl_pending *p,
                                       const struct etl_sample *sample)
{
    uint32_t i = mem_next_id(p->len);

    if (p->len++ == p->cap)
        etl_pending_reserve(p);
    p->time[i] = sample->time;
    p->thread_key[i] = sample->thread_key;
    p->cpu[i] = sample->cpu;
    p->flags[i] = sample->flags;
    if (p->weight)
        p->weight[i] = 1;
    etl_pending_set(p, i, etl_no_part, etl_no_part);
    return i;
}

/* What it counts, unless that is 1. */
void etl_pending_weigh(struct etl_pending *pending, uint32_t sample,
                       uint64_t weight);

/* Reports all, whose parts are keys no more; none are left. */
void etl_pending_give(struct etl_pending *pending, struct observations *seen);

#endif
