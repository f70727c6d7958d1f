/*
 * idtable - ids of things that lie elsewhere, by their hash.
 *
 * Where a list has the things, a map of them (map.h) would hold each twice.
 * Here a slot has half the size, and who asks compares the thing itself:
 *
 *     struct idtable table = {0};
 *     struct idslot *slot = idtable_first(&table, hash);
 *
 *     while (slot->taken && !(slot->hash == hash && is(slot->taken - 1)))
 *         slot = idtable_next(&table, slot);
 *     if (!slot->taken)
 *         idtable_take(&table, slot, hash, fresh_id);
 *     idtable_release(&table);
 *
 * Up to three quarters of the slots are taken. As in a map, order never shows:
 * nothing walks it.
 */
#ifndef TOPFN_IDTABLE_H
#define TOPFN_IDTABLE_H

#include <stddef.h>
#include <stdint.h>

#include "engine/base/mem.h"

struct idslot {
    uint32_t hash;
    uint32_t taken; /* by this id, plus one; 0: by none */
};

struct idtable {
    struct idslot *slots;
    size_t size; /* a power of two, or 0 */
    size_t used;
};

/* Makes room for so many at once; more may follow. */
void idtable_reserve(struct idtable *table, size_t ids);

/* Where a thing of that hash is, or may come. Good until the next call. */
static inline struct idslot *idtable_first(struct idtable *t, uint32_t hash)
{
    if (t->used >= t->size / 4 * 3)
        idtable_reserve(t, t->used + 1);
    return &t->slots[hash & (t->size - 1)];
}

/* Where else, if what is there is another one. */
static inline struct idslot *idtable_next(const struct idtable *t,
                                          struct idslot *slot)
{
    return ++slot < t->slots + t->size ? slot : t->slots;
}

static inline void idtable_take(struct idtable *t, struct idslot *slot,
                                uint32_t hash, uint32_t id)
{
    *slot = (struct idslot){hash, id + 1};
    t->used++;
}

/* Has the memory fetched that idtable_first leads to. */
static inline void idtable_soon(const struct idtable *t, uint32_t hash)
{
    if (t->size)
        mem_fetch(&t->slots[hash & (t->size - 1)]);
}

void idtable_release(struct idtable *table);

#endif
