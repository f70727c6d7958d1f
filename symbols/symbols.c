#include "symbols/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/base/threads.h"
#include "symbols/find/inside.h"
#include "symbols/names/names.h"

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

/* ---- asking, by any thread ---- */

/* What a source said of one image's addresses. */
struct image {
    const struct asked *asked;
    size_t count;
    uint32_t *frame_counts; /* by address; 0: not known */
    /* Function and file are ids of `strings`. */
    VEC(struct frame) frames;
    struct strings *strings;
};

struct asking {
    const struct profile *p;
    const struct symbol_source *source;
    const bool *callers;
    VEC(struct image) images; /* by module */
};

static void split_by_image(struct asking *a, const struct asked *list,
                           size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!i || list[i].module != list[i - 1].module)
            *vec_add(&a->images) = (struct image){.asked = &list[i]};
        a->images.data[a->images.len - 1].count++;
    }
}

static uint32_t intern(struct strings *strings, const char *text)
{
    return text ? strings_add(strings, text, strlen(text)) : 0;
}

static void keep(struct image *image, const struct debug_frame *found,
                 size_t n)
{
    for (size_t i = 0; i < n; i++)
        *vec_add(&image->frames) = (struct frame){
            .function = intern(image->strings, found[i].function),
            .file = intern(image->strings, found[i].file),
            .line = found[i].line,
            .inlined = found[i].inlined,
        };
}

static uint32_t ask(const struct asking *a, struct image *image,
                    const struct asked *asked, void *opened)
{
    struct debug_frame found[DEBUG_FRAMES_MAX];
    bool named = a->p->locations.data[asked->location].method != NO_ID;
    struct symbol_query query = {asked->module, asked->rva,
                                 a->callers[asked->location], named};
    size_t n = 0;

    if (!named || a->source->renames)
        n = a->source->frames(opened, &query, found, DEBUG_FRAMES_MAX);
    keep(image, found, n);
    return (uint32_t)n;
}

static void ask_image(void *context, size_t task, unsigned worker)
{
    const struct asking *a = context;
    const struct symbol_source *s = a->source;
    struct image *image = &a->images.data[task];
    void *opened =
        s->open ? s->open(s->state, image->asked->module) : s->state;

    (void)worker;
    image->strings = strings_new();
    image->frame_counts = mem_new(image->count, sizeof(uint32_t));
    for (size_t i = 0; i < image->count; i++)
        image->frame_counts[i] = ask(a, image, &image->asked[i], opened);
    if (s->close)
        s->close(opened);
}

/* ---- giving, in order ---- */

/* The profile's id of an image's string, found once. */
static uint32_t translate(struct profile *p, const struct image *image,
                          uint32_t *ids, uint32_t id)
{
    if (!ids[id])
        ids[id] = strings_add(p->strings, strings_get(image->strings, id),
                              strings_len(image->strings, id));
    return ids[id];
}

static void give(struct profile *p, const struct image *image, uint32_t *ids,
                 uint32_t location, const struct frame *said, uint32_t n)
{
    const struct location *l = &p->locations.data[location];
    struct frame frames[DEBUG_FRAMES_MAX];

    for (uint32_t i = 0; i < n; i++) {
        struct function f = {
            .name = translate(p, image, ids, said[i].function),
            .module = p->modules.data[l->module].name,
            .kind = l->kind,
        };

        frames[i] = said[i];
        frames[i].function = profile_function(p, &f);
        frames[i].file = translate(p, image, ids, said[i].file);
    }
    profile_set_frames(p, location, frames, n);
}

static void give_image(struct profile *p, const struct symbol_source *source,
                       struct image *image)
{
    struct module *m = &p->modules.data[image->asked->module];
    uint32_t *ids = mem_new(strings_count(image->strings), sizeof(*ids));
    const struct frame *at = image->frames.data;

    for (size_t i = 0; i < image->count; i++) {
        uint32_t n = image->frame_counts[i];

        if (n)
            give(p, image, ids, image->asked[i].location, at, n);
        at += n;
    }
    if (image->frames.len && !m->symbols)
        m->symbols = source->name(source->state, p, image->asked->module);
    free(ids);
    free(image->frame_counts);
    vec_release(&image->frames);
    strings_free(image->strings);
}

void symbols_resolve(struct profile *p, const struct symbol_source *source,
                     unsigned threads)
{
    bool *callers = profile_callers(p);
    struct asking asking = {.p = p, .source = source, .callers = callers};
    struct threads *pool;
    struct asked *list;
    size_t n;

    list = list_unnamed(p, source->renames, &n);
    split_by_image(&asking, list, n);
    pool = threads_new(asking.images.len > 1 ? threads : 1);
    threads_run(pool, asking.images.len, ask_image, &asking);
    threads_free(pool);
    for (size_t i = 0; i < asking.images.len; i++)
        give_image(p, source, &asking.images.data[i]);
    vec_release(&asking.images);
    free(list);
    free(callers);
}

/* ---- names that are there ---- */

struct reading {
    enum demangle_style style;
    struct arena arena;
};

static uint32_t readable(struct reading *r, struct profile *p, uint32_t name)
{
    const char *text = strings_get(p->strings, name);
    const char *better = symbol_readable(text, r->style, &r->arena);

    if (better != text)
        name = strings_add(p->strings, better, strlen(better));
    arena_reset(&r->arena);
    return name;
}

static uint32_t readable_function(void *context, struct profile *p,
                                  const struct function *f)
{
    if (f->kind != CODE_NATIVE && f->kind != CODE_KERNEL)
        return f->name;
    return readable(context, p, f->name);
}

void symbols_make_readable(struct profile *p, enum demangle_style style)
{
    struct reading r = {.style = style};

    profile_rename(p, readable_function, &r);
    for (size_t i = 0; i < p->locations.len; i++) {
        const struct location *l = &p->locations.data[i];
        struct method *m;

        if (l->method == NO_ID || !is_native(l))
            continue;
        m = &p->methods.data[l->method];
        m->full_name = readable(&r, p, m->full_name);
    }
    arena_release(&r.arena);
}

/* ---- what lies beside the traces ---- */

static bool is_symbols_bin(const struct entry *e)
{
    const char *slash = strrchr(e->inner, '/');

    return e->kind == ENTRY_SYMBOLS &&
           ascii_same(slash ? slash + 1 : e->inner, "symbols.bin");
}

static void use_entry(struct profile *p, struct inside *inside, size_t i)
{
    const struct entry *e = inside_entry(inside, i);
    struct symbol_source source;
    struct err err = {0};

    if (inside_load(inside, i, &err) ||
        !symbols_bin_open(&source, e->name, e->data, e->size, p, &err)) {
        profile_warn(p, "%s", err.message);
        return;
    }
    symbols_resolve(p, &source, 1);
    source.free(source.state);
    profile_content_used(p, e->name);
}

void symbols_from_containers(struct profile *p, struct inside *inside)
{
    for (size_t i = 0; !p->frame_start.len && i < inside_count(inside); i++)
        if (is_symbols_bin(inside_entry(inside, i)))
            use_entry(p, inside, i);
}
