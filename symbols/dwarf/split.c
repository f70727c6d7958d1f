/*
 * .debug_cu_index of a package (version 2 is GNU's, 5 is DWARF 5's, section
 * 7.3.5.3):
 *
 *   0   u32  version 2, or u16 5 and padding
 *   4   u32  section_count: columns
 *   8   u32  unit_count: rows
 *   12  u32  slot_count: a power of two
 *   16  u64  dwo_id of each slot
 *       u32  row of each slot, counting from 1; 0: free
 *       u32  section identifier of each column
 *       u32  offset of each column, for each row
 *       u32  size of each column, for each row
 */
#include "symbols/dwarf/split.h"

#include <libdwarf/dwarf.h>
#include <stdlib.h>

/* Numbers of the columns. */
enum {
    SECT_INFO = 1,
    SECT_ABBREV = 3,
    SECT_LINE = 4,
    SECT_STR_OFFSETS = 6,
    SECT_RNGLISTS = 8, /* version 5 */
};

struct index {
    struct reader all;
    uint32_t columns, rows, slots;
    uint64_t names; /* where the section identifiers are */
};

static bool read_index(struct dwarf_file *file, struct index *x)
{
    struct bytes b = file->sections.cu_index;
    struct reader r = reader_of(".debug_cu_index", b.data, b.len, 0, NULL);

    x->all = r;
    reader_skip(&r, 4);
    x->columns = reader_u32(&r);
    x->rows = reader_u32(&r);
    x->slots = reader_u32(&r);
    x->names = 16 + (uint64_t)x->slots * 12;
    return !r.failed && x->slots && !(x->slots & (x->slots - 1));
}

static uint64_t number_at(const struct index *x, uint64_t offset,
                          unsigned width)
{
    struct reader r = reader_at(&x->all, offset, "index");

    return reader_ptr(&r, width);
}

/* Open addressing with a second hash from the upper half. */
static uint32_t row_of(const struct index *x, uint64_t id)
{
    uint64_t mask = x->slots - 1, slot = id & mask;
    uint64_t step = (id >> 32 & mask) | 1;

    for (uint32_t i = 0; i < x->slots; i++, slot = (slot + step) & mask) {
        uint32_t row =
            (uint32_t)number_at(x, 16 + (uint64_t)x->slots * 8 + slot * 4, 4);

        if (!row)
            return 0;
        if (number_at(x, 16 + slot * 8, 8) == id)
            return row;
    }
    return 0;
}

static void set_part(struct contributions *parts, uint64_t *info,
                     uint64_t section, uint64_t offset)
{
    switch (section) {
    case SECT_INFO:
        *info = offset;
        break;
    case SECT_ABBREV:
        parts->abbrev = offset;
        break;
    case SECT_LINE:
        parts->line = offset;
        break;
    case SECT_STR_OFFSETS:
        parts->str_offsets = offset;
        break;
    case SECT_RNGLISTS:
        parts->rnglists = offset;
        break;
    default:
        break;
    }
}

static struct unit *find_in_package(struct dwarf_file *file, uint64_t id)
{
    struct index x;
    struct contributions parts = {0};
    uint64_t info = UINT64_MAX, line;
    uint32_t row;
    struct unit *u;

    if (!read_index(file, &x) || !(row = row_of(&x, id)))
        return NULL;
    line = x.names + (uint64_t)row * x.columns * 4;
    for (uint64_t i = 0; i < x.columns && i < 16; i++)
        set_part(&parts, &info, number_at(&x, x.names + i * 4, 4),
                 number_at(&x, line + i * 4, 4));
    u = dwarf_file_unit_at(file, info);
    if (u)
        u->parts = parts;
    return u;
}

/* Of a .dwo file: a unit of DWARF 5 says its id in the header; in GNU's
 * DWARF 4 it is in the entry and there is one unit. */
static struct unit *find_in_file(struct dwarf_file *file, uint64_t id)
{
    dwarf_file_all_units(file);
    for (size_t i = 0; i < file->row.len; i++) {
        struct unit *u = file->row.data[i].unit;

        if (u->version == 5
                ? u->type == DW_UT_split_compile && u->split_id == id
                : file->row.len == 1)
            return u;
    }
    return NULL;
}

bool dwarf_has_split_unit(const struct dwarf_source *source, uint64_t id)
{
    struct dwarf_source own = *source;
    struct dwarf_file file;
    struct unit *u = NULL;
    bool found;

    own.companion = NULL;
    if (dwarf_file_open(&file, &own) && file.split) {
        u = find_in_package(&file, id);
        if (!u)
            u = find_in_file(&file, id);
    }
    if (u)
        unit_read_first(u);
    found = u && u->split_id == id;
    dwarf_file_close(&file);
    return found;
}

static struct dwarf_file *open_companion(struct split_files *files,
                                         const struct unit *skeleton,
                                         const struct dwarf_companion *wanted)
{
    const struct dwarf_source *from = &skeleton->file->source;
    struct dwarf_source found = {0};
    struct dwarf_file *file;

    if (!from->companion || !from->companion(from->context, wanted, &found))
        return NULL;
    found.companion = NULL;
    file = mem_new(1, sizeof(*file));
    if (dwarf_file_open(file, &found) && file->split) {
        vec_add(&files->files)->file = file;
        return file;
    }
    dwarf_file_close(file);
    free(file);
    return NULL;
}

static struct unit *seek(struct split_files *files, struct unit *skeleton)
{
    struct dwarf_companion wanted = {
        .kind = DWARF_PACKAGE,
        .split_id = skeleton->split_id,
    };
    struct unit *u = NULL;
    struct dwarf_file *file;

    if (!files->package_sought) {
        files->package_sought = true;
        files->package = open_companion(files, skeleton, &wanted);
    }
    if (files->package)
        u = find_in_package(files->package, skeleton->split_id);
    if (u)
        return u;
    wanted.kind = DWARF_SPLIT_UNIT;
    wanted.name = skeleton->split_name;
    wanted.folder = skeleton->folder;
    file = open_companion(files, skeleton, &wanted);
    return file ? find_in_file(file, skeleton->split_id) : NULL;
}

struct unit *split_of(struct split_files *files, struct unit *skeleton)
{
    struct unit *u;

    if (!skeleton->split_name || skeleton->split_sought)
        return skeleton->split;
    skeleton->split_sought = true;
    u = seek(files, skeleton);
    /* One split unit belongs to one skeleton; a second claim is damage. */
    if (!u || u->skeleton)
        return NULL;
    u->skeleton = skeleton;
    unit_read_first(u);
    /* DWARF 4 says the id only here. */
    if (u->split_id != skeleton->split_id)
        return NULL;
    skeleton->split = u;
    return u;
}

const char *split_flaw(const struct split_files *files)
{
    const char *flaw = NULL;

    for (size_t i = 0; i < files->files.len && !flaw; i++)
        flaw = dwarf_file_flaw(files->files.data[i].file);
    return flaw;
}

void split_release(struct split_files *files)
{
    for (size_t i = 0; i < files->files.len; i++) {
        dwarf_file_close(files->files.data[i].file);
        free(files->files.data[i].file);
    }
    vec_release(&files->files);
}
