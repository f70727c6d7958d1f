#include "symbols/managed/managed.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/find/prefetch.h"

/* A module's PDB while it is open. */
struct source {
    struct portable_pdb *pdb; /* NULL: none */
    struct portable_pdb *own; /* the same, when it was embedded */
    uint8_t *unpacked;
};

struct lines {
    struct profile *p;
    const struct places *places;
    struct lines_log *log;
    struct prefetched *ready; /* PDBs; NULL: each is looked for in its turn */
    bool *callers; /* by location */
};

struct asked {
    uint32_t module, location;
};

enum { METHOD_TOKEN = 0x06 };

static int compare_asked(const void *a, const void *b)
{
    const struct asked *x = a, *y = b;

    if (x->module != y->module)
        return x->module < y->module ? -1 : 1;
    return (x->location > y->location) - (x->location < y->location);
}

/* Dynamic methods and stubs have no token. */
static uint32_t module_of(const struct profile *p, uint32_t location)
{
    const struct location *l = &p->locations.data[location];
    const struct method *m;

    if (l->kind != CODE_MANAGED || l->method == NO_ID)
        return NO_ID;
    m = &p->methods.data[l->method];
    return m->token >> 24 == METHOD_TOKEN && m->token & 0xFFFFFF &&
                   !profile_has_frames(p, location)
               ? m->module
               : NO_ID;
}

static struct asked *list_places(const struct profile *p, size_t *count)
{
    struct asked *list = mem_new(p->locations.len, sizeof(*list));
    size_t n = 0;

    for (uint32_t i = 0; i < p->locations.len; i++) {
        uint32_t module = module_of(p, i);

        if (module != NO_ID)
            list[n++] = (struct asked){module, i};
    }
    qsort(list, n, sizeof(*list), compare_asked);
    *count = n;
    return list;
}

/* ---- the PDB ---- */

static void find(const struct profile *p, uint32_t module,
                 const struct places *places, void *result)
{
    *(struct found *)result = find_managed_pdb(p, module, places);
}

static void release(void *result)
{
    found_release(result);
}

static const struct prefetch_kind pdb_files = {
    .module_of = module_of,
    .size = sizeof(struct found),
    .find = find,
    .release = release,
};

static bool has_guid(const struct portable_pdb *pdb,
                     const struct identity *identity)
{
    return !memcmp(portable_pdb_id(pdb), identity->guid,
                   sizeof(identity->guid));
}

static void open_embedded(struct source *s, struct lines_search *search,
                          const struct identity *identity)
{
    const struct debug_file *image = search->image.file;
    struct pe pe;
    size_t size;

    if (!image || pe_open(&pe, image->name, image->data, image->size, NULL) ||
        !portable_pdb_embedded(&pe, &s->unpacked, &size, &search->err))
        return;
    s->own = portable_pdb_open(image->name, s->unpacked, size, &search->err);
    if (s->own && has_guid(s->own, identity))
        s->pdb = s->own;
    search->embedded = s->pdb;
}

static void open_source(struct source *s, struct lines *lines,
                        struct lines_search *search)
{
    *s = (struct source){.pdb = NULL};
    if (!prefetch_take(lines->ready, search->module, &search->pdb))
        search->pdb =
            find_managed_pdb(lines->p, search->module, lines->places);
    search->image = found_nothing(NULL);
    s->pdb = portable_pdb_of(search->pdb.file);
    search->is_windows = search->pdb.file && !s->pdb;
    if (search->pdb.file || search->pdb.cause == FIND_NOT_NAMED)
        return;
    search->image = find_assembly(lines->p, search->module, lines->places,
                                  true);
    open_embedded(s, search, &lines->p->modules.data[search->module].identity);
}

static void close_source(struct source *s, struct lines_search *search)
{
    portable_pdb_close(s->own);
    free(s->unpacked);
    found_close(&search->pdb);
    found_close(&search->image);
}

/* ---- lines ---- */

const struct il_point *method_line(const struct il_points *points,
                                   const struct il_map *map, uint64_t offset,
                                   bool is_return)
{
    const struct il_point *only = il_points_only_line(points);
    uint32_t il;

    if (only || !il_map_find(map, offset, is_return, &il))
        return only;
    return il_points_at(points, il);
}

/* Addresses in images are not relative to their method; precompiled code has
 * no map either. */
static struct il_map map_of(const struct profile *p, const struct location *l)
{
    if (l->module != NO_ID)
        return (struct il_map){NULL, 0};
    return il_maps_get(&p->il_maps, l->method);
}

static void ask(const struct lines *lines, const struct source *s,
                uint32_t location, struct lines_search *search)
{
    struct profile *p = lines->p;
    const struct location *l = &p->locations.data[location];
    struct il_map map = map_of(p, l);
    const struct il_point *point = NULL;
    struct il_points points;
    const char *file;

    search->places++;
    search->unmapped += !map.count;
    if (s->pdb &&
        portable_pdb_points(s->pdb, p->methods.data[l->method].token, &points))
        point = method_line(&points, &map, l->address,
                            lines->callers[location] ||
                                profile_leaves_return(p));
    file = point ? portable_pdb_document(s->pdb, point->document) : NULL;
    if (!file)
        return;
    search->found++;
    profile_set_line(p, location, strings_add(p->strings, file, strlen(file)),
                     point->line);
}

static void ask_module(struct lines *lines, const struct asked *list, size_t n)
{
    struct lines_search *search = vec_add(&lines->log->modules);
    struct source source;
    const char *used;

    *search = (struct lines_search){.module = list->module};
    open_source(&source, lines, search);
    for (size_t i = 0; i < n; i++)
        ask(lines, &source, list[i].location, search);
    close_source(&source, search);
    used = lines_search_used(search);
    if (used)
        profile_content_used(lines->p, used);
}

void lines_from_files(struct profile *p, const struct places *places,
                      struct lines_log *log)
{
    struct lines_log own = {.modules = {0}};
    struct lines lines = {.p = p, .places = places, .log = log ? log : &own};
    struct asked *list;
    size_t n, end;

    if (p->frame_start.len)
        return;
    lines.callers = profile_callers(p);
    list = list_places(p, &n);
    lines.ready = prefetch(p, places, &pdb_files);
    for (size_t i = 0; i < n; i = end) {
        for (end = i; end < n && list[end].module == list[i].module;)
            end++;
        ask_module(&lines, &list[i], end - i);
    }
    prefetch_free(lines.ready);
    free(list);
    free(lines.callers);
    lines_log_release(&own);
}

void lines_log_release(struct lines_log *log)
{
    for (size_t i = 0; i < log->modules.len; i++) {
        found_release(&log->modules.data[i].pdb);
        found_release(&log->modules.data[i].image);
    }
    vec_release(&log->modules);
}

const char *lines_search_used(const struct lines_search *search)
{
    return !search->found     ? NULL
           : search->embedded ? search->image.path
                              : search->pdb.path;
}
