#include "engine/base/reader.h"
#include "engine/store/pack.h"
#include "engine/store/scan.h"

/* Reading of what store/pack.c writes. */

struct unpacking {
    struct store_row at; /* the blob's */
    struct reader r;     /* over it */
    struct profile *p;
    VEC(uint16_t) depths; /* of stacks */
    uint64_t cut;
};

typedef bool unpack_entry(struct unpacking *u);

static inline bool get_number(struct unpacking *u, const char *what,
                              uint64_t *value)
{
    *value = reader_uleb(&u->r);
    return !u->r.failed || store_bad(&u->at, what, "is no number");
}

/* From `least` to below `end`. */
static inline bool get(struct unpacking *u, const char *what, uint64_t least,
                       uint64_t end, uint64_t *value)
{
    if (!get_number(u, what, value))
        return false;
    return (*value >= least && *value < end) ||
           store_bad(&u->at, what, "is out of range");
}

/* What is deeper than any reader makes it begins anew, on no parent: the
 * innermost frames stay. */
static uint32_t bounded_parent(struct unpacking *u, uint32_t parent)
{
    uint16_t depth = u->depths.data[parent];

    if (depth == STACK_DEEPEST) {
        u->cut++;
        depth = 0;
        parent = 0;
    }
    *vec_add(&u->depths) = (uint16_t)(depth + 1);
    return parent;
}

static bool get_stack(struct unpacking *u)
{
    struct profile *p = u->p;
    uint64_t id = p->stacks.len, up, location;

    if (id == NO_ID)
        return store_bad(&u->at, "bytes", "have too many stacks");
    if (!get(u, "parent", 1, id + 1, &up) ||
        !get(u, "location", 0, u->at.load->locations, &location))
        return false;
    *vec_add(&p->stacks) = (struct stack){
        bounded_parent(u, (uint32_t)(id - up)), (uint32_t)location};
    return true;
}

static bool get_who(struct unpacking *u, uint64_t *thread, uint64_t *stack)
{
    return get(u, "thread", 0, u->at.load->threads, thread) &&
           get(u, "stack", 1, u->p->stacks.len, stack);
}

static bool get_flags(struct unpacking *u, uint64_t *flags)
{
    return get(u, "flags", 0, SAMPLE_FLAGS_ALL + 1, flags);
}

static bool get_weight(struct unpacking *u, struct sample *s)
{
    uint64_t weight;

    if (!get(u, "weight", 2, (uint64_t)UINT32_MAX * 2 + 2, &weight))
        return false;
    s->weight = (uint32_t)(weight >> 1);
    return !(weight & 1) || get_number(u, "period", &s->period);
}

static bool get_time(struct unpacking *u, int64_t *time)
{
    const struct samples *all = &u->p->samples;
    int64_t last = all->len ? all->time[all->len - 1] : 0;
    uint64_t since;

    if (!get_number(u, "time", &since))
        return false;
    *time = (int64_t)((uint64_t)last + since);
    return !all->len || *time >= last ||
           store_bad(&u->at, "time", "is out of range");
}

static bool get_sample(struct unpacking *u)
{
    struct sample s = {.period = 0};
    uint64_t thread, stack, cpu, flags;

    if (!get_time(u, &s.time) || !get_who(u, &thread, &stack) ||
        !get(u, "cpu", 0, UINT16_MAX + 1, &cpu) || !get_flags(u, &flags) ||
        !get_weight(u, &s))
        return false;
    s.thread = (uint32_t)thread;
    s.stack = (uint32_t)stack;
    s.cpu = (uint16_t)cpu;
    s.flags = (uint8_t)flags;
    profile_sample(u->p, &s);
    return true;
}

static bool get_group(struct unpacking *u)
{
    struct sample s = {.period = 0};
    uint64_t thread, stack, flags;

    if (!get_who(u, &thread, &stack) || !get_flags(u, &flags) ||
        !get_weight(u, &s))
        return false;
    s.thread = (uint32_t)thread;
    s.stack = (uint32_t)stack;
    s.flags = (uint8_t)flags;
    profile_sample(u->p, &s);
    return true;
}

static bool read_blob(struct unpacking *u, unpack_entry *entry)
{
    struct bytes blob;

    if (!store_get_bytes(&u->at, 1, "bytes", &blob))
        return false;
    u->r = reader_of(u->at.table, blob.data, blob.len, 0, NULL);
    while (reader_more(&u->r))
        if (!entry(u))
            return false;
    return true;
}

static bool read_blobs(struct unpacking *u, struct store_load *l,
                       const char *table, unpack_entry *entry)
{
    struct out *sql = out_memory();
    bool ok;

    store_made_sql(store_made_find(table), NULL, sql);
    ok = store_scan(&u->at, l, table, out_text(sql, NULL), 1);

    u->p = l->p;
    while (ok && store_scan_next(&u->at, &ok))
        ok = read_blob(u, entry);
    store_scan_end(&u->at);
    out_close(sql, NULL);
    return ok;
}

bool unpack_stacks(struct store_load *l)
{
    struct unpacking u = {0};
    bool ok;

    while (u.depths.len < l->p->stacks.len)
        *vec_add(&u.depths) = 0;
    ok = read_blobs(&u, l, "packed_stacks", get_stack);
    l->cut_stacks += u.cut;
    vec_release(&u.depths);
    return ok;
}

bool unpack_samples(struct store_load *l)
{
    struct unpacking u = {0};

    return read_blobs(&u, l, "packed_samples", get_sample);
}

bool unpack_groups(struct store_load *l)
{
    struct unpacking u = {0};

    return read_blobs(&u, l, "packed_groups", get_group);
}
