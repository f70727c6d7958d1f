/*
 * pair_ids - pairs of rows, or of parts before they are rows, numbered as they
 * come.
 *
 *     struct pair_ids pairs = {0};
 *     uint32_t id = pair_ids_add(&pairs, outer, inner);
 *     pair_ids_end(&pairs);
 *     use(pairs.list.data[id]);
 *     vec_release(&pairs.list);
 */
#ifndef TOPFN_PAIR_IDS_H
#define TOPFN_PAIR_IDS_H

#include "engine/base/hash.h"
#include "engine/base/idtable.h"
#include "engine/model/profile.h"

/* Of parts the outer one may be NO_ID, too. */
struct pair_ids {
    struct row_pairs list;
    VEC(uint32_t)
    alone;                 /* by outer one: its pair without another one, plus
                              one */
    struct idtable others; /* in `list` */
};

/* The id of this pair, added if new. */
uint32_t pair_ids_add(struct pair_ids *pairs, uint32_t outer, uint32_t inner);

static inline uint32_t pair_hash(uint32_t outer, uint32_t inner)
{
    return (uint32_t)hash_pair((uint64_t)outer << 32 | inner, 0);
}

/* This pair is added soon: where it is looked up is fetched. */
static inline void pair_ids_soon(const struct pair_ids *pairs, uint32_t outer,
                                 uint32_t inner)
{
    if (inner != NO_ID)
        idtable_soon(&pairs->others, pair_hash(outer, inner));
    else if (outer < pairs->alone.len)
        mem_fetch(&pairs->alone.data[outer]);
}

/* No more are added: frees all but the list. */
void pair_ids_end(struct pair_ids *pairs);

#endif
