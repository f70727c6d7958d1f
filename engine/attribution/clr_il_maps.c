/*
 * IL-to-native maps. A trace maps a hundred thousand bodies of methods and
 * samples a few hundred. So of each map only where it lies is kept, until the
 * methods that were sampled are known. Their maps are then found by the
 * runtime's ids, or by where the body begins, decoded and given to the profile.
 * Ids and memory are reused: of several maps the one that was written closest
 * to the description of the method is taken.
 *
 *   OFFSET  SIZE  DESCRIPTION
 *        0     8  method
 *        8     8  which of its bodies, from version 1 on
 *       16     1  extent
 *       17     2  n
 *       19    4n  IL offsets; -1 no mapping, -2 prolog, -3 epilog
 *  19 + 4n    4n  offsets in the code
 *  19 + 8n     2  runtime
 */
#include "engine/attribution/clr.h"
#include "engine/base/bisect.h"

enum { MAP_HEAD = 19, MAP_TAIL = 2 };

/* The payload of an IL map. */
struct clr_il_map {
    uint64_t method_id, rejit_id;
    uint32_t count;
    const uint8_t *il, *native; /* i32 each */
};

static struct clr_il_map clr_il_map_read(const uint8_t *payload)
{
    struct clr_il_map map = {
        .method_id = load_u64(payload),
        .rejit_id = load_u64(payload + 8),
        .count = load_u16(payload + 17),
        .il = payload + MAP_HEAD,
    };

    map.native = map.il + 4 * (size_t)map.count;
    return map;
}

static struct clr_neighbour *neighbour(struct observations *f,
                                       const struct clr_event *event)
{
    uint32_t fresh = mem_next_id(f->neighbours.len);
    uint32_t id = map_add(&f->neighbour_ids, event->thread, event->pid, fresh);

    if (id == fresh)
        *vec_add(&f->neighbours) = (struct clr_neighbour){
            .thread = event->thread, .pid = event->pid, .map = NO_ID};
    return &f->neighbours.data[id];
}

void clr_method_met(struct observations *f, const struct clr_event *event,
                    const uint8_t *payload, size_t size)
{
    struct clr_neighbour *n = neighbour(f, event);
    uint32_t length;

    n->method_id = 0;
    if (!clr_method_range(payload, size, &n->start, &length))
        return;
    n->method_id = load_u64(payload);
    if (n->map != NO_ID && f->il_maps.data[n->map].method_id == n->method_id)
        f->il_maps.data[n->map].start = n->start;
    n->map = NO_ID;
    clr_jit_take(f, event, payload, size);
}

/* With a version the ids tell the body: no start is needed. */
bool clr_il_map_take(struct observations *f, const struct clr_event *event,
                     const uint8_t *payload, size_t size)
{
    struct observed_il_map fact = {
        .time = event->time, .pid = event->pid, .payload = payload};
    struct clr_neighbour *n;

    if (size < MAP_HEAD + MAP_TAIL ||
        load_u16(payload + 17) > (size - MAP_HEAD - MAP_TAIL) / 8)
        return false;
    fact.by_rejit = event->version;
    fact.method_id = load_u64(payload);
    if (!fact.by_rejit) {
        n = neighbour(f, event);
        n->map = NO_ID;
        if (event->provider == CLR_RUNDOWN)
            n->map = mem_next_id(f->il_maps.len);
        else if (n->method_id == fact.method_id)
            fact.start = n->start;
    }
    observe_il_map(f, &fact);
    return true;
}

/* ---- maps of sampled methods ---- */

/* A map of a method that was sampled, with all that finds it. */
struct candidate {
    uint32_t method; /* number of (method, process) */
    bool by_rejit;
    uint64_t body; /* the id of the body; without one, its start */
    int64_t time;
    uint32_t fact; /* index */
};

struct search {
    struct observations *seen;
    struct map method_ids; /* (runtime's id, pid) -> number */
    uint32_t methods;
    VEC(struct candidate) candidates; /* sorted */
};

static int compare_bodies(const struct candidate *x, const struct candidate *y)
{
    if (x->method != y->method)
        return x->method < y->method ? -1 : 1;
    if (x->by_rejit != y->by_rejit)
        return x->by_rejit ? 1 : -1;
    return (x->body > y->body) - (x->body < y->body);
}

static int compare_candidates(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    int order = compare_bodies(x, y);

    if (order)
        return order;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->fact > y->fact) - (x->fact < y->fact);
}

static bool may_have_map(const struct observed_method *m)
{
    return m->kind == CODE_MANAGED && !m->cold;
}

static void number_methods(struct search *s, const uint32_t *method_ids)
{
    const struct observations *f = s->seen;

    for (size_t i = 0; i < f->methods.len; i++) {
        const struct observed_method *m = &f->methods.data[i];

        if (method_ids[i] != NO_ID && may_have_map(m) &&
            map_add(&s->method_ids, m->method_id, m->pid, s->methods) ==
                s->methods)
            s->methods++;
    }
}

static void collect(struct search *s)
{
    const struct observations *f = s->seen;

    for (uint32_t i = 0; i < f->il_maps.len; i++) {
        const struct observed_il_map *fact = &f->il_maps.data[i];
        uint32_t method = map_get(&s->method_ids, fact->method_id, fact->pid);

        if (method != MAP_NONE && (fact->by_rejit || fact->start))
            *vec_add(&s->candidates) = (struct candidate){
                method, fact->by_rejit,
                fact->by_rejit ? clr_il_map_read(fact->payload).rejit_id
                               : fact->start,
                fact->time, i};
    }
    if (s->candidates.len)
        qsort(s->candidates.data, s->candidates.len,
              sizeof(*s->candidates.data), compare_candidates);
}

/* Times may be as far apart as 64 bits allow. */
static uint64_t distance(int64_t a, int64_t b)
{
    return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

/* The candidate for a body that is closest to a time, or NULL. */
static const struct candidate *closest(const struct search *s,
                                       const struct candidate *key)
{
    const struct candidate *list = s->candidates.data, *after = NULL;
    size_t at;

    BISECT(at, s->candidates.len, compare_candidates(&list[at], key) < 0);
    if (at < s->candidates.len && !compare_bodies(&list[at], key))
        after = &list[at];
    if (!at || compare_bodies(&list[at - 1], key) != 0)
        return after;
    return after && distance(after->time, key->time) <
                        distance(list[at - 1].time, key->time)
               ? after
               : &list[at - 1];
}

static const struct candidate *find(const struct search *s,
                                    const struct observed_method *m)
{
    struct candidate key = {
        .method = map_get(&s->method_ids, m->method_id, m->pid),
        .by_rejit = true,
        .body = m->rejit_id,
        .time = m->time,
    };
    const struct candidate *found = closest(s, &key);

    if (found)
        return found;
    key.by_rejit = false;
    key.body = m->start;
    return closest(s, &key);
}

static void give(struct profile *p, uint32_t method, const uint8_t *payload)
{
    struct clr_il_map map = clr_il_map_read(payload);
    VEC(struct il_entry) entries = {0};

    for (size_t i = 0; i < map.count; i++)
        *vec_add(&entries) = (struct il_entry){
            .native = load_u32(map.native + 4 * i),
            .il = (int32_t)load_u32(map.il + 4 * i),
        };
    il_maps_set(&p->il_maps, method, entries.data, entries.len);
    vec_release(&entries);
}

void match_il_maps(struct observations *seen, const uint32_t *method_ids)
{
    struct search s = {.seen = seen};

    number_methods(&s, method_ids);
    collect(&s);
    for (size_t i = 0; s.candidates.len && i < seen->methods.len; i++) {
        const struct candidate *found;

        if (method_ids[i] == NO_ID || !may_have_map(&seen->methods.data[i]))
            continue;
        found = find(&s, &seen->methods.data[i]);
        if (found)
            give(seen->profile, method_ids[i],
                 seen->il_maps.data[found->fact].payload);
    }
    map_release(&s.method_ids);
    vec_release(&s.candidates);
}
