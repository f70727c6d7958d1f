#include "symbols/native.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/names.h"
#include "symbols/symbols.h"

/* One module at a time is open: addresses come by module. */
struct native {
    struct profile *p;
    const struct symbol_search *search;
    struct symbol_log *log;
    struct arena arena; /* names of one module */
    bool is_open;
    uint8_t *causes; /* by module */
};

static void open_module(struct native *n, uint32_t module)
{
    struct module_search *m = vec_add(&n->log->modules);

    m->module = module;
    m->files = find_module(n->p, module, n->search->places);
    n->causes[module] = (uint8_t)m->files.cause;
    n->is_open = true;
}

static void close_module(struct native *n)
{
    if (n->is_open)
        module_files_close(
            &n->log->modules.data[n->log->modules.len - 1].files);
    n->is_open = false;
    arena_reset(&n->arena);
}

static struct module_files *files_of(struct native *n, uint32_t module)
{
    if (n->is_open &&
        n->log->modules.data[n->log->modules.len - 1].module != module)
        close_module(n);
    if (!n->is_open)
        open_module(n, module);
    return &n->log->modules.data[n->log->modules.len - 1].files;
}

/* What a container's entry is called there does not help a person: its last
 * part does. */
static uint32_t source_name(struct profile *p, const struct found *used)
{
    const char *slash = strrchr(used->path, '/');

    if (used->inside)
        return strings_addf(p->strings, "%s, found inside the container",
                            slash ? slash + 1 : used->path);
    return strings_add(p->strings, used->path, strlen(used->path));
}

static void note_used(struct native *n, uint32_t module,
                      const struct found *used)
{
    struct module *m = &n->p->modules.data[module];

    if (m->symbols)
        return;
    m->symbols = source_name(n->p, used);
    if (used->inside)
        profile_content_used(n->p, used->path);
}

/* A call's line and inlined functions are those of its last byte. */
static size_t frames(void *state, const struct symbol_query *query,
                     struct debug_frame *out, size_t max)
{
    struct native *n = state;
    const struct module_files *files = files_of(n, query->module);
    uint64_t address = query->rva - (query->caller && query->rva);
    size_t count;

    if (query->named && !files->is_complete)
        return 0;
    count = module_frames(files, address, out, max);
    for (size_t i = 0; i < count; i++)
        out[i].function = symbol_readable(out[i].function, n->search->style,
                                          &n->arena);
    if (count)
        note_used(n, query->module, module_file_used(files));
    return count;
}

static void set_causes(struct profile *p, const uint8_t *causes)
{
    for (uint32_t i = 0; i < p->locations.len; i++) {
        struct location *l = &p->locations.data[i];

        if (l->cause == CAUSE_NO_SYMBOLS && l->module != NO_ID &&
            l->method == NO_ID && causes[l->module] &&
            !profile_has_frames(p, i))
            l->cause = causes[l->module];
    }
}

void symbols_from_files(struct profile *p, const struct symbol_search *search,
                        struct symbol_log *log)
{
    struct symbol_log own = {.modules = {0}};
    struct native native = {
        .p = p, .search = search, .log = log ? log : &own};
    struct symbol_source source = {
        .name = "", .frames = frames, .state = &native,
        .renames = true};

    if (p->frame_start.len)
        return;
    native.causes = mem_new(p->modules.len, 1);
    symbols_resolve(p, &source, 1);
    close_module(&native);
    set_causes(p, native.causes);
    arena_release(&native.arena);
    free(native.causes);
    symbol_log_release(&own);
}

void symbol_log_release(struct symbol_log *log)
{
    for (size_t i = 0; i < log->modules.len; i++)
        module_files_release(&log->modules.data[i].files);
    vec_release(&log->modules);
}
