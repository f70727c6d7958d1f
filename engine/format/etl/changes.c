#include "engine/format/etl/changes.h"

#include "engine/format/etl/records.h"

static uint32_t count_of(struct etl_changes *c, struct map *ids, uint32_t id)
{
    uint32_t fresh = mem_next_id(c->counts.len);
    uint32_t at = map_add(ids, id, 0, fresh);

    if (at == fresh)
        *vec_add(&c->counts) = 0;
    return at;
}

/* Thread 0 is of process 0, which ends no code. */
void etl_changes_begin(struct etl_changes *c, const struct etl_records *records,
                       const struct observations *seen)
{
    size_t n = seen->thread_keys.len;

    *c = (struct etl_changes){.records = records,
                              .of_key = mem_new(n, sizeof(*c->of_key))};
    *vec_add(&c->counts) = 0;
    for (size_t i = 0; i < n; i++) {
        const struct thread_key *key = &seen->thread_keys.data[i];

        c->of_key[i].thread = count_of(c, &c->threads, key->tid);
        c->of_key[i].process =
            count_of(c, &c->processes, key->tid ? key->pid : 0);
    }
}

void etl_changes_release(struct etl_changes *c)
{
    map_release(&c->threads);
    map_release(&c->processes);
    vec_release(&c->counts);
    free(c->of_key);
}

static void count(struct etl_changes *c, const struct map *ids, uint32_t id)
{
    uint32_t at = map_get(ids, id, 0);

    if (at != MAP_NONE)
        c->counts.data[at]++;
}

/* A thread of no known process may be of this one. */
static void count_process(struct etl_changes *c, uint32_t pid)
{
    count(c, &c->processes, pid);
    count(c, &c->processes, NO_PID);
}

static void take_image(struct etl_changes *c, const struct etl_event *e)
{
    uint64_t base, size;
    uint32_t pid;

    if (records_image_place(e, &base, &size, &pid).failed)
        return;
    if (pid)
        count_process(c, pid);
    else
        c->counts.data[0]++;
}

static void take_kernel(struct etl_changes *c, const struct etl_event *e)
{
    const struct etl_hook *hook = etl_hook_find(e->hook);
    uint32_t pid, other;

    if (!hook || (hook->life != SEEN_END && hook->life != SEEN_BEGIN))
        return;
    if (hook->use == USE_THREAD && !records_thread_ids(e, &pid, &other).failed)
        count(c, &c->threads, other);
    else if (hook->use == USE_PROCESS &&
             !records_process_ids(e, &pid, &other).failed)
        count_process(c, pid);
    else if (hook->use == USE_IMAGE && hook->life == SEEN_END)
        take_image(c, e);
}

/* Of a method: MethodUnload and MethodUnloadVerbose, also of CLR 2.0; or
 * of a script's function. */
static bool ends_code(const struct etl_event *e)
{
    uint16_t id = load_u16(e->at + 40);

    switch (etl_provider_of(e->at + 24)) {
    case PROVIDER_CLR_RUNTIME:
        return id == 142 || id == 144;
    case PROVIDER_JSCRIPT:
        return id == 10;
    case CLASS_CLR_METHOD:
        return e->at[4] == 34 || e->at[4] == 38;
    default:
        return false;
    }
}

void etl_changes_until(struct etl_changes *c, int64_t time)
{
    const struct etl_records *r = c->records;

    for (; c->next < r->list.len; c->next++) {
        const struct etl_event *e = &r->list.data[c->next];

        if (time_of(r, e) > time)
            return;
        if (e->hook)
            take_kernel(c, e);
        else if (ends_code(e))
            count_process(c, load_u32(e->at + 12));
    }
}
