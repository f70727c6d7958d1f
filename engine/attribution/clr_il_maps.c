/*
 * IL-to-native maps. Of each only where it lies is kept, until the methods
 * that were sampled are known (il_map_match.h).
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

enum { MAP_HEAD = 19, MAP_TAIL = 2 };

struct clr_il_map clr_il_map_read(const uint8_t *payload)
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

/* Most events are of the thread of the one before. */
static struct clr_neighbour *neighbour(struct observations *f,
                                       const struct clr_event *event)
{
    uint32_t fresh = mem_next_id(f->neighbours.len), id = f->last_neighbour;

    if (id < fresh && f->neighbours.data[id].thread == event->thread &&
        f->neighbours.data[id].pid == event->pid)
        return &f->neighbours.data[id];
    id = map_add(&f->neighbour_ids, event->thread, event->pid, fresh);
    f->last_neighbour = id;
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
    if (n->map != NO_ID &&
        f->il_maps.data[n->map].method_id == n->method_id)
        f->il_maps.data[n->map].start = n->start;
    n->map = NO_ID;
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
