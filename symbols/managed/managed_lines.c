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

#include "symbols/find/pdb.h"
#include "symbols/find/prefetch.h"
#include "symbols/managed/portable_pdb.h"
#include "symbols/name_source.h"
#include "symbols/naming.h"

/* One module. Those of one GUID are asked by one thread. */
struct search {
    struct search *first; /* of these; NULL: not asked */
    struct search *used;  /* of the first: whose files all have; NULL: none */
    bool sought;
    struct lines_search found;
    /* While it is open. */
    struct portable_pdb *pdb; /* NULL: none */
    struct portable_pdb *own; /* the same, when it was embedded */
    bool is_cut;              /* some lines were left out */
    uint8_t *unpacked;
};

struct managed_lines {
    const struct naming *naming;
    struct search *searches; /* by module */
    size_t count;
};

/* A subject while it is open. */
struct opened_lines {
    struct managed_lines *all;
    struct search *used;
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

static void seek_pdb(const struct managed_lines *m, struct search *s)
{
    if (!s->sought)
        s->found.pdb =
            find_managed_pdb(m->naming->p, s->found.module, m->naming->places);
    s->sought = true;
}

static void find_early(void *context, uint32_t module)
{
    struct managed_lines *m = context;

    seek_pdb(m, &m->searches[module]);
}

static void *begin(const struct naming *n, const struct asked_about *asked,
                   size_t count)
{
    struct managed_lines *m = mem_new(1, sizeof(*m));

    m->naming = n;
    m->count = n->p->modules.len;
    m->searches = mem_new(m->count, sizeof(*m->searches));
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < asked[i].module_count; k++) {
            struct search *s = &m->searches[asked[i].modules[k]];

            s->first = &m->searches[asked[i].subject];
            s->found.module = asked[i].modules[k];
        }
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

static bool finds_pdb(const struct managed_lines *m, struct search *s)
{
    struct lines_search *found = &s->found;
    const struct profile *p = m->naming->p;

    seek_pdb(m, s);
    found->image = found_nothing(NULL);
    s->pdb = portable_pdb_of(found->pdb.file);
    found->is_windows = found->pdb.file && !s->pdb;
    if (!found->pdb.file && found->pdb.cause != FIND_NOT_NAMED) {
        found->image = find_assembly(p, found->module, m->naming->places);
        open_embedded(s, &p->modules.data[found->module].identity);
    }
    return found->pdb.file || found->image.file;
}

/* Without files, too: addresses are counted. */
static void *open_module(void *state, const struct asked_about *about,
                         struct subject_facts *facts)
{
    struct managed_lines *m = state;
    struct opened_lines *o = mem_new(1, sizeof(*o));

    (void)facts;
    o->all = m;
    for (size_t i = 0; i < about->module_count && !o->used; i++)
        if (finds_pdb(m, &m->searches[about->modules[i]]))
            o->used = &m->searches[about->modules[i]];
    m->searches[about->subject].used = o->used;
    return o;
}

static void close_module(void *opened)
{
    struct opened_lines *o = opened;

    if (o->used)
        close_pdb(o->used);
    free(o);
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
    struct opened_lines *o = opened;
    const struct profile *p = o->all->naming->p;
    struct method method = methods_get(&p->methods, asked->method);
    struct lines_search *counted = &o->all->searches[method.module].found;
    struct il_map map = map_of(p, asked);
    struct portable_pdb *pdb = o->used ? o->used->pdb : NULL;
    const struct il_point *point = NULL;
    struct il_points points;
    const char *file;

    counted->places++;
    counted->unmapped += !map.count;
    if (pdb && portable_pdb_points(pdb, method.token, &points))
        point = method_line(&points, &map, asked->address, asked->returns);
    file = point ? portable_pdb_document(pdb, point->document) : NULL;
    if (!file)
        return;
    counted->found++;
    answer->count = 1;
    answer->frames[0] = (struct debug_frame){.file = file, .line = point->line};
}

/* The files that another module found, for one of its GUID that did not look or
 * found nothing. */
static void borrow_found(struct lines_search *to, const struct lines_search *of)
{
    struct lines_search own = *to;

    found_release(&to->pdb);
    found_release(&to->image);
    *to = *of;
    to->borrowed = true;
    to->module = own.module;
    to->places = own.places;
    to->found = own.found;
    to->unmapped = own.unmapped;
}

static void tell_search(const struct search *s, const struct naming *n)
{
    const char *used = lines_search_used(&s->found);

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
}

/* Hands over what was looked for, or forgets it. */
static void end_search(struct search *s, const struct naming *n)
{
    if (!s->first)
        return;
    if (n->log) {
        *vec_add(&n->log->lines.modules) = s->found;
    } else if (!s->found.borrowed) {
        found_release(&s->found.pdb);
        found_release(&s->found.image);
    }
}

static void end(void *state, const struct naming *n)
{
    struct managed_lines *m = state;

    for (size_t i = 0; i < m->count; i++) {
        struct search *s = &m->searches[i];
        struct search *used = s->first ? s->first->used : NULL;

        if (used && used != s)
            borrow_found(&s->found, &used->found);
    }
    for (size_t i = 0; i < m->count; i++)
        tell_search(&m->searches[i], n);
    for (size_t i = 0; i < m->count; i++)
        end_search(&m->searches[i], n);
    free(m->searches);
    free(m);
}

const struct name_source managed_lines_source = {
    .by_file = true,
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
