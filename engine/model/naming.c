#include "engine/model/naming.h"

#include <string.h>

static uint32_t intern(struct profile *p, const char *text)
{
    return strings_add(p->strings, text, strlen(text));
}

uint32_t profile_managed_module(struct profile *p, const char *text)
{
    uint32_t name = intern(p, text), id = mem_next_id(p->modules.len);
    struct module m = {
        .path = name, .name = name, .area = name, .managed = true};

    for (uint32_t i = 0; i < id; i++)
        if (p->modules.data[i].managed && p->modules.data[i].name == name)
            return i;
    *vec_add(&p->modules) = m;
    return id;
}

void profile_set_method(struct profile *p, uint32_t location, uint32_t method)
{
    struct location *l = &p->locations.data[location];

    if (l->module == NO_ID)
        l->address -= methods_get(&p->methods, method).start;
    l->method = method;
    l->kind = CODE_MANAGED;
    l->cause = CAUSE_NONE;
}

void profile_set_kind(struct profile *p, uint32_t location, enum code_kind kind)
{
    p->locations.data[location].kind = (uint8_t)kind;
}

void profile_set_method_name(struct profile *p, uint32_t method,
                             const char *full_name)
{
    methods_set_name(&p->methods, method, intern(p, full_name));
}

static bool wants_symbols(uint8_t cause)
{
    return cause == CAUSE_NO_SYMBOLS || cause == CAUSE_MISMATCH ||
           cause == CAUSE_BROKEN || cause == CAUSE_OUTSIDE;
}

void profile_set_cause(struct profile *p, uint32_t location,
                       enum name_cause cause)
{
    struct location *l = &p->locations.data[location];

    if (cause != CAUSE_NO_SYMBOLS && wants_symbols(l->cause))
        l->cause = (uint8_t)cause;
}

void profile_set_symbols(struct profile *p, uint32_t module, const char *origin)
{
    struct module *m = &p->modules.data[module];

    if (!m->symbols)
        m->symbols = intern(p, origin);
}
