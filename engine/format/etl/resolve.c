#include "engine/format/etl/resolve.h"

#include "engine/base/threads.h"

struct resolving {
    struct etl_pending *samples;
    const struct etl_keys *keys;
};

enum { SAMPLES_A_TASK = 1 << 16, AHEAD = 8 };

/* What the outer part of a sample that comes soon may refer to is fetched. */
static void fetch_soon(const struct resolving *r, size_t i, size_t end)
{
    uint32_t id = i + AHEAD < end ? r->samples->outer[i + AHEAD] : NO_ID;

    if (id < r->keys->references.len)
        mem_fetch(&r->keys->references.data[id]);
}

static void resolve_some(void *context, size_t task, unsigned worker)
{
    const struct resolving *r = context;
    size_t from = task * SAMPLES_A_TASK, to = from + SAMPLES_A_TASK;

    (void)worker;
    if (to > r->samples->len)
        to = r->samples->len;
    for (size_t i = from; i < to; i++) {
        fetch_soon(r, i, to);
        etl_resolve_so_far(r->samples, r->keys, (uint32_t)i);
    }
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

    threads_run(pool, tasks, resolve_some, &(struct resolving){samples, keys});
    threads_free(pool);
    for (uint32_t i = 0; i < samples->len; i++)
        if (etl_pending_has_key(samples, i))
            stand_in(samples, keys, runs, kernel_from, i);
}
