#include "symbols/saved/nrbf.h"

#include <stdlib.h>
#include <string.h>

void nrbf_free(struct nrbf *n)
{
    if (!n)
        return;
    vec_release(&n->classes);
    vec_release(&n->members);
    vec_release(&n->objects);
    vec_release(&n->values);
    map_release(&n->ids);
    free(n);
}

const struct nrbf_object *nrbf_object(const struct nrbf *n, uint32_t id)
{
    uint32_t i = map_get(&n->ids, id, 0);

    return i == MAP_NONE ? NULL : &n->objects.data[i];
}

const struct nrbf_object *nrbf_target(const struct nrbf *n,
                                      const struct nrbf_value *value)
{
    return value && value->kind == NRBF_REFERENCE
               ? nrbf_object(n, value->reference)
               : NULL;
}

static bool is_text(const char *a, size_t n, const char *name)
{
    return n == strlen(name) && !memcmp(a, name, n);
}

/* The name in the source that the compiler made this one of. */
static bool is_member(struct bytes b, const char *name)
{
    const char *text = (const char *)b.data;
    const char *close = b.len ? memchr(text, '>', b.len) : NULL;
    size_t tail;

    if (!close || *text != '<')
        return is_text(text, b.len, name);
    tail = b.len - (size_t)(close + 1 - text);
    return is_text(text + 1, (size_t)(close - text) - 1, name) ||
           is_text(close + 1, tail, name);
}

const struct nrbf_value *nrbf_member(const struct nrbf *n,
                                     const struct nrbf_object *o,
                                     const char *name)
{
    const struct nrbf_class *c;

    if (!o || o->class_id == NRBF_ARRAY)
        return NULL;
    c = &n->classes.data[o->class_id];
    for (uint32_t i = 0; i < c->count && i < o->count; i++)
        if (is_member(n->members.data[c->first + i].name, name))
            return &n->values.data[o->first + i];
    return NULL;
}

const struct nrbf_value *nrbf_element(const struct nrbf *n,
                                      const struct nrbf_object *array,
                                      uint32_t i)
{
    if (!array || array->class_id != NRBF_ARRAY || i >= array->count)
        return NULL;
    return &n->values.data[array->first + i];
}

struct bytes nrbf_text(const struct nrbf *n, const struct nrbf_value *value)
{
    const struct nrbf_object *o = nrbf_target(n, value);
    struct bytes none = {NULL, 0};

    if (o)
        value = nrbf_element(n, o, 0);
    if (!value || value->kind != NRBF_TEXT)
        return none;
    return (struct bytes){(const uint8_t *)value->text, value->length};
}

uint64_t nrbf_number(const struct nrbf_value *value, uint64_t otherwise)
{
    return value && value->kind == NRBF_NUMBER ? value->number : otherwise;
}
