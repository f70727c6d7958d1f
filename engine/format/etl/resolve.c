#include "engine/format/etl/resolve.h"

#include "engine/base/threads.h"

struct resolving {
    struct etl_pending *samples;
    const struct etl_keys *keys;
    bool *left; /* by task: it has keys without frames */
};

enum { SAMPLES_A_TASK = 1 << 16 };

static size_t end_of_task(const struct etl_pending *samples, size_t task)
{
    size_t to = (task + 1) * SAMPLES_A_TASK;

    return to < samples->len ? to : samples->len;
}

static void resolve_some(void *context, size_t task, unsigned worker)
{
    const struct resolving *r = context;
    size_t to = end_of_task(r->samples, task);
    bool left = false;

    (void)worker;
    for (size_t i = task * SAMPLES_A_TASK; i < to; i++) {
        etl_resolve_so_far(r->samples, r->keys, (uint32_t)i);
        left |= etl_pending_has_key(r->samples, (uint32_t)i);
    }
    r->left[task] = left;
}

/* Of a sample with keys that were never defined. */
static void stand_in(struct etl_pending *samples, const struct etl_keys *keys,
                     struct etl_runs *runs, uint64_t kernel_from,
                     uint32_t sample)
{
    uint64_t address = 0;
    struct etl_part outer = etl_keys_resolve(
        keys, etl_pending_outer(samples, sample), &address);
    struct etl_part inner = etl_keys_resolve(
        keys, etl_pending_inner(samples, sample), &address);

    if (address && !inner.kind)
        inner = etl_runs_stand_in(runs, outer, address, kernel_from);
    etl_pending_set(samples, sample, outer, inner);
}

void etl_resolve(struct etl_pending *samples, const struct etl_keys *keys,
                 struct etl_runs *runs, uint64_t kernel_from, unsigned threads)
{
    size_t tasks = samples->len / SAMPLES_A_TASK + 1;
    struct threads *pool = threads_new_for(tasks, threads);
    struct resolving r = {samples, keys, mem_new(tasks, sizeof(*r.left))};

    threads_run(pool, tasks, resolve_some, &r);
    threads_free(pool);
    for (size_t t = 0; t < tasks; t++) {
        size_t to = r.left[t] ? end_of_task(samples, t) : 0;

        for (size_t i = t * SAMPLES_A_TASK; i < to; i++)
            if (etl_pending_has_key(samples, (uint32_t)i))
                stand_in(samples, keys, runs, kernel_from, (uint32_t)i);
    }
    free(r.left);
}
