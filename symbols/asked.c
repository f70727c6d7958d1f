#include "symbols/asked.h"

#include <stdlib.h>

/*
 * Whether an address is one that a call returns to. A caller's is; what was
 * interrupted stands where the processor stopped, but for the code of a
 * runtime that stops its threads at calls (profile_leaves_return).
 *
 * This is the one place that decides it, by the role of the location.
 */
static bool is_return(const struct asked *a, bool leaves_return)
{
    return a->caller || (leaves_return && !asked_is_native(a));
}

struct asked_list asked_list_new(const struct profile *p, uint32_t first)
{
    struct asked_list list = {.all = {0}};

    for (uint32_t i = first; i < p->locations.len; i++)
        if (!profile_has_frames(p, i))
            *vec_add(&list.all) = (struct asked){.location = i};
    asked_list_update(&list, p);
    return list;
}

void asked_list_update(struct asked_list *list, const struct profile *p)
{
    bool leaves_return = profile_leaves_return(p);
    size_t kept = 0;

    for (size_t i = 0; i < list->all.len; i++) {
        struct asked a = list->all.data[i];
        const struct location *l = &p->locations.data[a.location];

        if (profile_has_frames(p, a.location))
            continue;
        a.module = l->module;
        a.method = l->method;
        a.address = l->address;
        a.kind = l->kind;
        a.cause = l->cause;
        a.caller = l->caller;
        a.returns = is_return(&a, leaves_return);
        list->all.data[kept++] = a;
    }
    list->all.len = kept;
}

void asked_list_release(struct asked_list *list)
{
    vec_release(&list->all);
}
