/*
 * Saved names, handed over in the profile: they are asked location by
 * location once that is attributed.
 *
 * The line of a call is looked up for the byte before the address that it
 * returns to. A native name is saved for the address itself.
 */
#include <stdlib.h>

#include "engine/base/bisect.h"
#include "engine/format/vsp/vsp.h"

enum { MAP_ENTRY = 12 };

struct naming {
    const struct profile *p;
    struct vsp_saved *saved;
    VEC(struct vsp_method) recorded; /* by start */
    struct strings *text;            /* as UTF-8 */
    /* Of the attributed profile, from the first question on. */
    uint64_t *bases;                   /* by module: where first mapped */
    struct saved_module **modules;     /* by module; NULL not saved */
    const struct vsp_method **methods; /* by method */
};

static const char *text(struct naming *n, struct bytes b)
{
    return strings_get(n->text, strings_add_utf16(n->text, b.data, b.len / 2));
}

static bool find_native(struct naming *n, const struct location *l,
                        bool returns, struct saved_frame *frame)
{
    struct saved_module *m = n->modules[l->module];
    uint32_t rva = (uint32_t)l->address, line = 0;
    struct saved_native found;

    if (!m || l->address > UINT32_MAX ||
        !saved_native(n->saved, m, rva, &found))
        return false;
    if (returns && rva)
        line = saved_line_of(m, rva - 1);
    if (!line)
        line = saved_line_of(m, rva);
    *frame = (struct saved_frame){
        .function = text(n, saved_text(n->saved, found.name)),
        .file = text(n, saved_text(n->saved, found.file)),
        .line = line,
    };
    return true;
}

/* The IL offset of a native one; -1 where there is none. */
static int32_t il_offset(const struct vsp_method *m, uint64_t offset)
{
    for (uint32_t i = 0; i < m->map_entries; i++) {
        const uint8_t *e = m->map + (size_t)i * MAP_ENTRY;

        if (load_u32(e + 4) <= offset && offset < load_u32(e + 8))
            return (int32_t)load_u32(e);
    }
    return -1;
}

static uint64_t offset_in_method(const struct naming *n,
                                 const struct location *l)
{
    uint64_t start = methods_get(&n->p->methods, l->method).start;

    if (l->module == NO_ID)
        return l->address;
    return n->bases[l->module] + l->address - start;
}

static bool find_managed(struct naming *n, const struct location *l,
                         bool returns, struct saved_frame *frame)
{
    const struct vsp_method *m = n->methods[l->method];
    uint64_t offset = offset_in_method(n, l);
    struct saved_managed found;
    uint32_t line = 0;
    int32_t il;

    if (!m || !saved_managed(n->saved, m->mvid, m->token, &found))
        return false;
    il = il_offset(m, offset - (returns && offset));
    if (il >= 0)
        line = saved_il_line_of(n->saved, found.module, m->token, il);
    *frame = (struct saved_frame){.file = text(n, found.file), .line = line};
    return true;
}

/* The recorder's mark for a gap in a stack that it could not walk. */
static bool find_gap(const struct location *l, struct saved_frame *frame)
{
    *frame = (struct saved_frame){.function = "[broken]"};
    return l->address == VSP_GAP;
}

static const struct vsp_method *method_at(const struct naming *n,
                                          const struct method *m)
{
    const struct vsp_method *list = n->recorded.data;
    size_t i;

    BISECT(i, n->recorded.len, list[i].start < m->start);
    for (; i < n->recorded.len && list[i].start == m->start; i++)
        if (list[i].token == m->token && list[i].length == m->size)
            return &list[i];
    return NULL;
}

static void find_modules(struct naming *n)
{
    const struct profile *p = n->p;

    n->bases = mem_new(p->modules.len, sizeof(*n->bases));
    n->modules = mem_new(p->modules.len, sizeof(struct saved_module *));
    n->methods = mem_new(p->methods.len, sizeof(struct vsp_method *));
    for (size_t i = p->mappings.len; i-- > 0;)
        n->bases[p->mappings.data[i].module] = p->mappings.data[i].base;
    for (size_t i = 0; i < p->modules.len; i++) {
        const struct module *m = &p->modules.data[i];

        n->modules[i] =
            saved_find(n->saved, strings_get(p->strings, m->path),
                       m->identity.image_size, m->identity.timestamp);
    }
    for (uint32_t i = 0; i < p->methods.len; i++) {
        struct method m = methods_get(&p->methods, i);

        n->methods[i] = method_at(n, &m);
    }
}

static bool find(void *state, uint32_t location, bool returns,
                 struct saved_frame *frame)
{
    struct naming *n = state;
    const struct location *l = &n->p->locations.data[location];

    if (!n->modules)
        find_modules(n);
    if (l->method != NO_ID)
        return find_managed(n, l, returns, frame);
    if (l->module != NO_ID)
        return find_native(n, l, returns, frame);
    return find_gap(l, frame);
}

static void release(void *state)
{
    struct naming *n = state;

    saved_free(n->saved);
    vec_release(&n->recorded);
    strings_free(n->text);
    free(n->bases);
    free(n->modules);
    free(n->methods);
    free(n);
}

void vsp_names_hand_over(struct vsp_reading *r)
{
    struct profile *p = r->seen->profile;
    struct naming *n = mem_new(1, sizeof(*n));

    n->p = p;
    n->saved = r->saved;
    n->text = strings_new();
    vec_reserve(&n->recorded, r->methods.len);
    for (size_t i = 0; i < r->methods.len; i++)
        *vec_add(&n->recorded) = r->methods.data[i];
    r->saved = NULL;
    p->saved = (struct saved_names){n, "saved in the recording", find, release};
}
