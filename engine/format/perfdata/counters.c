/*
 * Counters that were read when a sample was taken: of its event and, in a
 * group, of the others, which take no samples of their own. A value counts
 * from the beginning, so that a sample stands for what came since the sample
 * before, and is one of the events whose counters went on. (format.md,
 * section 5.2)
 */
#include "engine/format/perfdata/perfdata.h"

#include <stdlib.h>

#include "engine/base/keysort.h"

/* A counter that is below its last value began anew. */
static void take_differences(struct pd_reading *r)
{
    struct keyed *order = mem_new(r->counters.len, sizeof(*order));
    struct map ids = {0}; /* (id, thread) -> index of: */
    VEC(uint64_t) last = {0};

    for (size_t i = 0; i < r->counters.len; i++)
        order[i] = (struct keyed){r->counters.data[i].time, (uint32_t)i};
    keysort(order, r->counters.len);
    for (size_t i = 0; i < r->counters.len; i++) {
        struct pd_counter *c = &r->counters.data[order[i].value];
        uint32_t fresh = mem_next_id(last.len);
        uint32_t at = map_add(&ids, c->id, c->tid, fresh);
        uint64_t before;

        if (at == fresh)
            *vec_add(&last) = 0;
        before = last.data[at];
        last.data[at] = c->value;
        c->value -= before <= c->value ? before : 0;
        r->events.data[c->event].count += c->value && !r->again;
    }
    vec_release(&last);
    map_release(&ids);
    free(order);
}

static void keep_row(struct observed_samples *s, size_t to, size_t from)
{
    s->time[to] = s->time[from];
    s->thread_key[to] = s->thread_key[from];
    s->outer[to] = s->outer[from];
    s->inner[to] = s->inner[from];
    s->cpu[to] = s->cpu[from];
    s->flags[to] = s->flags[from];
    s->leaf[to] = s->leaf[from];
}

void pd_resolve_counters(struct pd_reading *r)
{
    struct observed_samples *s = &r->samples;
    size_t kept = 0;

    if (!r->counters.len)
        return;
    take_differences(r);
    for (size_t i = 0; s->period && i < s->len; i++) {
        uint64_t period = s->period[i];

        if (period & PD_COUNTED)
            period = r->counters.data[period & ~PD_COUNTED].value;
        if (!period && (s->period[i] & PD_COUNTED))
            continue;
        keep_row(s, kept, i);
        s->period[kept++] = period < PD_PERIOD_MOST ? period : PD_PERIOD_MOST;
    }
    if (s->period)
        s->len = kept;
    r->counters.len = 0;
}
