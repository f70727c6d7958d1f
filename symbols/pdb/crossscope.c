/*
 * Ids of other modules. With link-time code generation a function may be
 * inlined from another module, whose ids mean nothing here; then bit 31 of an
 * id is set, and two C13 subsections tell what it is:
 *
 *   CROSSSCOPEIMPORTS of the module that refers: {u32 exporter's name in
 *                 "/names", u32 n, n u32 ids of the exporter}; bits 20 to 30
 *                 of the id choose the entry, bits 0 to 19 the exporter's id
 *   CROSSSCOPEEXPORTS of the other: {u32 its own id, u32 the id for all}
 */
#include <string.h>
#include <strings.h>

#include "symbols/pdb/pdb.h"

enum {
    CROSSSCOPEIMPORTS = 0xF7,
    CROSSSCOPEEXPORTS = 0xF8,
    LOCAL_BITS = 20,
    LOCAL_MASK = 0xFFFFF,
    MODULE_NAME_MAX = 1024,
};

/* The first subsection of a kind; empty when there is none. */
static struct reader subsection(struct bytes c13, uint32_t kind)
{
    struct reader r = reader_of("lines", c13.data, c13.len, 0, NULL);

    while (reader_left(&r) >= 8) {
        uint32_t found = reader_u32(&r), length = reader_u32(&r);
        struct reader sub = reader_sub(&r, length, "lines");

        if (found == kind)
            return sub;
        if (reader_left(&r) >= 4)
            reader_align(&r, 4);
    }
    return reader_of("lines", NULL, 0, 0, NULL);
}

/* The exporter's name, and the id as it knows it. */
static bool find_import(struct bytes c13, uint32_t id, uint32_t *name,
                        uint32_t *local)
{
    struct reader r = subsection(c13, CROSSSCOPEIMPORTS);
    uint32_t entry = (id & ~PDB_FOREIGN_ID) >> LOCAL_BITS;
    uint32_t index = id & LOCAL_MASK;

    while (reader_left(&r) >= 8) {
        uint32_t count;
        struct reader ids;

        *name = reader_u32(&r);
        count = reader_count(&r, 4, "imported ids");
        ids = reader_sub(&r, (size_t)count * 4, "imported ids");
        if (entry--)
            continue;
        ids = reader_at(&ids, (uint64_t)index * 4, "imported id");
        *local = reader_u32(&ids);
        return !ids.failed;
    }
    return false;
}

static bool has_name(struct pdb *pdb, const struct pdb_module *m,
                     const char *name)
{
    char text[MODULE_NAME_MAX];
    size_t n = strlen(name) + 1;

    return n <= sizeof(text) &&
           msf_copy(&pdb->msf, PDB_DBI, m->name_at, text, n) &&
           !text[n - 1] && !strcasecmp(text, name);
}

/* MAP_NONE: there is no module of that name. */
static uint32_t find_exporter(struct pdb *pdb, uint32_t name)
{
    uint32_t number = map_get(&pdb->exporters, name, 0);
    const char *text;

    if (number != MAP_NONE)
        return number < pdb->module_count ? number : MAP_NONE;
    text = strings_get(pdb->strings, pdb_file_name(pdb, name));
    for (number = 0; number < pdb->module_count; number++)
        if (has_name(pdb, &pdb->modules[number], text))
            break;
    map_set(&pdb->exporters, name, 0, number);
    return number < pdb->module_count ? number : MAP_NONE;
}

static bool find_export(struct pdb *pdb, uint32_t exporter, uint32_t local,
                        uint32_t *id)
{
    const struct pdb_module *m = &pdb->modules[exporter];
    uint64_t at = (uint64_t)m->symbol_bytes + m->c11_bytes;
    const uint8_t *c13 = msf_view(&pdb->msf, m->stream, at, m->c13_bytes,
                                  &pdb->scratch);
    struct reader r;

    if (!c13)
        return false;
    r = subsection((struct bytes){c13, m->c13_bytes}, CROSSSCOPEEXPORTS);
    while (reader_left(&r) >= 8) {
        uint32_t own = reader_u32(&r);

        *id = reader_u32(&r);
        if (own == local)
            return true;
    }
    return false;
}

bool pdb_common_id(struct pdb *pdb, struct bytes c13, uint32_t foreign,
                   uint32_t *id)
{
    uint32_t name, local, exporter;

    if (!find_import(c13, foreign, &name, &local))
        return false;
    exporter = find_exporter(pdb, name);
    return exporter != MAP_NONE &&
           find_export(pdb, exporter, local, id);
}
