#include "engine/attribution/il_map_match.h"

#include "engine/attribution/clr.h"
#include "engine/base/bisect.h"

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

static size_t lower_bound(const struct search *s, const struct candidate *key)
{
    size_t i;

    BISECT(i, s->candidates.len,
           compare_candidates(&s->candidates.data[i], key) < 0);
    return i;
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
    size_t at = lower_bound(s, key);
    const struct candidate *list = s->candidates.data, *after = NULL;

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
