/*
 * Saved names -> frames of locations, after attribution.
 *
 * The address of a caller is where its call returns to: lines are looked up
 * for the byte before. A native name is saved for the address itself.
 */
#include "engine/base/bisect.h"
#include "engine/format/vsp/vsp.h"

enum { BROKEN_MARK = 0xBAADF00Du, MAP_ENTRY = 12 };

struct naming {
    const struct vsp_reading *r;
    struct profile *p;
    bool *callers;         /* by location */
    uint64_t *bases;       /* by module: where it was first mapped */
    struct saved_module **modules; /* by module; NULL not saved */
    const struct vsp_method **methods; /* by method */
};

static uint32_t text(struct naming *n, struct bytes b)
{
    return strings_add_utf16(n->p->strings, b.data, b.len / 2);
}

static void set_frame(struct naming *n, uint32_t location,
                      const struct function *f, uint32_t file, uint32_t line)
{
    struct frame frame = {
        .function = profile_function(n->p, f),
        .file = file,
        .line = line,
    };

    profile_set_frames(n->p, location, &frame, 1);
}

static void name_native(struct naming *n, uint32_t location)
{
    const struct location *l = &n->p->locations.data[location];
    struct saved_module *m = n->modules[l->module];
    uint32_t rva = (uint32_t)l->address, line = 0;
    struct saved_native found;

    if (!m || l->address > UINT32_MAX ||
        !saved_native(n->r->saved, m, rva, &found))
        return;
    if (n->callers[location] && rva)
        line = saved_line_of(m, rva - 1);
    if (!line)
        line = saved_line_of(m, rva);
    set_frame(n, location,
              &(struct function){
                  .name = text(n, saved_text(n->r->saved, found.name)),
                  .module = n->p->modules.data[l->module].name,
                  .kind = l->kind,
              },
              text(n, saved_text(n->r->saved, found.file)), line);
    n->p->modules.data[l->module].symbols =
        strings_add(n->p->strings, "saved in the recording", 22);
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
    uint64_t start = n->p->methods.data[l->method].start;

    if (l->module == NO_ID)
        return l->address;
    return n->bases[l->module] + l->address - start;
}

static void name_managed(struct naming *n, uint32_t location)
{
    const struct location *l = &n->p->locations.data[location];
    const struct method *method = &n->p->methods.data[l->method];
    const struct vsp_method *m = n->methods[l->method];
    uint64_t offset = offset_in_method(n, l);
    struct saved_managed found;
    uint32_t line = 0;
    int32_t il;

    if (!m || !saved_managed(n->r->saved, m->mvid, m->token, &found))
        return;
    il = il_offset(m, offset - (n->callers[location] && offset));
    if (il >= 0)
        line = saved_il_line_of(n->r->saved, found.module, m->token, il);
    set_frame(n, location,
              &(struct function){
                  .name = method->full_name,
                  .module = method->module != NO_ID
                                ? n->p->modules.data[method->module].name
                                : strings_add(n->p->strings, "[jit]", 5),
                  .kind = l->kind,
              },
              text(n, found.file), line);
}

/* The recorder's mark for a gap in a stack that it could not walk. */
static void name_gap(struct naming *n, uint32_t location)
{
    const struct location *l = &n->p->locations.data[location];

    if (l->address != BROKEN_MARK)
        return;
    set_frame(n, location,
              &(struct function){
                  .name = strings_add(n->p->strings, "[broken]", 8),
                  .module = strings_add(n->p->strings, "[unknown]", 9),
                  .kind = l->kind,
              },
              0, 0);
}

static const struct vsp_method *method_at(const struct vsp_reading *r,
                                          const struct method *m)
{
    size_t i;

    BISECT(i, r->methods.len, r->methods.data[i].start < m->start);
    for (; i < r->methods.len && r->methods.data[i].start == m->start;
         i++)
        if (r->methods.data[i].token == m->token &&
            r->methods.data[i].length == m->size)
            return &r->methods.data[i];
    return NULL;
}

static void find_modules(struct naming *n)
{
    const struct profile *p = n->p;

    for (size_t i = p->mappings.len; i-- > 0;)
        n->bases[p->mappings.data[i].module] = p->mappings.data[i].base;
    for (size_t i = 0; i < p->locations.len; i++) {
        const struct location *l = &p->locations.data[i];
        const struct module *m;

        if (l->module == NO_ID || n->modules[l->module])
            continue;
        m = &p->modules.data[l->module];
        n->modules[l->module] = saved_find(
            n->r->saved, strings_get(p->strings, m->path),
            m->identity.image_size, m->identity.timestamp);
    }
    for (size_t i = 0; i < p->methods.len; i++)
        n->methods[i] = method_at(n->r, &p->methods.data[i]);
}

void vsp_names_give(const struct vsp_reading *r)
{
    struct profile *p = r->seen->profile;
    struct naming n = {
        .r = r,
        .p = p,
        .callers = profile_callers(p),
        .bases = mem_new(p->modules.len, sizeof(*n.bases)),
        .modules = mem_new(p->modules.len, sizeof(struct saved_module *)),
        .methods = mem_new(p->methods.len, sizeof(struct vsp_method *)),
    };

    find_modules(&n);
    for (uint32_t i = 0; i < p->locations.len; i++) {
        const struct location *l = &p->locations.data[i];

        if (l->method != NO_ID)
            name_managed(&n, i);
        else if (l->module != NO_ID)
            name_native(&n, i);
        else
            name_gap(&n, i);
    }
    free(n.callers);
    free(n.bases);
    free(n.modules);
    free(n.methods);
}
