/*
 * Type and id streams (TPI, IPI), read for the names of inlined functions.
 * (format.md, section 8)
 */
#include <string.h>
#include <strings.h>

#include "symbols/pdb/pdb.h"

/*
 * Ids of other modules. With link-time code generation a function may be
 * inlined from another module, whose ids mean nothing here; then bit 31 of an
 * id is set, and two C13 subsections tell what it is. (format.md, section 8.1)
 */

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
           msf_copy(&pdb->msf, PDB_DBI, m->name_at, text, n) && !text[n - 1] &&
           !strcasecmp(text, name);
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
    const uint8_t *c13 =
        msf_view(&pdb->msf, m->stream, at, m->c13_bytes, &pdb->scratch);
    struct reader r;

    if (!c13 || !budget_take(&pdb->work, m->c13_bytes / 16))
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

    if (!budget_take(&pdb->work, c13.len / 16) ||
        !find_import(c13, foreign, &name, &local))
        return false;
    exporter = find_exporter(pdb, name);
    return exporter != MAP_NONE && find_export(pdb, exporter, local, id);
}

enum {
    HEADER = 56,
    PAIR = 8,
    LF_CLASS = 0x1504,
    LF_STRUCTURE = 0x1505,
    LF_UNION = 0x1506,
    LF_ENUM = 0x1507,
    LF_INTERFACE = 0x1519,
    LF_FUNC_ID = 0x1601,
    LF_MFUNC_ID = 0x1602,
    LF_SUBSTR_LIST = 0x1604,
    LF_STRING_ID = 0x1605,
    PARTS_MAX = 64,
    STEPS_INDEXED = 16 * 1024, /* records between two known places */
    STEPS_MAX = 1 << 20,
};

struct leaf {
    uint16_t kind;
    struct reader r;
};

void pdb_read_types(struct pdb *pdb, struct pdb_types *t, uint32_t stream)
{
    struct reader r = msf_reader(&pdb->msf, stream, 0, HEADER, &pdb->scratch);

    reader_u32(&r);
    t->stream = stream;
    t->header = reader_u32(&r);
    t->first = reader_u32(&r);
    t->end = reader_u32(&r);
    t->record_bytes = reader_u32(&r);
    t->hash_stream = reader_u16(&r);
    reader_skip(&r, 18);
    t->index_at = reader_u32(&r);
    t->index_bytes = reader_u32(&r);
    if (r.failed)
        t->end = 0;
}

static bool read_pair(struct pdb *pdb, const struct pdb_types *t, uint32_t i,
                      uint32_t *index, uint32_t *at)
{
    uint8_t pair[PAIR];

    if (!msf_copy(&pdb->msf, t->hash_stream, t->index_at + (uint64_t)i * PAIR,
                  pair, PAIR))
        return false;
    *index = load_u32(pair);
    *at = load_u32(pair + 4);
    return true;
}

/* The last known place at or before a record: its index and offset. */
static void start_of(struct pdb *pdb, const struct pdb_types *t,
                     uint32_t wanted, uint32_t *index, uint32_t *at)
{
    uint32_t low = 0, high = t->index_bytes / PAIR, i, offset;

    *index = t->first;
    *at = 0;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (read_pair(pdb, t, middle, &i, &offset) && i <= wanted) {
            low = middle + 1;
            if (i >= t->first) {
                *index = i;
                *at = offset;
            }
        } else {
            high = middle;
        }
    }
}

static bool find_leaf(struct pdb *pdb, const struct pdb_types *t,
                      uint32_t wanted, struct leaf *leaf)
{
    uint32_t steps = t->index_bytes ? STEPS_INDEXED : STEPS_MAX, index, at;
    uint8_t head[4];

    if (wanted < t->first || wanted >= t->end)
        return false;
    start_of(pdb, t, wanted, &index, &at);
    while (steps-- && budget_take(&pdb->work, 4)) {
        uint64_t place = (uint64_t)t->header + at;
        uint32_t length;

        if (at >= t->record_bytes ||
            !msf_copy(&pdb->msf, t->stream, place, head, sizeof(head)))
            return false;
        length = load_u16(head);
        if (length < 2)
            return false;
        if (index == wanted) {
            leaf->kind = load_u16(head + 2);
            leaf->r = msf_reader(&pdb->msf, t->stream, place + 4, length - 2u,
                                 &pdb->scratch);
            return !leaf->r.failed;
        }
        index++;
        at += length + 2;
    }
    return false;
}

static void skip_numeric(struct reader *r)
{
    static const uint8_t sizes[] = {1, 2, 2, 4, 4, 4, 8, 10, 16, 8, 8};
    uint16_t kind = reader_u16(r);

    if (kind < 0x8000)
        return;
    if (kind - 0x8000 < (int)sizeof(sizes))
        reader_skip(r, sizes[kind - 0x8000]);
    else
        reader_fail(r, ERR_UNSUPPORTED, "number");
}

/* Empty for what is not a class, union or enumeration. */
static struct bytes class_name(struct pdb *pdb, uint32_t type)
{
    struct bytes none = {NULL, 0};
    struct leaf leaf;

    if (!find_leaf(pdb, &pdb->types, type, &leaf))
        return none;
    switch (leaf.kind) {
    case LF_CLASS:
    case LF_STRUCTURE:
    case LF_INTERFACE:
        reader_skip(&leaf.r, 16);
        skip_numeric(&leaf.r);
        break;
    case LF_UNION:
        reader_skip(&leaf.r, 8);
        skip_numeric(&leaf.r);
        break;
    case LF_ENUM:
        reader_skip(&leaf.r, 12);
        break;
    default:
        return none;
    }
    return reader_cstr(&leaf.r);
}

/* A name put together from parts, each cut off where memory of ours would
 * grow beyond reason. */
struct joined {
    char text[8192];
    size_t len;
};

static void join(struct joined *j, struct bytes part)
{
    size_t n = sizeof(j->text) - j->len;

    n = n < part.len ? n : part.len;
    if (n)
        memcpy(j->text + j->len, part.data, n);
    j->len += n;
}

static void join_text(struct joined *j, const char *text)
{
    join(j, (struct bytes){(const uint8_t *)text, strlen(text)});
}

/* One part of a scope's text; parts have none before them. */
static void join_part(struct pdb *pdb, struct joined *j, uint32_t id)
{
    struct leaf leaf;

    if (!find_leaf(pdb, &pdb->ids, id, &leaf) || leaf.kind != LF_STRING_ID)
        return;
    reader_u32(&leaf.r);
    join(j, reader_cstr(&leaf.r));
}

static void join_list(struct pdb *pdb, struct joined *j, uint32_t id)
{
    struct leaf leaf;
    uint32_t n;

    if (!find_leaf(pdb, &pdb->ids, id, &leaf) || leaf.kind != LF_SUBSTR_LIST)
        return;
    n = reader_count(&leaf.r, 4, "parts of a string");
    for (uint32_t i = 0; i < n && i < PARTS_MAX; i++)
        join_part(pdb, j, reader_u32(&leaf.r));
}

static void join_scope(struct pdb *pdb, struct joined *j, uint32_t id)
{
    struct leaf leaf;

    if (!find_leaf(pdb, &pdb->ids, id, &leaf) || leaf.kind != LF_STRING_ID)
        return;
    join_list(pdb, j, reader_u32(&leaf.r));
    join(j, reader_cstr(&leaf.r));
}

static void join_function(struct pdb *pdb, struct joined *j, uint32_t id)
{
    struct leaf leaf;
    uint32_t scope;

    if (!find_leaf(pdb, &pdb->ids, id, &leaf))
        return;
    scope = reader_u32(&leaf.r);
    reader_u32(&leaf.r);
    if (leaf.kind == LF_FUNC_ID)
        join_scope(pdb, j, scope);
    else if (leaf.kind == LF_MFUNC_ID)
        join(j, class_name(pdb, scope));
    else
        return;
    if (j->len)
        join_text(j, "::");
    join(j, reader_cstr(&leaf.r));
}

uint32_t pdb_inlinee_name(struct pdb *pdb, const struct module_symbols *m,
                          uint32_t id)
{
    uint32_t scope = id & PDB_FOREIGN_ID ? m->number + 1 : 0;
    uint32_t name = map_get(&pdb->id_names, id, scope), common = id;
    struct joined j;

    if (name != MAP_NONE)
        return name;
    j.len = 0;
    if (!scope || pdb_common_id(pdb, m->c13, id, &common))
        join_function(pdb, &j, common);
    if (!budget_take(&pdb->names, j.len))
        j.len = 0;
    if (!j.len)
        join_text(&j, "<inlined>");
    name = strings_add(pdb->strings, j.text, j.len);
    map_set(&pdb->id_names, id, scope, name);
    return name;
}
