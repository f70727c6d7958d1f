#include "engine/attribution/pair_ids.h"

static uint64_t key_of(uint32_t outer, uint32_t inner)
{
    return (uint64_t)outer << 32 | inner;
}

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

uint32_t pair_ids_add(struct pair_ids *p, uint32_t outer, uint32_t inner)
{
    uint32_t fresh, id;

    if (inner == NO_ID && outer != NO_ID)
        return add_alone(p, outer);
    fresh = mem_next_id(p->list.len);
    id = map_add(&p->others, key_of(outer, inner), 0, fresh);
    return id == fresh ? append(p, outer, inner) : id;
}

void pair_ids_end(struct pair_ids *p)
{
    map_release(&p->others);
    vec_release(&p->alone);
}
