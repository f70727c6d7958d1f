#include "symbols/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/ascii.h"
#include "engine/container/container.h"

struct asked {
    uint32_t module, location;
    uint64_t rva;
};

static int compare_asked(const void *a, const void *b)
{
    const struct asked *x = a, *y = b;

    if (x->module != y->module)
        return x->module < y->module ? -1 : 1;
    if (x->rva != y->rva)
        return x->rva < y->rva ? -1 : 1;
    return (x->location > y->location) - (x->location < y->location);
}

static bool is_native(const struct location *l)
{
    return l->kind == CODE_NATIVE || l->kind == CODE_KERNEL;
}

/* Locations in images that no symbols named, by image and address. Managed
 * code has its names from the runtime; `carried`: native code too that the
 * trace has names for. */
static struct asked *list_unnamed(const struct profile *p, bool carried,
                                  size_t *count)
{
    struct asked *list = mem_new(p->locations.len, sizeof(*list));
    size_t n = 0;

    for (uint32_t i = 0; i < p->locations.len; i++) {
        const struct location *l = &p->locations.data[i];

        if (l->module != NO_ID &&
            (l->method == NO_ID || (carried && is_native(l))) &&
            !profile_has_frames(p, i))
            list[n++] = (struct asked){l->module, i, l->address};
    }
    qsort(list, n, sizeof(*list), compare_asked);
    *count = n;
    return list;
}

static uint32_t intern(struct profile *p, const char *text)
{
    return text ? strings_add(p->strings, text, strlen(text)) : 0;
}

static void give(struct profile *p, const struct asked *asked,
                 const struct debug_frame *found, size_t n,
                 const struct symbol_source *source)
{
    struct frame frames[DEBUG_FRAMES_MAX];
    struct module *m = &p->modules.data[asked->module];

    for (size_t i = 0; i < n; i++) {
        struct function f = {
            .name = intern(p, found[i].function),
            .module = m->name,
            .kind = p->locations.data[asked->location].kind,
        };

        frames[i] = (struct frame){
            .function = profile_function(p, &f),
            .file = intern(p, found[i].file),
            .line = found[i].line,
            .inlined = found[i].inlined,
        };
    }
    profile_set_frames(p, asked->location, frames, n);
    if (!m->symbols)
        m->symbols = intern(p, source->name);
}

static size_t ask(const struct symbol_source *source,
                  const struct symbol_query *query, struct debug_frame *found)
{
    if (query->named && !source->renames)
        return 0;
    return source->frames(source->state, query, found, DEBUG_FRAMES_MAX);
}

void symbols_resolve(struct profile *p, const struct symbol_source *sources,
                     size_t count)
{
    struct debug_frame found[DEBUG_FRAMES_MAX];
    bool *callers = profile_callers(p);
    bool renames = false;
    struct asked *list;
    size_t n;

    for (size_t j = 0; j < count; j++)
        renames |= sources[j].renames;
    list = list_unnamed(p, renames, &n);
    for (size_t i = 0; i < n; i++) {
        const struct location *l = &p->locations.data[list[i].location];
        struct symbol_query query = {list[i].module, list[i].rva,
                                     callers[list[i].location],
                                     l->method != NO_ID};

        for (size_t j = 0; j < count; j++) {
            size_t frames = ask(&sources[j], &query, found);

            if (!frames)
                continue;
            give(p, &list[i], found, frames, &sources[j]);
            break;
        }
    }
    free(list);
    free(callers);
}

/* ---- what lies beside the traces ---- */

static bool is_symbols_bin(const struct entry *e)
{
    const char *slash = strrchr(e->inner, '/');

    return e->kind == ENTRY_SYMBOLS &&
           ascii_same(slash ? slash + 1 : e->inner, "symbols.bin");
}

static void use_entry(struct profile *p, struct container *c, size_t i)
{
    struct entry *e = &c->entries[i];
    struct symbol_source source;
    struct err err = {0};

    if (container_load(c, i, &err) ||
        !symbols_bin_open(&source, e->name, e->data, e->size, p, &err)) {
        profile_warn(p, "%s", err.message);
        return;
    }
    symbols_resolve(p, &source, 1);
    source.free(source.state);
    profile_content_used(p, e->name);
}

static bool has_symbols(const struct profile *p)
{
    const char *kind;

    for (size_t i = 0; i < p->trace.contents.len; i++) {
        kind = strings_get(p->strings, p->trace.contents.data[i].kind);
        if (!strcmp(kind, "symbols"))
            return true;
    }
    return false;
}

/* The containers are opened once more: the profile outlives its trace. */
void symbols_from_containers(struct profile *p)
{
    if (p->frame_start.len || !has_symbols(p))
        return;
    for (size_t i = 0; i < p->trace.files.len; i++) {
        struct container *c = container_open(
            strings_get(p->strings, p->trace.files.data[i]), NULL);

        for (size_t j = 0; c && j < c->count; j++)
            if (is_symbols_bin(&c->entries[j]))
                use_entry(p, c, j);
        container_close(c);
    }
}
