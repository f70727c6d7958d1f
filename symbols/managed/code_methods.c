#include "symbols/managed/code_methods.h"

bool code_find(const struct r2r_image *image, uint64_t rva, bool returns,
               struct r2r_method *m)
{
    if (rva > UINT32_MAX)
        return false;
    if (returns && rva && r2r_find(image, (uint32_t)rva - 1, m))
        return true;
    return r2r_find(image, (uint32_t)rva, m);
}

static const struct code_method *describe(struct code_methods *c,
                                          const struct r2r_image *image,
                                          const struct r2r_method *m,
                                          const struct code_method *given)
{
    struct code_method *method;
    struct r2r_name name;

    if (!r2r_name(image, m, c->style, &c->arena, &name))
        return NULL;
    method = arena_new(&c->arena, struct code_method, 1);
    *method = *given;
    method->size = m->end - m->start;
    method->space = name.space;
    method->name = name.name;
    method->signature = name.signature;
    method->full_name = name.full;
    method->token = name.token;
    if (name.assembly) {
        method->module = NO_ID;
        method->assembly = name.assembly;
    }
    return method;
}

const struct code_method *code_methods_get(struct code_methods *c,
                                           const struct r2r_image *image,
                                           const struct r2r_method *m,
                                           const struct code_method *given)
{
    uint32_t id = map_get(&c->ids, given->start, m->entry);
    const struct code_method *method;

    if (id != MAP_NONE)
        return c->list.data[id];
    method = describe(c, image, m, given);
    map_set(&c->ids, given->start, m->entry, (uint32_t)c->list.len);
    *vec_add(&c->list) = method;
    return method;
}

void code_methods_release(struct code_methods *c)
{
    map_release(&c->ids);
    vec_release(&c->list);
    arena_release(&c->arena);
}
