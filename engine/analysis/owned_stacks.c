#include "engine/analysis/owned_stacks.h"

#include "engine/base/keysort.h"

struct counting {
    const struct profile *p;
    bool threads;
    struct map ids; /* (stack, owner) -> index */
};

static uint32_t owner_of(const struct counting *c, size_t sample)
{
    uint32_t thread = c->p->samples.thread[sample];

    return c->threads ? thread : c->p->threads.data[thread].process;
}

void owned_stacks_count(owned_stacks *list, const struct profile *p,
                        const struct selection *sel, bool threads)
{
    struct counting c = {.p = p, .threads = threads};

    for (size_t i = 0; i < p->samples.len; i++) {
        uint32_t fresh = mem_next_id(list->len), id;
        uint32_t stack = p->samples.stack[i], owner = owner_of(&c, i);

        if (!selection_has(p, sel, i))
            continue;
        id = map_add(&c.ids, stack, owner, fresh);
        if (id == fresh)
            *vec_add(list) = (struct owned_stack){owner, stack, 0, 0};
        list->data[id].rows++;
        list->data[id].count += sample_weight(p, i);
    }
    map_release(&c.ids);
}

void owned_stacks_sort(owned_stacks *list)
{
    struct keyed *keys = mem_new(list->len, sizeof(*keys));
    owned_stacks sorted = {0};

    for (uint32_t i = 0; i < list->len; i++)
        keys[i] = (struct keyed){(uint64_t)list->data[i].owner << 32 |
                                     list->data[i].stack,
                                 i};
    keysort(keys, list->len);
    vec_reserve(&sorted, list->len);
    for (size_t i = 0; i < list->len; i++)
        *vec_add(&sorted) = list->data[keys[i].value];
    vec_release(list);
    *list = sorted;
    free(keys);
}
