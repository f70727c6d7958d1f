/*
 * The functions of a profile. Where each line of a file names some of its own,
 * they and what finds them are most of the memory: so a slot is an id, and its
 * key is what the id stands for.
 */
#include <stdlib.h>

#include "engine/base/hash.h"
#include "engine/model/profile.h"

enum { SMALLEST = 64 };

static uint64_t hash_of(const struct function *f)
{
    return f->name ? hash_pair((uint64_t)f->name << 32 | f->module, NO_ID)
                   : hash_pair(f->address, f->module);
}

static bool is_same(const struct function *a, const struct function *b)
{
    return a->name == b->name && a->module == b->module &&
           (a->name || a->address == b->address);
}

/* The slot that has the function, or the free one where it belongs. */
static uint32_t *find_slot(const struct profile *p, const struct function *f)
{
    const struct function_index *index = &p->function_ids;
    size_t mask = index->size - 1;
    size_t i = (size_t)hash_of(f) & mask;

    while (index->slots[i] &&
           !is_same(&p->functions.data[index->slots[i] - 1], f))
        i = (i + 1) & mask;
    return &index->slots[i];
}

/* Two thirds full is the limit. */
static bool is_full(size_t used, size_t size)
{
    return used + used / 2 >= size;
}

void profile_expect_functions(struct profile *p, size_t n)
{
    struct function_index *index = &p->function_ids, old = *index;

    if (!is_full(old.used + n - 1, old.size))
        return;
    index->size = old.size ? old.size : SMALLEST;
    while (is_full(old.used + n - 1, index->size))
        index->size *= 2;
    index->slots = mem_new_table(index->size, sizeof(*index->slots));
    for (size_t i = 0; i < old.size; i++)
        if (old.slots[i])
            *find_slot(p, &p->functions.data[old.slots[i] - 1]) = old.slots[i];
    free(old.slots);
}

void profile_function_soon(const struct profile *p, const struct function *f)
{
    const struct function_index *index = &p->function_ids;

    if (index->size)
        mem_fetch(&index->slots[hash_of(f) & (index->size - 1)]);
}

uint32_t profile_function(struct profile *p, const struct function *f)
{
    uint32_t fresh = mem_next_id(p->functions.len), *slot;

    profile_expect_functions(p, 1);
    slot = find_slot(p, f);
    if (*slot)
        return *slot - 1;
    *slot = fresh + 1;
    p->function_ids.used++;
    *vec_add(&p->functions) = *f;
    return fresh;
}

void function_index_release(struct function_index *index)
{
    free(index->slots);
    free(index->of_method);
    *index = (struct function_index){.slots = NULL};
}
