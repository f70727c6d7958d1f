#include "symbols/find/prefetch.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/threads.h"
#include "symbols/find/online/online.h"

struct slot {
    uint32_t module;
    bool is_wanted;
    uint64_t samples;
    void *result; /* NULL: not there, or taken */
};

struct prefetched {
    const struct prefetch_kind *kind;
    struct slot *slots; /* hottest first */
    uint32_t *slot_of;  /* by module, and 1; 0: none */
    size_t count;
};

/* ---- which modules ---- */

/* By location; to be freed. Idle samples are not counted. */
static uint64_t *count_samples(const struct profile *p)
{
    uint64_t *counts = mem_new(p->locations.len, sizeof(*counts));
    const struct samples *s = &p->samples;

    for (size_t i = 0; i < s->len; i++) {
        uint32_t location = p->stacks.data[s->stack[i]].location;

        if (location != NO_ID && !(s->flags[i] & SAMPLE_IDLE))
            counts[location] += s->weight ? s->weight[i] : 1;
    }
    return counts;
}

static void mark_wanted(const struct profile *p, struct prefetched *ready,
                        const struct asked_about *asked, size_t count)
{
    uint64_t *counts = count_samples(p);

    for (size_t i = 0; i < count; i++) {
        struct slot *slot = &ready->slots[asked[i].subject];

        slot->is_wanted = true;
        for (size_t k = 0; k < asked[i].count; k++)
            slot->samples += counts[asked[i].locations[k]];
    }
    free(counts);
}

static int compare_slots(const void *a, const void *b)
{
    const struct slot *x = a, *y = b;

    if (x->samples != y->samples)
        return x->samples > y->samples ? -1 : 1;
    return (x->module > y->module) - (x->module < y->module);
}

static void sort_wanted(struct prefetched *ready, size_t modules)
{
    for (size_t i = 0; i < modules; i++)
        if (ready->slots[i].is_wanted)
            ready->slots[ready->count++] = ready->slots[i];
    qsort(ready->slots, ready->count, sizeof(*ready->slots), compare_slots);
    for (uint32_t i = 0; i < ready->count; i++)
        ready->slot_of[ready->slots[i].module] = i + 1;
}

static struct prefetched *list_modules(const struct profile *p,
                                       const struct prefetch_kind *kind,
                                       const struct asked_about *asked,
                                       size_t count)
{
    struct prefetched *ready = mem_new(1, sizeof(*ready));
    size_t modules = p->modules.len;

    ready->kind = kind;
    ready->slots = mem_new(modules, sizeof(*ready->slots));
    ready->slot_of = mem_new(modules, sizeof(*ready->slot_of));
    for (uint32_t i = 0; i < modules; i++)
        ready->slots[i].module = i;
    mark_wanted(p, ready, asked, count);
    sort_wanted(ready, modules);
    return ready;
}

/* ---- their files ---- */

struct search {
    const struct profile *p;
    const struct places *places;
    struct prefetched *ready;
};

static void look_for(void *context, size_t task, unsigned worker)
{
    struct search *s = context;
    const struct prefetch_kind *kind = s->ready->kind;
    struct slot *slot = &s->ready->slots[task];

    (void)worker;
    slot->result = mem_new(1, kind->size);
    kind->find(s->p, slot->module, s->places, slot->result);
}

struct prefetched *prefetch(const struct profile *p,
                            const struct places *places,
                            const struct prefetch_kind *kind,
                            const struct asked_about *asked, size_t count)
{
    struct search search = {.p = p, .places = places};
    struct threads *pool;

    if (!places->online)
        return NULL;
    search.ready = list_modules(p, kind, asked, count);
    pool = threads_new(online_requests(places->online));
    threads_run(pool, search.ready->count, look_for, &search);
    threads_free(pool);
    return search.ready;
}

bool prefetch_take(struct prefetched *ready, uint32_t module, void *result)
{
    struct slot *slot;

    if (!ready || !ready->slot_of[module])
        return false;
    slot = &ready->slots[ready->slot_of[module] - 1];
    if (!slot->result)
        return false;
    memcpy(result, slot->result, ready->kind->size);
    free(slot->result);
    slot->result = NULL;
    return true;
}

void prefetch_free(struct prefetched *ready)
{
    if (!ready)
        return;
    for (size_t i = 0; i < ready->count; i++) {
        if (ready->slots[i].result)
            ready->kind->release(ready->slots[i].result);
        free(ready->slots[i].result);
    }
    free(ready->slots);
    free(ready->slot_of);
    free(ready);
}
