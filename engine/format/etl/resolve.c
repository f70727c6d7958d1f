#include "engine/format/etl/resolve.h"

#include "engine/base/threads.h"

struct resolving {
    struct etl_pending *samples;
    const struct etl_keys *keys;
};

/* The parts of a sample; what is to stand in for one, or 0. */
struct parts {
    struct etl_part outer, inner;
    uint64_t address;
};

static inline struct parts resolve(const struct etl_pending *samples,
                            const struct etl_keys *keys, uint32_t sample)
{
    struct parts parts = {.address = 0};

    parts.outer = etl_keys_resolve(keys, etl_pending_outer(samples, sample),
                                   &parts.address);
    parts.inner = etl_keys_resolve(keys, etl_pending_inner(samples, sample),
                                   &parts.address);
    if (parts.inner.kind)
        parts.address = 0;
    return parts;
}

enum { SAMPLES_A_TASK = 1 << 16, AHEAD = 8 };

/* What the outer part of a sample that comes soon may refer to is fetched. */
static void fetch_soon(const struct resolving *r, size_t i, size_t end)
{
    uint32_t id = i + AHEAD < end ? r->samples->outer[i + AHEAD] : NO_ID;

    if (id < r->keys->references.len)
        mem_fetch(&r->keys->references.data[id]);
}

/* Those that an address is to stand in for keep their keys. */
static void resolve_some(void *context, size_t task, unsigned worker)
{
    const struct resolving *r = context;
    size_t from = task * SAMPLES_A_TASK, to = from + SAMPLES_A_TASK;

    (void)worker;
    if (to > r->samples->len)
        to = r->samples->len;
    for (size_t i = from; i < to; i++) {
        uint32_t sample = (uint32_t)i;
        struct parts parts;

        fetch_soon(r, i, to);
        if (!etl_pending_has_key(r->samples, sample))
            continue;
        parts = resolve(r->samples, r->keys, sample);
        if (!parts.address)
            etl_pending_set(r->samples, sample, parts.outer, parts.inner);
    }
}

void etl_resolve(struct etl_pending *samples, const struct etl_keys *keys,
                 struct etl_runs *runs, uint64_t kernel_from, unsigned threads)
{
    size_t tasks = samples->len / SAMPLES_A_TASK + 1;
    struct threads *pool = threads_new_for(tasks, threads);

    threads_run(pool, tasks, resolve_some, &(struct resolving){samples, keys});
    threads_free(pool);
    for (uint32_t i = 0; i < samples->len; i++) {
        struct parts parts;

        if (!etl_pending_has_key(samples, i))
            continue;
        parts = resolve(samples, keys, i);
        etl_pending_set(
            samples, i, parts.outer,
            etl_runs_stand_in(runs, parts.outer, parts.address, kernel_from));
    }
}
