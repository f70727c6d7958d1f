#include "engine/model/methods.h"

#include "engine/model/profile.h"

/* All that is known of code which is a name alone. */
static struct method named(const struct method_name *name)
{
    return (struct method){
        .from = TIME_MIN,
        .to = TIME_MAX,
        .name = name->full_name,
        .full_name = name->full_name,
        .module = name->module,
    };
}

static bool is_named(const struct method *m)
{
    return !m->start && !m->size && m->from == TIME_MIN && m->to == TIME_MAX &&
           !m->process && !m->space && m->name == m->full_name &&
           !m->signature && !m->token && !m->tier && !m->method_id;
}

uint32_t methods_add(struct methods *methods, const struct method *m)
{
    uint32_t id = mem_next_id(methods->len);
    struct method_name name = {.full_name = m->full_name, .module = m->module};

    if (!is_named(m)) {
        *vec_add(&methods->code) = *m;
        name.code = mem_next_id(methods->code.len);
    }
    *vec_add(methods) = name;
    return id;
}

struct method methods_get(const struct methods *methods, uint32_t id)
{
    const struct method_name *name = &methods->data[id];
    struct method m;

    if (!name->code)
        return named(name);
    m = methods->code.data[name->code - 1];
    m.full_name = name->full_name;
    return m;
}

/* What is a name alone is called so in short, too. */
void methods_set_name(struct methods *methods, uint32_t id, uint32_t full_name)
{
    struct method_name *name = &methods->data[id];

    if (!name->code) {
        *vec_add(&methods->code) = named(name);
        name->code = mem_next_id(methods->code.len);
    }
    name->full_name = full_name;
}

void methods_release(struct methods *methods)
{
    vec_release(methods);
    vec_release(&methods->code);
}
