#include "symbols/native.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/find/prefetch.h"
#include "symbols/names/names.h"
#include "symbols/symbols.h"

struct native {
    const struct profile *p;
    const struct symbol_search *search;
    struct module_search *modules; /* by id; of those not looked for zeros */
    struct prefetched *ready; /* NULL: each is looked for in its turn */
};

/* A module while it is asked, by one thread. */
struct asked_module {
    const struct native *native;
    struct module_search *search;
    struct arena arena; /* names until the next address */
};

/* ---- files ---- */

/* As symbols_resolve asks. */
static uint32_t module_of(const struct profile *p, uint32_t location)
{
    const struct location *l = &p->locations.data[location];
    bool may_ask = l->method == NO_ID || l->kind == CODE_NATIVE ||
                   l->kind == CODE_KERNEL;

    return may_ask && !profile_has_frames(p, location) ? l->module : NO_ID;
}

static void find(const struct profile *p, uint32_t module,
                 const struct places *places, void *result)
{
    *(struct module_files *)result = find_module(p, module, places);
}

static void release(void *result)
{
    module_files_release(result);
}

static const struct prefetch_kind files_kind = {
    .module_of = module_of,
    .size = sizeof(struct module_files),
    .find = find,
    .release = release,
};

static void *open_module(void *state, uint32_t module)
{
    const struct native *n = state;
    struct asked_module *m = mem_new(1, sizeof(*m));

    m->native = n;
    m->search = &n->modules[module];
    m->search->module = module;
    if (!prefetch_take(n->ready, module, &m->search->files))
        m->search->files = find_module(n->p, module, n->search->places);
    m->search->sought = true;
    return m;
}

static void close_module(void *opened)
{
    struct asked_module *m = opened;

    module_files_close(&m->search->files);
    arena_release(&m->arena);
    free(m);
}

/* ---- names ---- */

/* A call's line and inlined functions are those of its last byte. */
static size_t frames(void *opened, const struct symbol_query *query,
                     struct debug_frame *out, size_t max)
{
    struct asked_module *m = opened;
    const struct module_files *files = &m->search->files;
    uint64_t address = query->rva - (query->caller && query->rva);
    size_t count;

    if (query->named && !files->is_complete)
        return 0;
    arena_reset(&m->arena);
    count = module_frames(files, address, out, max);
    for (size_t i = 0; i < count; i++)
        out[i].function = symbol_readable(
            out[i].function, m->native->search->style, &m->arena);
    return count;
}

/* Of what lies in a container the last part says enough. */
static uint32_t source_name(void *state, struct profile *p, uint32_t module)
{
    const struct native *n = state;
    const struct found *used = module_file_used(&n->modules[module].files);
    const char *slash = strrchr(used->path, '/');

    if (!used->inside)
        return strings_add(p->strings, used->path, strlen(used->path));
    profile_content_used(p, used->path);
    return strings_addf(p->strings, "%s, found inside the container",
                        slash ? slash + 1 : used->path);
}

static bool wants_symbols(uint8_t cause)
{
    return cause == CAUSE_NO_SYMBOLS || cause == CAUSE_MISMATCH ||
           cause == CAUSE_BROKEN || cause == CAUSE_OUTSIDE;
}

/* Where nothing is found, a cause that was known before says more. */
static void set_causes(struct profile *p, const struct module_search *modules)
{
    for (uint32_t i = 0; i < p->locations.len; i++) {
        struct location *l = &p->locations.data[i];

        if (wants_symbols(l->cause) && l->module != NO_ID &&
            l->method == NO_ID && modules[l->module].sought &&
            modules[l->module].files.cause != CAUSE_NO_SYMBOLS &&
            !profile_has_frames(p, i))
            l->cause = (uint8_t)modules[l->module].files.cause;
    }
}

/* Hands over what was looked for, or forgets it. */
static void finish_log(struct native *n, struct symbol_log *log)
{
    for (size_t i = 0; i < n->p->modules.len; i++) {
        if (n->modules[i].sought && log)
            *vec_add(&log->modules) = n->modules[i];
        else if (n->modules[i].sought)
            module_files_release(&n->modules[i].files);
    }
    free(n->modules);
}

void symbols_from_files(struct profile *p, const struct symbol_search *search,
                        struct symbol_log *log)
{
    struct native native = {.p = p, .search = search};
    struct symbol_source source = {
        .state = &native,
        .renames = true,
        .open = open_module,
        .frames = frames,
        .close = close_module,
        .name = source_name,
    };

    if (p->frame_start.len)
        return;
    native.modules = mem_new(p->modules.len, sizeof(*native.modules));
    native.ready = prefetch(p, search->places, &files_kind);
    symbols_resolve(p, &source, search->threads);
    prefetch_free(native.ready);
    set_causes(p, native.modules);
    finish_log(&native, log);
}

void symbol_log_release(struct symbol_log *log)
{
    for (size_t i = 0; i < log->modules.len; i++)
        module_files_release(&log->modules.data[i].files);
    vec_release(&log->modules);
}
