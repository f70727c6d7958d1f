#include "engine/format/etl/closed.h"

#include "engine/base/bisect.h"

/* Samples of one time, by thread: the first of each. */
struct equal_samples {
    struct map ids; /* (tid, cpu + 1 for thread 0) -> sample */
    uint32_t end;   /* those before it are entered */
};

/* A time that samples are looked for at. */
struct moment {
    const struct etl_pending *samples;
    const struct observations *seen;
    uint32_t first; /* sample of it */
};

enum { FEW_AT_ONCE = 64 };

static uint32_t tid_of(const struct moment *m, uint32_t sample)
{
    return m->seen->thread_keys.data[m->samples->thread_key[sample]].tid;
}

/* Enters what has come since into the table of the moment's samples. */
static struct equal_samples *index_equals(struct etl_closed *closed,
                                          const struct moment *m)
{
    const struct etl_pending *p = m->samples;
    uint32_t fresh = (uint32_t)closed->equals.len;
    uint32_t id = map_add(&closed->ids, m->first, 0, fresh);
    struct equal_samples *e;

    if (id == fresh)
        *vec_add(&closed->equals) = (struct equal_samples){.end = m->first};
    e = &closed->equals.data[id];
    for (; e->end < p->len && p->time[e->end] == p->time[m->first]; e->end++) {
        uint32_t tid = tid_of(m, e->end);

        closed->steps++;
        map_add(&e->ids, tid, tid ? 0 : p->cpu[e->end] + 1u, e->end);
    }
    return e;
}

static uint32_t find_among_equals(struct etl_closed *closed,
                                  const struct moment *m, uint32_t tid,
                                  uint16_t cpu)
{
    uint32_t at =
        map_get(&index_equals(closed, m)->ids, tid, tid ? 0 : cpu + 1u);

    return at == MAP_NONE ? NO_ID : at;
}

/* The first sample that is not before `time`: mostly one of the latest, so
 * the search begins at the end, by steps that double. */
static size_t first_at(const struct etl_pending *samples, int64_t time)
{
    size_t behind = 1, from, at;

    while (behind < samples->len &&
           samples->time[samples->len - behind] >= time)
        behind *= 2;
    from = behind < samples->len ? samples->len - behind : 0;
    BISECT(at, samples->len - from, samples->time[from + at] < time);
    return from + at;
}

uint32_t etl_closed_find(struct etl_closed *closed,
                         const struct etl_pending *samples,
                         const struct observations *seen, int64_t time,
                         uint32_t tid, uint16_t cpu)
{
    struct moment m = {.samples = samples, .seen = seen};
    size_t first = first_at(samples, time);

    m.first = (uint32_t)first;
    for (size_t i = first; i < samples->len && samples->time[i] == time; i++) {
        closed->steps++;
        if (tid_of(&m, (uint32_t)i) == tid && (tid || samples->cpu[i] == cpu))
            return (uint32_t)i;
        if (i - first == FEW_AT_ONCE)
            return find_among_equals(closed, &m, tid, cpu);
    }
    return NO_ID;
}

void etl_closed_release(struct etl_closed *closed)
{
    map_release(&closed->ids);
    for (size_t i = 0; i < closed->equals.len; i++)
        map_release(&closed->equals.data[i].ids);
    vec_release(&closed->equals);
}
