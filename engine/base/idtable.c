#include "engine/base/idtable.h"

#include <stdlib.h>

enum { SMALLEST = 64 };

void idtable_reserve(struct idtable *t, size_t ids)
{
    struct idtable old = *t;

    if (!t->size)
        t->size = SMALLEST;
    while (ids >= t->size / 4 * 3)
        t->size *= 2;
    if (t->size == old.size)
        return;
    t->slots = mem_new_table(t->size, sizeof(*t->slots));
    for (size_t i = 0; i < old.size; i++) {
        struct idslot *slot = &t->slots[old.slots[i].hash & (t->size - 1)];

        if (!old.slots[i].taken)
            continue;
        while (slot->taken)
            slot = idtable_next(t, slot);
        *slot = old.slots[i];
    }
    free(old.slots);
}

void idtable_release(struct idtable *t)
{
    free(t->slots);
    *t = (struct idtable){.slots = NULL};
}
