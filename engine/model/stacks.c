#include <assert.h>

#include "engine/model/profile.h"

void stack_table_init(struct stack_table *t)
{
    *t = (struct stack_table){0};
    *vec_add(t) = (struct stack){.parent = 0, .location = NO_ID};
}

void stack_table_release(struct stack_table *t)
{
    vec_release(t);
    map_release(&t->ids);
}

/*
 * A chain is mostly new from some frame on, and is then added in one go: the
 * child that was added right after its parent is found there, and only the
 * others, where chains part, are in the map.
 */
uint32_t stack_table_add(struct stack_table *t, uint32_t parent,
                         uint32_t location)
{
    uint32_t fresh = mem_next_id(t->len), id = fresh;
    const struct stack *next = &t->data[parent + 1];

    assert(parent < fresh);
    if (parent + 1 < fresh) {
        map_prefetch(&t->ids, parent, location);
        if (next->parent == parent && next->location == location)
            return parent + 1;
        id = map_add(&t->ids, parent, location, fresh);
    }
    if (id == fresh)
        *vec_add(t) = (struct stack){parent, location};
    return id;
}
