#include "engine/format/etl/fold.h"

#include "engine/base/hash.h"
#include "engine/base/idtable.h"
#include "engine/format/etl/changes.h"
#include "engine/format/etl/resolve.h"

enum {
    SOON = 8, /* samples ahead */
    LATER = 16,
};

struct folding {
    struct etl_pending *samples;
    struct idtable into; /* those that others are folded into, by a hash which
                            says how often the thread key had changed, too */
    struct etl_changes changes;
    uint32_t hashes[LATER]; /* of samples to come */
};

/* `changes`: how often its thread key had changed. */
static uint32_t hash_of(const struct etl_pending *p, size_t sample,
                        uint32_t changes)
{
    uint64_t parts = (uint64_t)p->outer[sample] << 32 | p->inner[sample];
    uint64_t owner = (uint64_t)p->thread_key[sample] << 32 | changes;

    return (uint32_t)hash_pair(parts, owner ^ (uint64_t)p->kinds[sample] << 24 ^
                                          (uint64_t)p->flags[sample] << 16);
}

/* Of samples in their order. */
static uint32_t next_hash(struct folding *f, size_t sample)
{
    const struct etl_pending *p = f->samples;

    etl_changes_until(&f->changes, p->time[sample]);
    return hash_of(p, sample,
                   etl_changes_of(&f->changes, p->thread_key[sample]));
}

static bool are_equal(const struct etl_pending *p, uint32_t a, uint32_t b)
{
    return p->thread_key[a] == p->thread_key[b] && p->outer[a] == p->outer[b] &&
           p->inner[a] == p->inner[b] && p->kinds[a] == p->kinds[b] &&
           p->flags[a] == p->flags[b];
}

/* The slot of samples equal to this one, or the free one where it belongs. */
static struct idslot *slot_of(struct folding *f, uint32_t sample, uint32_t hash)
{
    struct idslot *slot = idtable_first(&f->into, hash);

    while (slot->taken && (slot->hash != hash ||
                           !are_equal(f->samples, slot->taken - 1, sample)))
        slot = idtable_next(&f->into, slot);
    return slot;
}

/* Of the sample that comes later, its slot is fetched; of one that comes soon,
 * the sample that it will be folded into. */
static void fetch_soon(struct folding *f, size_t i)
{
    const struct etl_pending *p = f->samples;
    const struct idslot *slot;
    uint32_t first;

    if (i + LATER >= p->len)
        return;
    slot = idtable_first(&f->into, f->hashes[(i + SOON) % LATER]);
    first = slot->taken - 1;
    if (slot->taken && slot->hash == f->hashes[(i + SOON) % LATER]) {
        mem_fetch(&p->thread_key[first]);
        mem_fetch(&p->outer[first]);
        mem_fetch(&p->inner[first]);
        mem_fetch(&p->weight[first]);
        mem_fetch(&p->until[first]);
    }
    f->hashes[i % LATER] = next_hash(f, i + LATER);
    idtable_soon(&f->into, f->hashes[i % LATER]);
}

static void move(struct etl_pending *p, uint32_t from, uint32_t to)
{
    p->time[to] = p->time[from];
    p->until[to] = p->until[from];
    p->thread_key[to] = p->thread_key[from];
    p->outer[to] = p->outer[from];
    p->inner[to] = p->inner[from];
    p->weight[to] = p->weight[from];
    p->cpu[to] = p->cpu[from];
    p->flags[to] = p->flags[from];
    p->kinds[to] = p->kinds[from];
}

/* Into an equal one before it, if there is one whose weight can hold it. */
static bool fold_one(struct folding *f, uint32_t sample, uint32_t as,
                     uint32_t hash)
{
    struct etl_pending *p = f->samples;
    struct idslot *slot = slot_of(f, sample, hash);
    uint32_t first = slot->taken - 1;

    if (slot->taken && p->weight[sample] <= WEIGHTS_MOST - p->weight[first]) {
        p->weight[first] += p->weight[sample];
        if (p->until[sample] > p->until[first])
            p->until[first] = p->until[sample];
        return true;
    }
    if (slot->taken)
        slot->taken = as + 1;
    else
        idtable_take(&f->into, slot, hash, as);
    return false;
}

/* Of these, all that are final and not held; `held` becomes where each is. */
static void fold_samples(struct folding *f, int64_t final_before,
                         uint32_t *held)
{
    struct etl_pending *p = f->samples;
    uint32_t kept = 0;

    for (size_t i = 0; i < LATER && i < p->len; i++)
        f->hashes[i] = next_hash(f, i);
    for (uint32_t i = 0; i < p->len; i++) {
        bool final = p->time[i] < final_before && !held[i];
        uint32_t hash = f->hashes[i % LATER];

        fetch_soon(f, i);
        held[i] = kept;
        if (final && fold_one(f, i, kept, hash))
            continue;
        if (kept != i)
            move(p, i, kept);
        kept++;
    }
    p->len = kept;
}

/* What to do with an index of a sample that the correlator holds. */
typedef void with_index(uint32_t *held, uint32_t *sample);

static void hold(uint32_t *held, uint32_t *sample)
{
    held[*sample] = 1;
}

static void follow(uint32_t *held, uint32_t *sample)
{
    *sample = held[*sample];
}

static void each_held(struct etl_correlator *c, with_index *with,
                      uint32_t *held)
{
    for (size_t i = 0; i < c->threads.list.len; i++) {
        struct etl_thread *t = &c->threads.list.data[i];

        if (t->open)
            with(held, &t->sample);
        for (size_t k = 0; k < t->waiting.len; k++)
            with(held, &t->waiting.data[k].sample);
    }
    for (size_t i = 0; i < c->unowned.len; i++)
        if (c->unowned.data[i].waits)
            with(held, &c->unowned.data[i].sample);
}

/* Frames take the place of keys that are defined by now. */
static void resolve_so_far(struct etl_correlator *c)
{
    for (size_t i = 0; i < c->threads.list.len; i++) {
        struct etl_thread *t = &c->threads.list.data[i];

        if (!t->open)
            continue;
        t->kernel = etl_keys_so_far(&c->keys, t->kernel);
        t->user = etl_keys_so_far(&c->keys, t->user);
    }
    for (uint32_t i = 0; i < c->samples.len; i++)
        etl_resolve_so_far(&c->samples, &c->keys, i);
    etl_keys_give_back(&c->keys);
}

enum { ENOUGH = 1 << 14 }; /* samples to judge the others by */

/* By key: some threads that have enough, each with all that are its own. Every
 * so many samples tell roughly how many they have. */
static bool *choose_threads(const struct etl_correlator *c)
{
    enum { STEP = 16 }; /* threads, and samples */
    const struct etl_pending *p = &c->samples;
    size_t keys = c->seen->thread_keys.len, chosen = 0;
    uint32_t *samples = mem_new(keys, sizeof(*samples));
    bool *threads = mem_new(keys, sizeof(*threads));

    for (size_t i = 0; i < p->len; i += STEP)
        samples[p->thread_key[i]] += STEP;
    for (size_t from = 0; from < STEP; from++)
        for (size_t key = from; key < keys; key += STEP)
            if (chosen < ENOUGH) {
                threads[key] = true;
                chosen += samples[key];
            }
    free(samples);
    return threads;
}

/* Equal samples are of one thread, so all of some threads are looked at. */
struct looked_at {
    VEC(uint32_t) samples;
};

static struct looked_at look_at_some(const struct etl_correlator *c)
{
    const struct etl_pending *p = &c->samples;
    bool *threads = choose_threads(c);
    struct looked_at some = {{0}};

    for (uint32_t i = 0; i < p->len; i++)
        if (threads[p->thread_key[i]])
            *vec_add(&some.samples) = i;
    free(threads);
    return some;
}

static void fetch_sample(const struct etl_pending *p, uint32_t sample)
{
    mem_fetch(&p->thread_key[sample]);
    mem_fetch(&p->outer[sample]);
    mem_fetch(&p->inner[sample]);
    mem_fetch(&p->kinds[sample]);
    mem_fetch(&p->flags[sample]);
}

/* Enters a hash, unless it is there. Few of them are equal by chance, so
 * samples are not compared. */
static void enter_hash(struct idtable *t, uint32_t hash)
{
    struct idslot *slot = idtable_first(t, hash);

    while (slot->taken && slot->hash != hash)
        slot = idtable_next(t, slot);
    if (!slot->taken)
        idtable_take(t, slot, hash, 0);
}

/* How many samples these become, where nothing changes. */
static size_t count_different(struct etl_correlator *c,
                              const struct looked_at *some)
{
    size_t count = some->samples.len, n;
    struct idtable different = {.slots = NULL};

    idtable_reserve(&different, count);
    for (size_t i = 0; i < count; i++) {
        uint32_t sample = some->samples.data[i];

        if (i + SOON < count)
            fetch_sample(&c->samples, some->samples.data[i + SOON]);
        etl_resolve_so_far(&c->samples, &c->keys, sample);
        enter_hash(&different, hash_of(&c->samples, sample, 0));
    }
    n = different.used;
    idtable_release(&different);
    return n;
}

/* Whether samples become a third, by those of some threads: where most differ
 * it takes longer to find that out than is saved with those that do not. Of few
 * samples that is no matter. */
static bool pays(struct etl_correlator *c)
{
    struct looked_at some;
    size_t different;
    bool pays;

    if (c->samples.len < ENOUGH)
        return true;
    some = look_at_some(c);
    different = count_different(c, &some);
    pays = different <= some.samples.len / 3;
    vec_release(&some.samples);
    return pays;
}

static void fold_now(struct etl_correlator *c,
                     const struct etl_records *records)
{
    struct folding f = {.samples = &c->samples};
    uint32_t *held = mem_new(c->samples.len, sizeof(*held));

    etl_changes_begin(&f.changes, records, c->seen);
    resolve_so_far(c);
    etl_pending_begin_folding(&c->samples);
    each_held(c, hold, held);
    fold_samples(&f, etl_final_before(c), held);
    each_held(c, follow, held);
    etl_closed_release(&c->closed);
    free(held);
    etl_changes_release(&f.changes);
    idtable_release(&f.into);
}

void etl_fold(struct etl_correlator *c, const struct etl_records *records)
{
    if (c->samples.len < c->fold_at || c->samples.unordered)
        return;
    if (pays(c))
        fold_now(c, records);
    if (c->fold_at < 2 * c->samples.len)
        c->fold_at = 2 * c->samples.len;
}
