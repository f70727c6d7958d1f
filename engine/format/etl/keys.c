#include "engine/format/etl/keys.h"

/* What the map leads to also tells whether the reference knows a sampled
 * address: the addresses themselves are too many to look at for every
 * part. */
#define HAS_ADDRESS (1u << 30)
#define NOT_IN_USE  (HAS_ADDRESS - 1)

static uint32_t new_reference(struct etl_keys *k)
{
    uint32_t id = mem_next_id(k->frames.len);

    if (id == NOT_IN_USE)
        mem_exhausted(SIZE_MAX);
    *vec_add(&k->frames) = 0;
    *vec_add(&k->first) = 0;
    return id;
}

struct etl_part etl_keys_use(struct etl_keys *k, struct etl_key key, bool own,
                             uint64_t address)
{
    struct map_slot *slot = map_find(&k->ids, key.key, key.user);
    uint32_t at = slot ? slot->value - 1 : NOT_IN_USE, id;

    if (at != NOT_IN_USE && (!own || (at & HAS_ADDRESS)))
        return (struct etl_part){at & ~HAS_ADDRESS, PART_KEY};
    id = at == NOT_IN_USE ? new_reference(k) : at;
    if (own)
        k->first.data[id] = address;
    at = own ? id | HAS_ADDRESS : id;
    if (slot)
        slot->value = at + 1;
    else
        map_add(&k->ids, key.key, key.user, at);
    return (struct etl_part){id, PART_KEY};
}

void etl_keys_remember(struct etl_keys *k, struct etl_part part,
                       uint64_t address)
{
    if (part.kind == PART_KEY && !k->first.data[part.id])
        k->first.data[part.id] = address;
}

uint32_t *etl_keys_define(struct etl_keys *k, struct etl_key key)
{
    struct map_slot *slot = map_find(&k->ids, key.key, key.user);
    uint32_t at = slot ? slot->value - 1 : NOT_IN_USE;

    if (at == NOT_IN_USE)
        return NULL;
    slot->value = NOT_IN_USE + 1;
    return &k->frames.data[at & ~HAS_ADDRESS];
}

uint64_t etl_keys_undefined(const struct etl_keys *k)
{
    uint64_t n = 0;

    for (size_t i = 0; i < k->frames.len; i++)
        n += !k->frames.data[i];
    return n;
}

void etl_keys_release(struct etl_keys *k)
{
    map_release(&k->ids);
    vec_release(&k->frames);
    vec_release(&k->first);
}
