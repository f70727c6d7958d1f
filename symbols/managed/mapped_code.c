#include "symbols/managed/mapped_code.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/observations/observations.h"
#include "symbols/find/assembly.h"

struct mapped {
    struct profile *p;
    const struct places *places;
    bool *callers;         /* by location */
    struct map method_ids; /* (entry, module) -> method */
};

/* One module while its file is open. */
struct assembly {
    uint32_t module, managed; /* as mapped, and as the runtime calls it */
    const struct r2r_image *image;
};

struct asked {
    uint32_t module, location;
};

static uint32_t intern(struct profile *p, const char *text)
{
    return strings_add(p->strings, text, strlen(text));
}

bool code_find(const struct r2r_image *image, uint64_t rva, bool is_return,
               struct r2r_method *m)
{
    if (rva > UINT32_MAX)
        return false;
    if (is_return && rva && r2r_find(image, (uint32_t)rva - 1, m))
        return true;
    return r2r_find(image, (uint32_t)rva, m);
}

uint32_t code_method(struct profile *p, const struct method *given,
                     const struct r2r_image *image, const struct r2r_method *m,
                     enum type_style style)
{
    uint32_t id = mem_next_id(p->methods.len);
    struct method method = *given;
    struct arena arena = {0};
    struct r2r_name name;

    if (!r2r_name(image, m, style, &arena, &name))
        id = NO_ID;
    if (id != NO_ID) {
        method.size = m->end - m->start;
        method.from = TIME_MIN;
        method.to = TIME_MAX;
        method.space = intern(p, name.space);
        method.name = intern(p, name.name);
        method.signature = intern(p, name.signature);
        method.full_name = intern(p, name.full);
        method.token = name.token;
        *vec_add(&p->methods) = method;
    }
    arena_release(&arena);
    return id;
}

/* ---- modules ---- */

static bool is_candidate(const struct profile *p, uint32_t location)
{
    const struct location *l = &p->locations.data[location];

    return l->kind == CODE_NATIVE && l->module != NO_ID && l->method == NO_ID &&
           !profile_has_frames(p, location) &&
           p->modules.data[l->module].by_file_offset &&
           p->modules.data[l->module].identity.pdb_name;
}

static int compare_asked(const void *a, const void *b)
{
    const struct asked *x = a, *y = b;

    if (x->module != y->module)
        return x->module < y->module ? -1 : 1;
    return (x->location > y->location) - (x->location < y->location);
}

static struct asked *list_places(const struct profile *p, size_t *count)
{
    struct asked *list = mem_new(p->locations.len, sizeof(*list));
    size_t n = 0;

    for (uint32_t i = 0; i < p->locations.len; i++)
        if (is_candidate(p, i))
            list[n++] = (struct asked){p->locations.data[i].module, i};
    qsort(list, n, sizeof(*list), compare_asked);
    *count = n;
    return list;
}

/* "System.Linq" of "System.Linq.dll". */
static uint32_t assembly_name(struct profile *p, uint32_t file)
{
    const char *name = strings_get(p->strings, file);
    size_t n = strlen(name);

    if (n > 4 && ascii_same(name + n - 4, ".dll"))
        n -= 4;
    return strings_add(p->strings, name, n);
}

/* The managed module of that name, which its jitted methods may have. */
static uint32_t managed_module(struct profile *p, uint32_t module)
{
    uint32_t name = assembly_name(p, p->modules.data[module].name);
    struct module m = {
        .path = name, .name = name, .area = name, .managed = true};

    for (uint32_t i = 0; i < p->modules.len; i++)
        if (p->modules.data[i].managed && p->modules.data[i].name == name)
            return i;
    *vec_add(&p->modules) = m;
    return (uint32_t)p->modules.len - 1;
}

/* ---- names ---- */

static uint32_t method_of(struct mapped *c, const struct assembly *a,
                          const struct r2r_method *m)
{
    struct method given = {.process = 0, .module = a->managed};
    uint32_t id = map_get(&c->method_ids, m->entry, a->module);

    if (id != MAP_NONE)
        return id;
    given.start = m->start;
    id = code_method(c->p, &given, a->image, m, TYPES_MAP);
    if (id != NO_ID)
        map_set(&c->method_ids, m->entry, a->module, id);
    return id;
}

static bool name_location(struct mapped *c, const struct assembly *a,
                          uint32_t location)
{
    struct location *l = &c->p->locations.data[location];
    struct r2r_method m;
    uint32_t rva, method;

    if (!pe_offset_to_rva(r2r_pe(a->image), l->address, &rva) ||
        !code_find(a->image, rva, c->callers[location], &m))
        return false;
    method = method_of(c, a, &m);
    if (method == NO_ID)
        return false;
    l->method = method;
    l->kind = CODE_MANAGED;
    l->cause = CAUSE_NONE;
    return true;
}

static void name_module(struct mapped *c, const struct asked *list, size_t n,
                        const struct found *file)
{
    struct r2r_image *image =
        file->file
            ? r2r_open(file->path, file->file->data, file->file->size, NULL)
            : NULL;
    struct assembly a = {.module = list->module, .image = image};
    bool named = false;

    if (!image)
        return;
    a.managed = managed_module(c->p, list->module);
    for (size_t i = 0; i < n; i++)
        named |= name_location(c, &a, list[i].location);
    if (named)
        c->p->modules.data[list->module].symbols = intern(c->p, file->path);
    r2r_close(image);
}

void mapped_code_from_files(struct profile *p, const struct places *places)
{
    struct mapped c = {.p = p, .places = places};
    struct asked *list;
    size_t n, end;

    list = list_places(p, &n);
    c.callers = profile_callers(p);
    for (size_t i = 0; i < n; i = end) {
        struct found file = find_assembly(p, list[i].module, places, false);

        for (end = i; end < n && list[end].module == list[i].module;)
            end++;
        name_module(&c, &list[i], end - i, &file);
        found_release(&file);
    }
    map_release(&c.method_ids);
    free(c.callers);
    free(list);
}
