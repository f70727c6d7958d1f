#include "engine/attribution/pair_ids.h"

static uint32_t append(struct pair_ids *p, uint32_t outer, uint32_t inner)
{
    *vec_add(&p->list) = (struct row_pair){outer, inner};
    return (uint32_t)p->list.len - 1;
}

static uint32_t add_alone(struct pair_ids *p, uint32_t outer)
{
    while (p->alone.len <= outer)
        *vec_add(&p->alone) = 0;
    if (!p->alone.data[outer])
        p->alone.data[outer] = append(p, outer, NO_ID) + 1;
    return p->alone.data[outer] - 1;
}

static bool is_pair(const struct pair_ids *p, uint32_t id, uint32_t outer,
                    uint32_t inner)
{
    return p->list.data[id].outer == outer && p->list.data[id].inner == inner;
}

uint32_t pair_ids_add(struct pair_ids *p, uint32_t outer, uint32_t inner)
{
    struct idslot *slot;
    uint32_t hash, id;

    if (inner == NO_ID && outer != NO_ID)
        return add_alone(p, outer);
    hash = pair_hash(outer, inner);
    slot = idtable_first(&p->others, hash);
    while (slot->taken &&
           (slot->hash != hash || !is_pair(p, slot->taken - 1, outer, inner)))
        slot = idtable_next(&p->others, slot);
    if (slot->taken)
        return slot->taken - 1;
    id = mem_next_id(p->list.len);
    idtable_take(&p->others, slot, hash, id);
    return append(p, outer, inner);
}

void pair_ids_end(struct pair_ids *p)
{
    idtable_release(&p->others);
    vec_release(&p->alone);
}
