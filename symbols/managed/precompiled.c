/*
 * Names for code of precompiled .NET assemblies that a trace neither describes
 * nor places.
 *
 * An EventPipe recording that was cut off, or has no rundown, names neither
 * the methods nor the addresses of what was loaded. It names the assemblies,
 * by the GUID of their PDB. Where an assembly is at hand, methods that the
 * trace does describe or the calls on the stacks tell where it lay
 * (r2r/place.h); then its addresses become methods as if the trace had
 * described them.
 */

#include <stdlib.h>
#include <string.h>

#include "engine/base/path.h"
#include "symbols/find/pdb.h"
#include "symbols/managed/code_methods.h"
#include "symbols/managed/r2r/place.h"
#include "symbols/naming.h"

/* An assembly that may have code at unknown addresses. */
struct assembly {
    uint32_t module;
    struct found file;
    struct r2r_image *image;    /* NULL: not precompiled */
    struct composite composite; /* its module is NO_ID: names tell it */
};

struct precompiled {
    const struct profile *p;
    uint32_t process; /* the only one */
    VEC(struct assembly) assemblies;
    struct r2r_image **images; /* of these */
    struct r2r_bases bases;
    uint32_t *named; /* by base: addresses that got a name so */
    struct code_methods methods;
};

static uint32_t subject(const struct profile *p, const struct location *l)
{
    bool is_unknown = l->kind == CODE_UNKNOWN && l->module == NO_ID &&
                      l->method == NO_ID && l->cause != CAUSE_NONE &&
                      l->cause != CAUSE_NO_STACK;

    (void)p;
    return is_unknown ? 0 : NO_ID;
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
        if (c->assemblies.data[i].module != NO_ID &&
            is_same_build(&modules[c->assemblies.data[i].module], m))
            return true;
    return false;
}

static bool is_open(const struct precompiled *c, const char *path)
{
    for (size_t i = 0; i < c->assemblies.len; i++)
        if (!strcmp(c->assemblies.data[i].file.path, path))
            return true;
    return false;
}

/* The image that has the code of the assembly at a path, once for all of its
 * components. */
static void open_composite(struct precompiled *c, const char *component,
                           const char *owner, const struct places *places)
{
    struct assembly a = {.module = NO_ID, .file = found_nothing(NULL)};
    char *folder = path_folder(component), *path = path_join(folder, owner);

    if (!is_open(c, path) && path_is_file(path))
        a.file = found_given(path, places, NULL);
    if (a.file.file)
        a.image =
            r2r_open(a.file.path, a.file.file->data, a.file.file->size, NULL);
    if (a.image)
        composite_open(&a.composite, a.image, path, places);
    if (a.composite.files.len) {
        *vec_add(&c->assemblies) = a;
    } else {
        r2r_close(a.image);
        found_release(&a.file);
    }
    free(folder);
    free(path);
}

static void open_assemblies(struct precompiled *c, const struct places *places)
{
    for (uint32_t i = 0; i < c->p->modules.len; i++)
        if (c->p->modules.data[i].managed &&
            !is_known(c, &c->p->modules.data[i])) {
            struct assembly a = {.module = i};

            a.file = find_assembly(c->p, i, places);
            if (a.file.file)
                a.image = r2r_open(a.file.path, a.file.file->data,
                                   a.file.file->size, NULL);
            if (a.image && r2r_owner(a.image))
                open_composite(c, a.file.path, r2r_owner(a.image), places);
            if (a.image)
                *vec_add(&c->assemblies) = a;
            else
                found_release(&a.file);
        }
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

static void find_bases(struct precompiled *c, const struct asked_about *asked,
                       size_t count)
{
    VEC(uint64_t) returns = {0};

    for (uint32_t i = 0; i < c->p->methods.len; i++) {
        struct method m = methods_get(&c->p->methods, i);

        use_method(c, &m);
    }
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < asked[i].count; k++) {
            const struct location *l =
                &c->p->locations.data[asked[i].locations[k]];

            if (l->caller)
                *vec_add(&returns) = l->address;
        }
    r2r_place(&c->bases, c->images, c->assemblies.len, returns.data,
              returns.len);
    vec_release(&returns);
}

static void *begin(const struct naming *n, const struct asked_about *asked,
                   size_t count)
{
    struct precompiled *c;
    /* Mapped images leave nothing to infer. */
    uint32_t process = n->p->mappings.len ? NO_ID : only_process(n->p);

    if (process == NO_ID)
        return NULL;
    c = mem_new(1, sizeof(*c));
    c->p = n->p;
    c->process = process;
    c->methods.style = TYPES_EVENT;
    open_assemblies(c, n->places);
    find_bases(c, asked, count);
    c->named = mem_new(c->bases.list.len, sizeof(*c->named));
    return c;
}

/* ---- names ---- */

static void ask(void *opened, const struct asked *asked, struct answer *answer)
{
    struct precompiled *c = opened;
    const struct r2r_base *b =
        r2r_base_of(&c->bases, c->images, asked->address);
    struct code_method given = {.process = c->process};
    struct r2r_method m;

    if (!b || !code_find(c->images[b->image], asked->address - b->base,
                         asked->returns, &m))
        return;
    given.start = b->base + m.start;
    given.module = c->assemblies.data[b->image].module;
    answer->method =
        code_methods_get(&c->methods, c->images[b->image], &m, &given);
    answer->origin = c->assemblies.data[b->image].file.path;
    c->named[b - c->bases.list.data] += answer->method != NULL;
    if (!answer->method && r2r_is_cut(c->images[b->image]))
        answer->cause = CAUSE_BROKEN;
}

static void log_bases(const struct precompiled *c, struct code_log *log)
{
    for (size_t i = 0; i < c->bases.list.len; i++) {
        const struct r2r_base *b = &c->bases.list.data[i];

        *vec_add(&log->places) = (struct code_place){
            .module = c->assemblies.data[b->image].module,
            .base = b->base,
            .calls = b->calls,
            .named = c->named[i],
        };
    }
}

static void end(void *state, const struct naming *n)
{
    struct precompiled *c = state;

    if (n->log)
        log_bases(c, &n->log->code);
    for (size_t i = 0; i < c->assemblies.len; i++) {
        r2r_close(c->assemblies.data[i].image);
        composite_close(&c->assemblies.data[i].composite);
        found_release(&c->assemblies.data[i].file);
    }
    vec_release(&c->assemblies);
    r2r_bases_release(&c->bases);
    code_methods_release(&c->methods);
    free(c->images);
    free(c->named);
    free(c);
}

const struct name_source precompiled_source = {
    .subject = subject,
    .begin = begin,
    .ask = ask,
    .end = end,
};
