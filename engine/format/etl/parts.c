#include "engine/format/etl/parts.h"

struct etl_part etl_part_of_fact(struct etl_parts *p,
                                 const struct etl_fact *fact, bool lasting)
{
    uint32_t *chain;

    while (p->runs.len <= fact->run)
        *vec_add(&p->runs) = 0;
    chain = &p->runs.data[fact->run];
    if (!*chain)
        *chain = callchains_append(p->chains, etl_fact_frames(fact), lasting);
    return (struct etl_part){*chain, PART_FRAMES};
}

struct etl_part etl_part_of_frames(struct etl_parts *p,
                                   const struct etl_fact *fact, uint32_t start,
                                   uint32_t end, bool lasting)
{
    struct callchain run = etl_fact_frames(fact);

    run.frames += (size_t)start * run.width;
    run.count = end - start;
    return (struct etl_part){
        callchains_add(p->chains, &run, callchain_fingerprint(&run), lasting),
        PART_FRAMES};
}

/* Once a key is defined, its next use gets a new reference. */
struct etl_part etl_part_by_key(struct etl_parts *p, uint64_t key, bool user,
                                bool own, uint64_t address)
{
    uint32_t id = map_get(&p->keys, key, user);

    if (id == MAP_NONE || p->uses.data[id].chain) {
        id = mem_next_id(p->uses.len);
        map_set(&p->keys, key, user, id);
        *vec_add(&p->uses) = (struct etl_key_uses){0};
    }
    if (own && !p->uses.data[id].address)
        p->uses.data[id].address = address;
    return (struct etl_part){id, PART_KEY};
}

void etl_part_remember(struct etl_parts *p, struct etl_part part,
                       uint64_t address)
{
    if (part.kind == PART_KEY && !p->uses.data[part.id].address)
        p->uses.data[part.id].address = address;
}

void etl_parts_define(struct etl_parts *p, const struct etl_fact *fact,
                      bool lasting)
{
    uint32_t id = map_get(&p->keys, fact->value, fact->user);

    if (id == MAP_NONE || p->uses.data[id].chain)
        return;
    p->uses.data[id].chain = etl_part_of_fact(p, fact, lasting).id;
}

struct etl_part etl_part_resolve(const struct etl_parts *p,
                                 struct etl_part part, uint64_t *address)
{
    const struct etl_key_uses *uses;

    if (part.kind != PART_KEY)
        return part;
    uses = &p->uses.data[part.id];
    if (uses->chain)
        return (struct etl_part){uses->chain, PART_FRAMES};
    *address = uses->address;
    return etl_no_part;
}

uint64_t etl_parts_undefined(const struct etl_parts *p)
{
    uint64_t n = 0;

    for (size_t i = 0; i < p->uses.len; i++)
        n += !p->uses.data[i].chain;
    return n;
}

void etl_parts_release(struct etl_parts *p)
{
    vec_release(&p->runs);
    map_release(&p->keys);
    vec_release(&p->uses);
}
