/*
 * The DBI stream (3): modules, section contributions, numbers of others.
 * Without the section headers from before OMAP (10) those of stream 5 are used:
 * some tools leave the old ones there. (format.md, section 3)
 */
#include <stdlib.h>

#include "engine/base/bisect.h"
#include "symbols/pdb/module.h"
#include "symbols/pdb/pdb.h"

/*
 * A module's stream: u32 signature 4 and symbol records, C11 lines (old, not
 * read), C13 lines, and references to globals. The sizes of the parts are in
 * the DBI stream; that of the symbols counts the signature.
 */

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

void modules_release(struct pdb *pdb)
{
    for (uint32_t i = 0; i < pdb->module_count; i++) {
        module_free(pdb->modules[i].decoded);
        pdb->modules[i].decoded = NULL;
    }
    pdb->kept_bytes = 0;
}

static struct bytes view_part(struct pdb *pdb, const struct pdb_module *where,
                              struct module_symbols *m, uint64_t at, uint32_t n)
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
 * is that there is a bound. */
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

struct module_symbols *module_get(struct pdb *pdb, uint32_t number)
{
    struct pdb_module *where;
    struct module_symbols *m;

    if (number >= pdb->module_count || pdb->modules[number].stream == MSF_NONE)
        return NULL;
    where = &pdb->modules[number];
    if (where->decoded)
        return where->decoded;
    /* Modules may share a stream. */
    if (!budget_take(&pdb->work,
                     ((uint64_t)where->symbol_bytes + where->c13_bytes) / 8))
        return NULL;
    m = decode(pdb, number);
    if (pdb->kept_bytes + m->bytes > MODULE_BYTES_KEPT)
        modules_release(pdb);
    pdb->kept_bytes += m->bytes;
    return where->decoded = m;
}

enum {
    HEADER = 64,
    MODULE_MIN = 66,
    SECTION_HEADER = 40,
    OMAP_TO_SOURCE = 3,
    SECTIONS_NOW = 5,
    SECTIONS_BEFORE = 10,
    DEBUG_STREAMS = 11,
};

#define CONTRIBUTIONS_1997 (0xEFFE0000u + 19970605)
#define CONTRIBUTIONS_2014 (0xEFFE0000u + 20140516)

/* Sizes of the parts; absurd ones are cut to what the stream has. */
struct parts {
    uint64_t at[8];
};

enum part {
    MODULES,
    CONTRIBUTIONS,
    SECTION_MAP,
    FILES,
    TYPE_SERVERS,
    EC,
    DEBUG_HEADER,
    PARTS_END
};

static void read_module(struct pdb *pdb, struct reader *r)
{
    struct pdb_module *m = &pdb->modules[pdb->module_count];

    reader_skip(r, 4 + 28 + 2);
    m->stream = reader_u16(r);
    m->symbol_bytes = reader_u32(r);
    m->c11_bytes = reader_u32(r);
    m->c13_bytes = reader_u32(r);
    reader_skip(r, 16);
    m->name_at = (uint32_t)(r->offset + r->pos);
    reader_cstr(r);
    reader_cstr(r);
    if (r->failed)
        return;
    pdb->module_count++;
    if (reader_left(r) >= (-r->pos & 3))
        reader_align(r, 4);
}

static void read_modules(struct pdb *pdb, uint64_t at, size_t n)
{
    struct reader r = msf_reader(&pdb->msf, PDB_DBI, at, n, &pdb->scratch);

    pdb->modules = arena_new(&pdb->arena, struct pdb_module,
                             reader_left(&r) / MODULE_MIN + 1);
    while (reader_left(&r) >= MODULE_MIN)
        read_module(pdb, &r);
}

static void read_contributions(struct pdb *pdb, uint64_t at, size_t n)
{
    uint8_t version[4];

    if (n < 4 || !msf_copy(&pdb->msf, PDB_DBI, at, version, 4))
        return;
    if (load_u32(version) == CONTRIBUTIONS_1997)
        pdb->contribution_size = 28;
    else if (load_u32(version) == CONTRIBUTIONS_2014)
        pdb->contribution_size = 32;
    else
        return;
    pdb->contributions_at = (uint32_t)at + 4;
    pdb->contribution_count = (uint32_t)((n - 4) / pdb->contribution_size);
}

static void read_sections(struct pdb *pdb, uint16_t stream)
{
    struct reader r = msf_reader(&pdb->msf, stream, 0,
                                 msf_size(&pdb->msf, stream), &pdb->scratch);

    while (reader_left(&r) >= SECTION_HEADER && pdb->sections.len < MSF_NONE) {
        struct pdb_section *s = vec_add(&pdb->sections);
        uint32_t raw;

        reader_skip(&r, 8);
        s->size = reader_u32(&r);
        s->rva = reader_u32(&r);
        raw = reader_u32(&r);
        s->size = s->size > raw ? s->size : raw;
        reader_skip(&r, SECTION_HEADER - 20);
    }
}

static void read_debug_header(struct pdb *pdb, uint64_t at, size_t n)
{
    struct reader r = msf_reader(&pdb->msf, PDB_DBI, at, n, &pdb->scratch);
    uint16_t streams[DEBUG_STREAMS];

    for (size_t i = 0; i < DEBUG_STREAMS; i++)
        streams[i] = reader_left(&r) >= 2 ? reader_u16(&r) : MSF_NONE;
    pdb->omap_stream = MSF_NONE;
    if (msf_size(&pdb->msf, streams[OMAP_TO_SOURCE]))
        pdb->omap_stream = streams[OMAP_TO_SOURCE];
    if (pdb->omap_stream != MSF_NONE &&
        msf_size(&pdb->msf, streams[SECTIONS_BEFORE]))
        read_sections(pdb, streams[SECTIONS_BEFORE]);
    else
        read_sections(pdb, streams[SECTIONS_NOW]);
}

/* One 4-byte size after the other, where the header has them. */
static struct parts read_parts(struct reader *r, uint64_t stream_size)
{
    static const uint8_t order[] = {
        MODULES,      CONTRIBUTIONS, SECTION_MAP,  FILES,
        TYPE_SERVERS, PARTS_END,     DEBUG_HEADER, EC};
    uint32_t sizes[PARTS_END + 1] = {0};
    struct parts p = {{HEADER}};

    for (size_t i = 0; i < sizeof(order); i++)
        sizes[order[i]] = reader_u32(r);
    for (size_t i = 0; i < PARTS_END; i++) {
        uint64_t end = p.at[i] + (sizes[i] <= INT32_MAX ? sizes[i] : 0);

        p.at[i + 1] = end < stream_size ? end : stream_size;
    }
    return p;
}

static size_t part_size(const struct parts *p, enum part part)
{
    return (size_t)(p->at[part + 1] - p->at[part]);
}

/* There are sections, but all of them are nothing. */
static bool are_empty(const struct pdb *pdb)
{
    for (size_t i = 0; i < pdb->sections.len; i++)
        if (pdb->sections.data[i].rva && pdb->sections.data[i].size)
            return false;
    return pdb->sections.len > 0;
}

enum err_code pdb_read_dbi(struct pdb *pdb, struct identity *identity,
                           struct err *err)
{
    struct reader r = msf_reader(&pdb->msf, PDB_DBI, 0, HEADER, &pdb->scratch);
    uint32_t signature, version;
    uint16_t publics;
    struct parts p;

    if (r.failed)
        return err_set(err, ERR_TRUNCATED, "%s: no debug information stream",
                       pdb->msf.name);
    signature = reader_u32(&r);
    version = reader_u32(&r);
    if (signature != UINT32_MAX || version < PDB_FIRST || version > PDB_LAST)
        return err_set(err, ERR_CORRUPT,
                       "%s: debug information stream is damaged",
                       pdb->msf.name);
    identity->age = reader_u32(&r);
    reader_skip(&r, 4);
    publics = reader_u16(&r);
    reader_skip(&r, 2);
    pdb->records_stream = reader_u16(&r);
    reader_skip(&r, 2);
    p = read_parts(&r, msf_size(&pdb->msf, PDB_DBI));
    reader_skip(&r, 2);
    pdb->machine = reader_u16(&r);
    read_modules(pdb, p.at[MODULES], part_size(&p, MODULES));
    read_contributions(pdb, p.at[CONTRIBUTIONS], part_size(&p, CONTRIBUTIONS));
    read_debug_header(pdb, p.at[DEBUG_HEADER], part_size(&p, DEBUG_HEADER));
    pdb_read_publics(pdb, publics);
    if (are_empty(pdb))
        return err_set(err, ERR_CORRUPT, "%s: section headers are damaged",
                       pdb->msf.name);
    return ERR_NONE;
}

bool pdb_rva_of(const struct pdb *pdb, uint16_t section, uint32_t offset,
                uint32_t *rva)
{
    if (!section || section > pdb->sections.len)
        return false;
    *rva = pdb->sections.data[section - 1].rva + offset;
    return *rva >= offset;
}

uint16_t pdb_section_of(const struct pdb *pdb, uint32_t rva, uint32_t *offset)
{
    for (size_t i = 0; i < pdb->sections.len; i++) {
        const struct pdb_section *s = &pdb->sections.data[i];

        if (rva >= s->rva && rva - s->rva < s->size) {
            *offset = rva - s->rva;
            return (uint16_t)(i + 1);
        }
    }
    return 0;
}

struct entry {
    uint16_t section;
    uint32_t offset, size;
    uint16_t module;
};

static bool read_entry(struct pdb *pdb, uint32_t i, struct entry *e)
{
    uint8_t b[18];

    if (!msf_copy(&pdb->msf, PDB_DBI,
                  pdb->contributions_at + (uint64_t)i * pdb->contribution_size,
                  b, sizeof(b)))
        return false;
    *e = (struct entry){load_u16(b), load_u32(b + 4), load_u32(b + 8),
                        load_u16(b + 16)};
    return true;
}

bool pdb_contribution_of(struct pdb *pdb, uint32_t rva,
                         struct pdb_contribution *c)
{
    uint32_t offset, i;
    uint16_t section = pdb_section_of(pdb, rva, &offset);
    struct entry e = {0};

    if (!section)
        return false;
    BISECT(i, pdb->contribution_count,
           read_entry(pdb, i, &e) &&
               (e.section < section ||
                (e.section == section && e.offset <= offset)));
    if (!i || !read_entry(pdb, i - 1, &e) || e.section != section ||
        offset < e.offset || offset - e.offset >= e.size)
        return false;
    c->start = rva - (offset - e.offset);
    c->end = c->start + e.size;
    c->module = e.module;
    return true;
}
