#include "symbols/pdb/pdb.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/bisect.h"

/*
 * OMAP: images rearranged after linking, whose debug information speaks of
 * the places before. A sorted array of {u32 rva, u32 source}: the last pair
 * with rva <= x gives source + (x - rva); source 0 is code that the
 * rearranging made.
 */

enum { PAIR = 8 };

static uint32_t pair_word(struct pdb *pdb, uint32_t i, uint32_t word)
{
    uint8_t bytes[4];

    if (!msf_copy(&pdb->msf, pdb->omap_stream, (uint64_t)i * PAIR + word, bytes,
                  sizeof(bytes)))
        return 0;
    return load_u32(bytes);
}

bool pdb_source_rva(struct pdb *pdb, uint32_t rva, uint32_t *source)
{
    uint32_t i, n;

    *source = rva;
    if (pdb->omap_stream == MSF_NONE)
        return true;
    n = msf_size(&pdb->msf, pdb->omap_stream) / PAIR;
    BISECT(i, n, pair_word(pdb, i, 0) <= rva);
    if (!i)
        return false;
    *source = pair_word(pdb, i - 1, 4);
    if (!*source)
        return false;
    *source += rva - pair_word(pdb, i - 1, 0);
    return true;
}

/* The PDB info stream (format.md, section 2). */

static void skip_bits(struct reader *r)
{
    uint32_t words = reader_count(r, 4, "bit vector");

    reader_skip(r, (size_t)words * 4);
}

static bool is_name(const struct reader *names, uint32_t at, const char *name)
{
    struct reader r = reader_at(names, at, "name of stream");
    struct bytes text = reader_cstr(&r);

    return text.len == strlen(name) && !memcmp(text.data, name, text.len);
}

/* Number of the stream "/names"; MSF_NONE without. */
static uint32_t find_names(struct reader *r)
{
    uint32_t bytes = reader_count(r, 1, "names of streams");
    struct reader names = reader_sub(r, bytes, "names of streams");
    uint32_t found = MSF_NONE;
    uint32_t pairs = reader_u32(r);

    reader_u32(r);
    skip_bits(r);
    skip_bits(r);
    while (pairs-- && reader_more(r)) {
        uint32_t name = reader_u32(r), stream = reader_u32(r);

        if (!r->failed && is_name(&names, name, "/names"))
            found = stream;
    }
    return found;
}

/* Identity and named streams. */
static enum err_code pdb_read_info(struct pdb *pdb, struct identity *identity,
                                   struct err *err)
{
    struct reader r = msf_reader(&pdb->msf, PDB_INFO, 0,
                                 msf_size(&pdb->msf, PDB_INFO), &pdb->scratch);
    struct bytes guid;
    uint32_t version;

    version = reader_u32(&r);
    reader_u32(&r);
    identity->age = reader_u32(&r);
    guid = reader_bytes(&r, sizeof(identity->guid));
    if (r.failed)
        return err_set(err, ERR_TRUNCATED, "%s: info stream cut off",
                       pdb->msf.name);
    if (version < PDB_FIRST || version > PDB_LAST)
        return err_set(err, ERR_CORRUPT, "%s: info stream is damaged",
                       pdb->msf.name);
    memcpy(identity->guid, guid.data, guid.len);
    pdb->names_stream = find_names(&r);
    return ERR_NONE;
}

/*
 * The string table "/names": u32 0xEFFEEFFE, u32 hash version, u32 bytes,
 * then the strings, each ended by a NUL; others refer to them by offset. It
 * can be large and scattered, so only what is asked for is read.
 */

enum { HEADER = 12, NAME_MAX_BYTES = 4096 };

uint32_t pdb_intern(struct pdb *pdb, struct bytes name)
{
    return strings_add(pdb->strings, (const char *)name.data, name.len);
}

static uint32_t read_name(struct pdb *pdb, uint64_t at)
{
    uint32_t size = msf_size(&pdb->msf, pdb->names_stream);
    char text[NAME_MAX_BYTES];
    size_t n = sizeof(text);

    if (at >= size)
        return 0;
    n = n < size - at ? n : (size_t)(size - at);
    if (!msf_copy(&pdb->msf, pdb->names_stream, at, text, n))
        return 0;
    n = strnlen(text, n);
    return budget_take(&pdb->names, n) ? strings_add(pdb->strings, text, n) : 0;
}

uint32_t pdb_file_name(struct pdb *pdb, uint32_t offset)
{
    uint32_t id = map_get(&pdb->file_names, offset, 0);

    if (id == MAP_NONE) {
        id = read_name(pdb, (uint64_t)offset + HEADER);
        map_set(&pdb->file_names, offset, 0, id);
    }
    return id;
}

static bool probe(const uint8_t *data, size_t size)
{
    return msf_probe(data, size);
}

enum {
    WORK_FREE = 16 << 20,
    WORK_USUAL = 1024, /* for one address */
    NAMES_FREE = 8 << 20,
};

static enum err_code open_pdb(struct debug_file *file, struct err *err)
{
    struct pdb *pdb = mem_new(1, sizeof(*pdb));

    file->state = pdb;
    pdb->strings = strings_new();
    pdb->work = budget_of(file->size, 4, WORK_FREE);
    pdb->names = budget_of(file->size, 1, NAMES_FREE);
    if (msf_open(&pdb->msf, file->name, file->data, file->size, err) ||
        pdb_read_info(pdb, &file->identity, err) ||
        pdb_read_dbi(pdb, &file->identity, err))
        return err->code;
    pdb_read_types(pdb, &pdb->types, PDB_TPI);
    pdb_read_types(pdb, &pdb->ids, PDB_IPI);
    return ERR_NONE;
}

static void close_pdb(struct debug_file *file)
{
    struct pdb *pdb = file->state;

    if (!pdb)
        return;
    modules_release(pdb);
    vec_release(&pdb->sections);
    map_release(&pdb->id_names);
    map_release(&pdb->file_names);
    map_release(&pdb->exporters);
    strings_free(pdb->strings);
    msf_release(&pdb->msf);
    arena_release(&pdb->scratch);
    arena_release(&pdb->arena);
    free(pdb);
}

/* "" of the string table stands for none. */
static const char *text_of(const struct pdb *pdb, uint32_t id)
{
    return id ? strings_get(pdb->strings, id) : NULL;
}

static void site_frame(struct pdb *pdb, struct module_symbols *m,
                       const struct site *site, uint32_t offset,
                       struct debug_frame *frame)
{
    const struct site_row *row = site_row_at(&m->sites, site, offset);
    uint32_t file = module_file_name(pdb, m, row->file);

    *frame = (struct debug_frame){
        .function = text_of(pdb, pdb_inlinee_name(pdb, m, site->inlinee)),
        .file = text_of(pdb, file),
        .line = file && row->line <= INT32_MAX ? row->line : 0,
        .inlined = true,
    };
}

static void line_frame(struct pdb *pdb, struct module_symbols *m, uint32_t rva,
                       uint32_t twin, struct debug_frame *frame)
{
    uint32_t file, line;

    if (module_line(m, rva, twin, &pdb->work, &file, &line)) {
        frame->file = text_of(pdb, module_file_name(pdb, m, file));
        frame->line = line;
    }
}

/* A chain longer than `max` loses its innermost calls: the procedure itself
 * is what the address is in. */
static size_t proc_frames(struct pdb *pdb, struct module_symbols *m,
                          struct proc *proc, uint32_t rva,
                          struct debug_frame *frames, size_t max)
{
    const struct site *chain[DEBUG_FRAMES_MAX];
    uint32_t name = module_proc_name(pdb, m, proc);
    uint32_t offset = rva - proc->start;
    size_t n;

    if (!name)
        return 0;
    max = max < DEBUG_FRAMES_MAX ? max : DEBUG_FRAMES_MAX;
    n = module_sites(m, proc, offset, &pdb->work, chain, max - 1);
    for (size_t i = 0; i < n; i++)
        site_frame(pdb, m, chain[n - 1 - i], offset, &frames[i]);
    frames[n] = (struct debug_frame){.function = text_of(pdb, name)};
    line_frame(pdb, m, rva, proc->twin, &frames[n]);
    return n + 1;
}

/* A public name reaches to the next one, but not out of its contribution,
 * nor beyond the end of the procedure that it is the name of. */
static bool reaches(struct module_symbols *m, const struct pdb_contribution *c,
                    const struct pdb_public *found, uint32_t rva)
{
    const struct proc *proc;

    if (found->rva < c->start)
        return false;
    proc = m ? module_find_start(m, found->rva) : NULL;
    return !proc || rva - proc->start < proc->size;
}

static size_t frames_of(struct pdb *pdb, uint32_t rva,
                        struct debug_frame *frames, size_t max)
{
    struct pdb_contribution c = {.start = 0};
    struct module_symbols *m = NULL;
    struct pdb_public found;
    struct proc *proc = NULL;
    size_t n = 0;

    if (pdb_contribution_of(pdb, rva, &c))
        m = module_get(pdb, c.module);
    else if (pdb->contribution_count)
        return 0; /* padding, or not of this image */
    if (m)
        proc = module_find(m, rva);
    if (proc)
        n = proc_frames(pdb, m, proc, rva, frames, max);
    if (n)
        return n;
    frames[0] = (struct debug_frame){.function = NULL};
    if (m)
        line_frame(pdb, m, rva, 0, &frames[0]);
    if (pdb_find_public(pdb, rva, &found) && reaches(m, &c, &found, rva)) {
        frames[0].function = text_of(pdb, found.name);
        frames[0].nearest = found.rva;
    }
    return frames[0].function || frames[0].file;
}

static size_t frames_at(struct debug_file *file, uint64_t rva,
                        struct debug_frame *frames, size_t max)
{
    struct pdb *pdb = file->state;
    uint32_t source;
    size_t n;

    arena_reset(&pdb->scratch);
    budget_question(&pdb->work, WORK_USUAL);
    if (!max || rva > UINT32_MAX ||
        !pdb_source_rva(pdb, (uint32_t)rva, &source))
        return 0;
    n = frames_of(pdb, source, frames, max);
    if (n && source != rva)
        frames[0].nearest = 0; /* a place in the image before OMAP */
    return n;
}

/* A name without a size reaches to the next one in its contribution. */
static bool public_range(struct pdb *pdb, struct module_symbols *m,
                         const struct pdb_contribution *c, uint32_t rva,
                         struct debug_range *range)
{
    struct pdb_public found;

    if (!pdb_find_public(pdb, rva, &found) || !reaches(m, c, &found, rva))
        return false;
    *range = (struct debug_range){found.rva, pdb_public_end(pdb, rva, c->end)};
    return true;
}

/* After OMAP moved code, parts of a function need not lie together. */
static bool range_at(struct debug_file *file, uint64_t rva,
                     struct debug_range *range)
{
    struct pdb *pdb = file->state;
    struct pdb_contribution c;
    struct module_symbols *m;
    const struct proc *proc;
    uint32_t source;

    arena_reset(&pdb->scratch);
    if (rva > UINT32_MAX || !pdb_source_rva(pdb, (uint32_t)rva, &source) ||
        source != rva || !pdb_contribution_of(pdb, source, &c))
        return false;
    m = module_get(pdb, c.module);
    proc = m ? module_find(m, source) : NULL;
    if (!proc)
        return public_range(pdb, m, &c, source, range);
    *range =
        (struct debug_range){proc->start, (uint64_t)proc->start + proc->size};
    return true;
}

static bool matches(struct debug_file *file, const struct wanted *wanted,
                    const char **objection)
{
    const struct identity *a = &file->identity, *b = &wanted->identity;

    (void)objection;
    return wanted->kind == WANTED_PDB && a->age == b->age &&
           !memcmp(a->guid, b->guid, sizeof(a->guid));
}

static const char *flaw_of(const struct debug_file *file)
{
    const struct pdb *pdb = file->state;

    if (pdb->msf.refused)
        return "parts that unpack to more than the file's size allows are left "
               "out";
    return pdb->work.cut || pdb->names.cut
               ? "records that are looked through too often for the file's "
                 "size are left out"
               : NULL;
}

const struct debug_kind pdb_kind = {
    .name = "pdb",
    .probe = probe,
    .open = open_pdb,
    .frames = frames_at,
    .close = close_pdb,
    .range = range_at,
    .matches = matches,
    .flaw = flaw_of,
};
