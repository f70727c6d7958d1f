#include "symbols/managed/precompiled.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/managed/mapped_code.h"
#include "symbols/managed/r2r/place.h"

/* An assembly that may have code at unknown addresses. */
struct assembly {
    uint32_t module;
    struct found file;
    struct r2r_image *image; /* NULL: not precompiled */
};

struct precompiled {
    struct profile *p;
    uint32_t process;      /* the only one */
    bool *callers;         /* by location */
    VEC(uint32_t) unknown; /* locations */
    VEC(struct assembly) assemblies;
    struct r2r_image **images; /* of these */
    struct r2r_bases bases;
    struct map method_ids; /* (base, entry) -> method */
};

/* ---- what is to be named ---- */

static bool is_unknown(const struct location *l)
{
    return l->kind == CODE_UNKNOWN && l->module == NO_ID &&
           l->method == NO_ID && l->cause != CAUSE_NONE &&
           l->cause != CAUSE_NO_STACK;
}

static void list_unknown(struct precompiled *c)
{
    for (uint32_t i = 0; i < c->p->locations.len; i++)
        if (is_unknown(&c->p->locations.data[i]) &&
            !profile_has_frames(c->p, i))
            *vec_add(&c->unknown) = i;
}

/* Addresses of several processes cannot be told apart here; NO_ID then. */
static uint32_t only_process(const struct profile *p)
{
    uint32_t only = NO_ID;

    for (size_t i = 0; i < p->samples.len; i++) {
        uint32_t process = p->threads.data[p->samples.thread[i]].process;

        if (only != NO_ID && process != only)
            return NO_ID;
        only = process;
    }
    return only;
}

/* ---- assemblies ---- */

static bool is_same_build(const struct module *a, const struct module *b)
{
    return !memcmp(a->identity.guid, b->identity.guid,
                   sizeof(a->identity.guid));
}

static bool is_known(const struct precompiled *c, const struct module *m)
{
    const struct module *modules = c->p->modules.data;

    for (size_t i = 0; i < c->assemblies.len; i++)
        if (is_same_build(&modules[c->assemblies.data[i].module], m))
            return true;
    return false;
}

static void open_assembly(struct precompiled *c, uint32_t module,
                          const struct places *places)
{
    struct assembly a = {.module = module};

    /* What is inferred needs files that were given for it. */
    a.file = find_assembly(c->p, module, places, false);
    if (a.file.file)
        a.image =
            r2r_open(a.file.path, a.file.file->data, a.file.file->size, NULL);
    if (a.image)
        *vec_add(&c->assemblies) = a;
    else
        found_release(&a.file);
}

static void open_assemblies(struct precompiled *c, const struct places *places)
{
    for (uint32_t i = 0; i < c->p->modules.len; i++)
        if (c->p->modules.data[i].managed &&
            !is_known(c, &c->p->modules.data[i]))
            open_assembly(c, i, places);
    c->images = mem_new(c->assemblies.len, sizeof(struct r2r_image *));
    for (size_t i = 0; i < c->assemblies.len; i++)
        c->images[i] = c->assemblies.data[i].image;
}

/* ---- bases ---- */

enum { METHOD_TOKEN = 0x06, ALIGNMENT = 0x10000 };

/* A described method of the very size that the image has it in. Code that
 * was compiled later is not in the image: it would have to be of that size
 * and at that distance from a multiple of 64 KiB by chance. */
static void use_method(struct precompiled *c, const struct method *m)
{
    struct r2r_base base = {.calls = 0};
    struct r2r_method found;

    if (m->tier || m->token >> 24 != METHOD_TOKEN)
        return;
    for (size_t i = 0; i < c->assemblies.len; i++)
        if (c->assemblies.data[i].module == m->module &&
            r2r_row(c->images[i], m->token & 0xFFFFFF, &found) &&
            m->size == found.end - found.start &&
            (m->start - found.start) % ALIGNMENT == 0) {
            base.image = i;
            base.base = m->start - found.start;
            r2r_bases_add(&c->bases, c->images, &base);
        }
}

static void find_bases(struct precompiled *c)
{
    VEC(uint64_t) returns = {0};

    for (size_t i = 0; i < c->p->methods.len; i++)
        use_method(c, &c->p->methods.data[i]);
    for (size_t i = 0; i < c->unknown.len; i++)
        if (c->callers[c->unknown.data[i]])
            *vec_add(&returns) =
                c->p->locations.data[c->unknown.data[i]].address;
    r2r_place(&c->bases, c->images, c->assemblies.len, returns.data,
              returns.len);
    vec_release(&returns);
}

/* ---- names ---- */

static uint32_t add_method(struct precompiled *c, const struct r2r_base *b,
                           const struct r2r_method *m)
{
    struct method method = {
        .process = c->process,
        .start = b->base + m->start,
        .module = c->assemblies.data[b->image].module,
    };

    return code_method(c->p, &method, c->images[b->image], m, TYPES_EVENT);
}

static uint32_t method_of(struct precompiled *c, const struct r2r_base *b,
                          const struct r2r_method *m)
{
    uint32_t at = (uint32_t)(b - c->bases.list.data);
    uint32_t known = map_get(&c->method_ids, (uint64_t)at << 32 | m->entry, 0);

    if (known != MAP_NONE)
        return known;
    known = add_method(c, b, m);
    if (known != NO_ID)
        map_set(&c->method_ids, (uint64_t)at << 32 | m->entry, 0, known);
    return known;
}

static bool name_location(struct precompiled *c, const struct r2r_base *b,
                          uint32_t location)
{
    struct location *l = &c->p->locations.data[location];
    bool is_return = c->callers[location] || profile_leaves_return(c->p);
    struct r2r_method m;
    uint32_t method;

    if (!code_find(c->images[b->image], l->address - b->base, is_return, &m))
        return false;
    method = method_of(c, b, &m);
    if (method == NO_ID)
        return false;
    l->address -= b->base + m.start;
    l->method = method;
    l->kind = CODE_MANAGED;
    l->cause = CAUSE_NONE;
    return true;
}

static void note_base(const struct precompiled *c, const struct r2r_base *b,
                      struct code_log *log)
{
    *vec_add(&log->places) = (struct code_place){
        .module = c->assemblies.data[b->image].module,
        .base = b->base,
        .calls = b->calls,
    };
}

static void note_named(struct precompiled *c, const struct r2r_base *b,
                       struct code_place *place)
{
    const char *path = c->assemblies.data[b->image].file.path;

    place->named++;
    c->p->modules.data[place->module].symbols =
        strings_add(c->p->strings, path, strlen(path));
}

static void name_all(struct precompiled *c, struct code_log *log)
{
    size_t first = log->places.len;

    for (size_t i = 0; i < c->bases.list.len; i++)
        note_base(c, &c->bases.list.data[i], log);
    for (size_t i = 0; i < c->unknown.len; i++) {
        uint32_t location = c->unknown.data[i];
        const struct r2r_base *b = r2r_base_of(
            &c->bases, c->images, c->p->locations.data[location].address);

        if (b && name_location(c, b, location))
            note_named(
                c, b,
                &log->places.data[first + (size_t)(b - c->bases.list.data)]);
    }
}

static void release(struct precompiled *c)
{
    for (size_t i = 0; i < c->assemblies.len; i++) {
        r2r_close(c->assemblies.data[i].image);
        found_release(&c->assemblies.data[i].file);
    }
    vec_release(&c->assemblies);
    vec_release(&c->unknown);
    r2r_bases_release(&c->bases);
    map_release(&c->method_ids);
    free(c->images);
    free(c->callers);
}

void precompiled_from_files(struct profile *p, const struct places *places,
                            struct code_log *log)
{
    struct code_log own = {.places = {0}};
    struct precompiled c = {.p = p};

    if (p->frame_start.len)
        return;
    /* Where images are mapped, nothing is to be inferred. */
    if (p->mappings.len) {
        mapped_code_from_files(p, places);
        return;
    }
    c.process = only_process(p);
    list_unknown(&c);
    if (c.process != NO_ID && c.unknown.len) {
        c.callers = profile_callers(p);
        open_assemblies(&c, places);
        find_bases(&c);
        name_all(&c, log ? log : &own);
    }
    release(&c);
    code_log_release(&own);
}

void code_log_release(struct code_log *log)
{
    vec_release(&log->places);
}
