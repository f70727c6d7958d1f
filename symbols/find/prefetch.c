#include "symbols/find/prefetch.h"

#include <stdlib.h>

#include "engine/base/threads.h"
#include "symbols/find/online/online.h"

struct hot_module {
    uint32_t module;
    uint64_t samples;
};

static int compare_hot(const void *a, const void *b)
{
    const struct hot_module *x = a, *y = b;

    if (x->samples != y->samples)
        return x->samples > y->samples ? -1 : 1;
    return (x->module > y->module) - (x->module < y->module);
}

struct search {
    struct hot_module *modules;
    void (*find)(void *context, uint32_t module);
    void *context;
};

static void find_one(void *context, size_t task, unsigned worker)
{
    struct search *s = context;

    (void)worker;
    s->find(s->context, s->modules[task].module);
}

void prefetch(const struct profile *p, const struct places *places,
              const struct asked_about *asked, size_t count,
              void (*find)(void *context, uint32_t module), void *context)
{
    struct search search = {.find = find, .context = context};
    struct threads *pool;
    const struct samples *s = &p->samples;
    uint64_t *samples; /* by location, without idle ones */

    if (!places->online)
        return;
    search.modules = mem_new(count, sizeof(*search.modules));
    samples = mem_new(p->locations.len, sizeof(*samples));
    for (size_t i = 0; i < s->len; i++) {
        uint32_t location = p->stacks.data[s->stack[i]].location;

        if (location != NO_ID && !(s->flags[i] & SAMPLE_IDLE))
            samples[location] += s->weight ? s->weight[i] : 1;
    }
    for (size_t i = 0; i < count; i++) {
        search.modules[i].module = asked[i].subject;
        for (size_t k = 0; k < asked[i].count; k++)
            search.modules[i].samples += samples[asked[i].locations[k]];
    }
    qsort(search.modules, count, sizeof(*search.modules), compare_hot);
    pool = threads_new(online_requests(places->online));
    threads_run(pool, count, find_one, &search);
    threads_free(pool);
    free(samples);
    free(search.modules);
}
