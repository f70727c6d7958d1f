/*
 * Public symbols: names of everything another object file may use, decorated.
 * (format.md, section 5.2)
 */
#include <string.h>

#include "engine/base/bisect.h"
#include "symbols/names/demangle.h"
#include "symbols/pdb/pdb.h"
#include "symbols/pdb/records.h"

enum {
    HEADER = 28,
    FUNCTION = 2,
    EQUALS_MAX = 256,
    MACHINE_X86 = 0x14C,
    NAME_STEP = 64, /* bytes of a name that are one unit of work */
};

struct public
{
    uint16_t section;
    uint32_t offset, flags;
    struct bytes name;
};

void pdb_read_publics(struct pdb *pdb, uint16_t stream)
{
    uint32_t size = msf_size(&pdb->msf, stream);
    uint8_t header[8];
    uint64_t at;

    pdb->publics_stream = stream;
    if (!msf_copy(&pdb->msf, stream, 0, header, sizeof(header)))
        return;
    at = HEADER + (uint64_t)load_u32(header);
    if (at > size)
        return;
    pdb->address_map_at = (uint32_t)at;
    size -= (uint32_t)at;
    if (load_u32(header + 4) < size)
        size = load_u32(header + 4);
    pdb->address_map_count = size / 4;
}

/* False at an entry that leads to no public symbol. A name may be long, and
 * is not always asked for. */
static bool read_public(struct pdb *pdb, uint32_t i, bool named,
                        struct public *p)
{
    uint8_t word[4], head[2];
    const uint8_t *bytes;
    struct record rec;
    struct bytes all;
    size_t n;

    if (!msf_copy(&pdb->msf, pdb->publics_stream,
                  pdb->address_map_at + (uint64_t)i * 4, word, 4) ||
        !msf_copy(&pdb->msf, pdb->records_stream, load_u32(word), head, 2))
        return false;
    n = (size_t)load_u16(head) + 2;
    bytes = msf_view(&pdb->msf, pdb->records_stream, load_u32(word), n,
                     &pdb->scratch);
    all = (struct bytes){bytes, bytes ? n : 0};
    if (!bytes || !record_at(&all, 0, &rec) || rec.kind != S_PUB32)
        return false;
    p->flags = reader_u32(&rec.r);
    p->offset = reader_u32(&rec.r);
    p->section = reader_u16(&rec.r);
    p->name = named && budget_take(&pdb->work, n / NAME_STEP)
                  ? reader_cstr(&rec.r)
                  : (struct bytes){NULL, 0};
    return !rec.r.failed;
}

static bool is_at_or_below(const struct public *p, uint16_t section,
                           uint32_t offset)
{
    return p->section < section ||
           (p->section == section && p->offset <= offset);
}

/* Sorts functions first at one address, then the smallest name. */
static bool is_better(const struct public *a, const struct public *b)
{
    if ((a->flags ^ b->flags) & FUNCTION)
        return a->flags & FUNCTION;
    return bytes_compare(a->name, b->name) < 0;
}

/* Counts the entries at or below. */
static uint32_t count_below(struct pdb *pdb, uint16_t section, uint32_t offset)
{
    struct public p;
    uint32_t i;

    BISECT(i, pdb->address_map_count,
           read_public(pdb, i, false, &p) &&
               is_at_or_below(&p, section, offset));
    return i;
}

/* Only here it is known that an underscore in front, or a number behind, is
 * not part of a C name; C++ names say themselves what they are. */
static uint32_t public_name(struct pdb *pdb, struct bytes name)
{
    const char *text;

    if (pdb->machine != MACHINE_X86 || !name.len || *name.data == '?')
        return pdb_intern(pdb, name);
    text = arena_strndup(&pdb->scratch, (const char *)name.data, name.len);
    text = undecorate_c(&pdb->scratch, text);
    return text ? strings_add(pdb->strings, text, strlen(text))
                : pdb_intern(pdb, name);
}

/* The best of those at the address of the last one before `i`. */
static bool find_best(struct pdb *pdb, uint16_t section, uint32_t i,
                      struct pdb_public *found)
{
    struct public best, p;

    if (!i || !read_public(pdb, --i, true, &best) || best.section != section)
        return false;
    for (int n = 0; n < EQUALS_MAX && i-- > 0; n++) {
        if (!read_public(pdb, i, true, &p) || p.section != section ||
            p.offset != best.offset)
            break;
        if (is_better(&p, &best))
            best = p;
    }
    found->name = public_name(pdb, best.name);
    return found->name && pdb_rva_of(pdb, section, best.offset, &found->rva);
}

bool pdb_find_public(struct pdb *pdb, uint32_t rva, struct pdb_public *found)
{
    uint32_t offset, i;
    uint16_t section = pdb_section_of(pdb, rva, &offset);

    if (!section)
        return false;
    i = count_below(pdb, section, offset);
    if (!i || i != pdb->last_public.below ||
        section != pdb->last_public.section) {
        pdb->last_public.below = 0;
        if (!find_best(pdb, section, i, found))
            return false;
        pdb->last_public.below = i;
        pdb->last_public.section = section;
        pdb->last_public.rva = found->rva;
        pdb->last_public.name = found->name;
    }
    found->rva = pdb->last_public.rva;
    found->name = pdb->last_public.name;
    return found->rva <= rva;
}

uint32_t pdb_public_end(struct pdb *pdb, uint32_t rva, uint32_t limit)
{
    uint32_t offset, i, next;
    uint16_t section = pdb_section_of(pdb, rva, &offset);
    struct public p;

    if (!section)
        return limit;
    i = count_below(pdb, section, offset);
    if (i >= pdb->address_map_count || !read_public(pdb, i, false, &p) ||
        !pdb_rva_of(pdb, p.section, p.offset, &next))
        return limit;
    return next > rva && next < limit ? next : limit;
}
