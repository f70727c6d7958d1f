#include "symbols/find/inside.h"

#include <pthread.h>
#include <stdlib.h>

#include "engine/base/vec.h"

struct member {
    struct container *container;
    size_t entry;
};

struct inside {
    VEC(struct member) members;
    pthread_mutex_t loading; /* containers are used by one at a time */
};

/* An entry's name is empty when the file is no container. */
static void add_members(struct inside *inside, struct container *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (*c->entries[i].inner && c->entries[i].kind != ENTRY_TRACE)
            *vec_add(&inside->members) = (struct member){c, i};
}

struct inside *inside_new(struct container *const *containers, size_t count)
{
    struct inside *inside = mem_new(1, sizeof(*inside));

    pthread_mutex_init(&inside->loading, NULL);
    for (size_t i = 0; i < count; i++)
        add_members(inside, containers[i]);
    return inside;
}

void inside_free(struct inside *inside)
{
    if (!inside)
        return;
    vec_release(&inside->members);
    pthread_mutex_destroy(&inside->loading);
    free(inside);
}

size_t inside_count(const struct inside *inside)
{
    return inside ? inside->members.len : 0;
}

const struct entry *inside_entry(const struct inside *inside, size_t i)
{
    const struct member *m = &inside->members.data[i];

    return &m->container->entries[m->entry];
}

enum err_code inside_load(struct inside *inside, size_t i, struct err *err)
{
    const struct member *m = &inside->members.data[i];
    enum err_code code;

    pthread_mutex_lock(&inside->loading);
    code = container_load(m->container, m->entry, err);
    pthread_mutex_unlock(&inside->loading);
    return code;
}
