/*
 * Source lines of managed code, from portable PDBs.
 *
 * Methods have their names from the trace. The runtime's IL map of the method
 * and the PDB of its module tell the line of an address; the PDB lies in a file
 * of its own or in the assembly, and must have the GUID that the runtime named.
 * If the map does not tell, there is no line: a wrong one is worse (format.md,
 * section 7). Modules of one GUID share its PDB, which is opened once.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/model/module_twins.h"
#include "symbols/find/pdb.h"
#include "symbols/find/prefetch.h"
#include "symbols/managed/portable_pdb.h"
#include "symbols/name_source.h"
#include "symbols/naming.h"
#include "symbols/shared_search.h"

/* One module, asked by one thread. */
struct search {
    struct shared_search shared; /* first */
    const struct naming *naming;
    bool sought;
    struct lines_search found;
    /* While it is open. */
    struct portable_pdb *pdb; /* NULL: none; a twin's may be used */
    struct portable_pdb *own; /* the same, when it was embedded */
    bool is_cut;              /* some lines were left out */
    uint8_t *unpacked;
};

struct managed_lines {
    const struct naming *naming;
    struct search *searches; /* by module */
    size_t count;
};

enum { METHOD_TOKEN = 0x06 };

/* The module of the method. Dynamic methods and stubs have no token. */
static uint32_t subject(const struct profile *p, const struct location *l)
{
    struct method m;

    if (l->kind != CODE_MANAGED || l->method == NO_ID)
        return NO_ID;
    m = methods_get(&p->methods, l->method);
    return m.token >> 24 == METHOD_TOKEN && m.token & 0xFFFFFF ? m.module
                                                               : NO_ID;
}

/* ---- the PDB ---- */

static void open_embedded(struct search *s, const struct identity *identity)
{
    const struct debug_file *image = s->found.image.file;
    struct err *err = &s->found.err;
    struct pe pe;
    size_t size;

    if (!image || pe_open(&pe, image->name, image->data, image->size, NULL) ||
        !portable_pdb_embedded(&pe, &s->unpacked, &size, err))
        return;
    s->own = portable_pdb_open(image->name, s->unpacked, size, err);
    if (s->own && !memcmp(portable_pdb_id(s->own), identity->guid,
                          sizeof(identity->guid)))
        s->pdb = s->own;
    s->found.embedded = s->pdb;
}

static void seek_pdb(struct search *s)
{
    if (!s->sought)
        s->found.pdb =
            find_managed_pdb(s->naming->p, s->found.module, s->naming->places);
    s->sought = true;
}

static void find_early(void *context, uint32_t module)
{
    struct managed_lines *m = context;
    struct search *s = &m->searches[module];

    if (&s->shared == s->shared.first)
        seek_pdb(s);
}

static void *begin(const struct naming *n, const struct asked_about *asked,
                   size_t count)
{
    struct managed_lines *m = mem_new(1, sizeof(*m));
    struct module_twins twins = {0};

    m->naming = n;
    m->count = n->p->modules.len;
    m->searches = mem_new(m->count, sizeof(*m->searches));
    for (size_t i = 0; i < count; i++) {
        uint32_t module = asked[i].subject;
        uint32_t id = module_twins_add(&twins, n->p->modules.data, module);
        struct search *s = &m->searches[module];
        struct search *first = id == NO_ID ? s : &m->searches[id];

        s->naming = n;
        s->found.module = module;
        shared_search_join(&s->shared, &first->shared);
    }
    module_twins_release(&twins);
    prefetch(n->p, n->places, asked, count, find_early, m);
    return m;
}

static void close_pdb(struct search *s)
{
    s->is_cut = s->pdb && portable_pdb_is_cut(s->pdb);
    portable_pdb_close(s->own);
    free(s->unpacked);
    found_close(&s->found.pdb);
    found_close(&s->found.image);
}

static bool finds_pdb(void *context, struct shared_search *shared)
{
    struct search *s = (struct search *)shared;
    struct lines_search *found = &s->found;
    const struct profile *p = s->naming->p;

    (void)context;
    seek_pdb(s);
    found->image = found_nothing(NULL);
    s->pdb = portable_pdb_of(found->pdb.file);
    found->is_windows = found->pdb.file && !s->pdb;
    if (!found->pdb.file && found->pdb.cause != FIND_NOT_NAMED) {
        found->image = find_assembly(p, found->module, s->naming->places);
        open_embedded(s, &p->modules.data[found->module].identity);
    }
    return found->pdb.file || found->image.file;
}

/* Without files, too: addresses are counted. */
static void *open_module(void *state, const struct asked_about *about,
                         struct subject_facts *facts)
{
    struct managed_lines *m = state;
    struct search *s = &m->searches[about->subject];

    (void)facts;
    (void)shared_search_begin(&s->shared, finds_pdb, m);
    return s;
}

/* The search whose files this one has; NULL: none. */
static struct search *used_by(const struct search *s)
{
    return (struct search *)s->shared.used;
}

static void close_module(void *opened)
{
    struct search *s = opened;

    if (used_by(s) && shared_search_is_last(&s->shared))
        close_pdb(used_by(s));
    shared_search_end(&s->shared);
}

/* ---- lines ---- */

/* The line of an IL offset or, with none known, of the whole method: NULL
 * when it has more than one. */
static const struct il_point *method_line(const struct il_points *points,
                                          const struct il_map *map,
                                          uint64_t offset, bool is_return)
{
    uint32_t il;

    if (points->only || !il_map_find(map, offset, is_return, &il))
        return points->only;
    return il_points_at(points, il);
}

/* Addresses in images are not relative to their method; precompiled code has
 * no map either. */
static struct il_map map_of(const struct profile *p, const struct asked *asked)
{
    if (asked->module != NO_ID)
        return (struct il_map){NULL, 0};
    return il_maps_get(&p->il_maps, asked->method);
}

static void ask(void *opened, const struct asked *asked, struct answer *answer)
{
    struct search *s = opened, *used = used_by(s);
    const struct profile *p = s->naming->p;
    struct il_map map = map_of(p, asked);
    const struct il_point *point = NULL;
    struct il_points points;
    const char *file;

    s->found.places++;
    s->found.unmapped += !map.count;
    if (used && used->pdb &&
        portable_pdb_points(
            used->pdb, methods_get(&p->methods, asked->method).token, &points))
        point = method_line(&points, &map, asked->address, asked->returns);
    file = point ? portable_pdb_document(used->pdb, point->document) : NULL;
    if (!file)
        return;
    s->found.found++;
    answer->count = 1;
    answer->frames[0] = (struct debug_frame){.file = file, .line = point->line};
}

/* What a twin found, for a module that did not look or found nothing. */
static void share_found(struct lines_search *to, const struct lines_search *of)
{
    found_release(&to->pdb);
    found_release(&to->image);
    to->pdb = found_copy(&of->pdb);
    to->image = found_copy(&of->image);
    to->embedded = of->embedded;
    to->is_windows = of->is_windows;
    to->err = of->err;
}

/* Hands over what was looked for, or forgets it. */
static void end_search(struct search *s, const struct naming *n)
{
    const char *used = lines_search_used(&s->found);

    if (!s->shared.first)
        return;
    if (used)
        naming_used(n, used);
    if (s->is_cut) {
        char text[512];

        snprintf(text, sizeof(text),
                 "%s: lines that come to more than the file's size allows are "
                 "left out",
                 s->found.embedded ? s->found.image.path : s->found.pdb.path);
        naming_warn(n, text);
    }
    if (n->log) {
        *vec_add(&n->log->lines.modules) = s->found;
        return;
    }
    found_release(&s->found.pdb);
    found_release(&s->found.image);
}

static void end(void *state, const struct naming *n)
{
    struct managed_lines *m = state;

    for (size_t i = 0; i < m->count; i++) {
        struct search *s = &m->searches[i], *used = used_by(s);

        if (used && used != s)
            share_found(&s->found, &used->found);
    }
    for (size_t i = 0; i < m->count; i++) {
        end_search(&m->searches[i], n);
        shared_search_release(&m->searches[i].shared);
    }
    free(m->searches);
    free(m);
}

const struct name_source managed_lines_source = {
    .subject = subject,
    .begin = begin,
    .open = open_module,
    .ask = ask,
    .close = close_module,
    .end = end,
};

const char *lines_search_used(const struct lines_search *search)
{
    return !search->found     ? NULL
           : search->embedded ? search->image.path
                              : search->pdb.path;
}
