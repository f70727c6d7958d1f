/*
 * A module's stream: u32 signature 4 and symbol records, C11 lines (old, not
 * read), C13 lines, and references to globals. The sizes of the parts are in
 * the DBI stream; that of the symbols counts the signature.
 */
#include "symbols/pdb/module.h"

#include <stdlib.h>

#include "symbols/pdb/pdb.h"

static void module_free(struct module_symbols *m)
{
    if (!m)
        return;
    arena_release(&m->arena);
    vec_release(&m->procs);
    vec_release(&m->lines);
    vec_release(&m->inlinees);
    vec_release(&m->sites.sites);
    vec_release(&m->sites.rows);
    free(m);
}

void module_cache_release(struct module_cache *cache)
{
    for (size_t i = 0; i < MODULES_KEPT; i++)
        module_free(cache->modules[i]);
    *cache = (struct module_cache){0};
}

static struct bytes view_part(struct pdb *pdb, const struct pdb_module *where,
                              struct module_symbols *m, uint64_t at,
                              uint32_t n)
{
    uint32_t size = msf_size(&pdb->msf, where->stream);
    const uint8_t *bytes;

    if (at >= size)
        return (struct bytes){NULL, 0};
    if (n > size - at)
        n = size - (uint32_t)at;
    bytes = msf_view(&pdb->msf, where->stream, at, n, &m->arena);
    return (struct bytes){bytes, bytes ? n : 0};
}

/* Counts the two parts as held even when they are only mapped: what counts
 * is that the cache has a bound. */
static size_t held_bytes(const struct module_symbols *m)
{
    return sizeof(*m) + m->symbols.len + m->c13.len +
           m->procs.cap * sizeof(*m->procs.data) +
           m->lines.cap * sizeof(*m->lines.data) +
           m->inlinees.cap * sizeof(*m->inlinees.data);
}

static struct module_symbols *decode(struct pdb *pdb, uint32_t number)
{
    const struct pdb_module *where = &pdb->modules[number];
    struct module_symbols *m = mem_new(1, sizeof(*m));

    m->number = number;
    m->symbols = view_part(pdb, where, m, 0, where->symbol_bytes);
    m->c13 = view_part(pdb, where, m,
                       (uint64_t)where->symbol_bytes + where->c11_bytes,
                       where->c13_bytes);
    module_read_procs(pdb, m);
    module_read_lines(pdb, m);
    m->bytes = held_bytes(m);
    return m;
}

static struct module_symbols *find(struct module_cache *cache,
                                   uint32_t number)
{
    if (cache->last && cache->last->number == number)
        return cache->last;
    for (size_t i = 0; i < MODULES_KEPT; i++)
        if (cache->modules[i] && cache->modules[i]->number == number)
            return cache->modules[i];
    return NULL;
}

/* A free place, or that of the module used least recently. */
static struct module_symbols **oldest(struct module_cache *cache)
{
    struct module_symbols **place = &cache->modules[0];

    for (size_t i = 1; *place && i < MODULES_KEPT; i++) {
        struct module_symbols **other = &cache->modules[i];

        if (!*other || (*other)->used < (*place)->used)
            place = other;
    }
    return place;
}

static struct module_symbols **oldest_kept(struct module_cache *cache)
{
    struct module_symbols **place = NULL;

    for (size_t i = 0; i < MODULES_KEPT; i++) {
        struct module_symbols **other = &cache->modules[i];

        if (*other && (!place || (*other)->used < (*place)->used))
            place = other;
    }
    return place;
}

static void drop(struct module_cache *cache, struct module_symbols **place)
{
    if (!place || !*place)
        return;
    cache->bytes -= (*place)->bytes;
    module_free(*place);
    *place = NULL;
}

static void keep(struct module_cache *cache, struct module_symbols *m)
{
    struct module_symbols **place;

    while (cache->bytes && cache->bytes + m->bytes > MODULE_BYTES_KEPT)
        drop(cache, oldest_kept(cache));
    place = oldest(cache);
    drop(cache, place);
    *place = m;
    cache->bytes += m->bytes;
}

struct module_symbols *module_get(struct pdb *pdb, uint32_t number)
{
    struct module_cache *cache = &pdb->cache;
    struct module_symbols *m;

    if (number >= pdb->module_count ||
        pdb->modules[number].stream == MSF_NONE)
        return NULL;
    m = find(cache, number);
    if (!m) {
        m = decode(pdb, number);
        keep(cache, m);
    }
    m->used = ++cache->clock;
    cache->last = m;
    return m;
}
