#include "symbols/dwarf/dwarf.h"

#include <libdwarf/dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "symbols/dwarf/lines.h"
#include "symbols/dwarf/tree.h"
#include "symbols/dwarf/unit.h"

/*
 * .debug_cu_index of a package: version 2 is GNU's, 5 is DWARF 5's. (format.md,
 * section 6.2)
 */

struct split_files {
    struct dwarf_file *package;
    bool package_sought;
    VEC(struct { struct dwarf_file *file; })
    files; /* the package and every .dwo */
    /* Units of the .dwo files: thousands of skeletons may name one file. */
    VEC(struct { struct unit *unit; }) units;
    struct map unit_of; /* id to index in `units` */
};

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

/* Open addressing with a second hash from the upper half. A third of the slots
 * is empty, so that honest searches are short. */
static uint32_t row_of(const struct index *x, uint64_t id)
{
    enum { MOST_PROBES = 256 };
    uint64_t mask = x->slots - 1, slot = id & mask;
    uint64_t step = (id >> 32 & mask) | 1;

    for (uint32_t i = 0; i < x->slots && i < MOST_PROBES;
         i++, slot = (slot + step) & mask) {
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

/* Searches a .dwo file: a unit of DWARF 5 says its id in the header; in GNU's
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

/* Notes the units of a .dwo file that was opened for the unit `id`. GNU's
 * DWARF 4 has one unit a file, and its id was compared when it was opened. */
static void index_split_units(struct split_files *files,
                              struct dwarf_file *file, uint64_t id)
{
    dwarf_file_all_units(file);
    for (size_t i = 0; i < file->row.len; i++) {
        struct unit *u = file->row.data[i].unit;
        uint32_t fresh = mem_next_id(files->units.len);
        bool named = u->version == 5 ? u->type == DW_UT_split_compile
                                     : file->row.len == 1;

        if (named &&
            map_add(&files->unit_of, u->version == 5 ? u->split_id : id, 0,
                    fresh) == fresh)
            vec_add(&files->units)->unit = u;
    }
}

static struct unit *split_unit_met(const struct split_files *files, uint64_t id)
{
    uint32_t at = map_get(&files->unit_of, id, 0);

    return at == MAP_NONE ? NULL : files->units.data[at].unit;
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
    if (!u)
        u = split_unit_met(files, skeleton->split_id);
    if (u)
        return u;
    wanted.kind = DWARF_SPLIT_UNIT;
    wanted.name = skeleton->split_name;
    wanted.folder = skeleton->folder;
    file = open_companion(files, skeleton, &wanted);
    if (file)
        index_split_units(files, file, skeleton->split_id);
    return split_unit_met(files, skeleton->split_id);
}

/* The unit with the skeleton's entries; NULL if it has none or its file is
 * not found. Sought once. */
static struct unit *split_of(struct split_files *files, struct unit *skeleton)
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

/* The flaw of one of the files (dwarf_file_flaw); or NULL. */
static const char *split_flaw(const struct split_files *files)
{
    const char *flaw = NULL;

    for (size_t i = 0; i < files->files.len && !flaw; i++)
        flaw = dwarf_file_flaw(files->files.data[i].file);
    return flaw;
}

/*
 * The name of the function that an entry describes.
 *
 * A linkage name anywhere along DW_AT_abstract_origin and DW_AT_specification
 * is best, as it says everything. Otherwise DW_AT_name, behind the names of
 * the namespaces and classes that it stands in: "app::Pool::grow".
 */

enum {
    MOST_HOPS = 16,   /* origin, specification, again through dwz */
    MOST_SCOPES = 32, /* of nested namespaces and classes that are shown */
    MOST_NAME = 4096, /* many functions may share a huge scope */
};

static bool read_entry(struct unit *u, uint64_t offset, struct die *die)
{
    struct cursor c = unit_cursor_at(u, offset);

    return cursor_next(&c, die);
}

/* Read once, as thousands of functions may stand in a scope. NULL: damage. */
static const char *scope_name(struct unit *u, struct scope *scope)
{
    struct die die;

    if (scope->name || !read_entry(u, scope->start, &die))
        return scope->name;
    scope->name = value_string(u, die.name);
    if (!scope->name)
        scope->name = die.tag == DW_TAG_namespace ? "(anonymous namespace)"
                                                  : "(anonymous class)";
    return scope->name;
}

/* The names of the scopes around an entry, innermost first. `length` becomes
 * that of all of them, or more than MOST_NAME. */
static size_t scopes_of(struct unit *u, uint64_t offset, const char **names,
                        size_t *length)
{
    uint32_t scope;
    struct tree *tree = tree_scope(u, offset, &scope);
    size_t n = 0;

    *length = 0;
    while (scope != TREE_NONE && n < MOST_SCOPES && *length <= MOST_NAME) {
        struct scope *s = &tree->scopes.data[scope];

        names[n] = scope_name(u, s);
        if (names[n])
            *length += strnlen(names[n++], MOST_NAME) + 2;
        scope = s->parent;
    }
    return n;
}

static const char *qualified(struct unit *u, uint64_t offset, const char *name,
                             struct made_names *made)
{
    const char *scopes[MOST_SCOPES];
    size_t length, n = scopes_of(u, offset, scopes, &length);
    char *text, *at;

    length += strlen(name) + 1;
    if (!n || length > MOST_NAME ||
        !(at = text = made_names_room(made, length)))
        return name;
    while (n-- > 0) {
        at = stpcpy(at, scopes[n]);
        at = stpcpy(at, "::");
    }
    strcpy(at, name);
    return text;
}

/* Mostly the same, as references seldom leave a unit. */
static struct unit *names_unit_of(struct unit *u, struct dwarf_file *file,
                                  uint64_t offset)
{
    if (u->file == file && offset >= u->first && offset < u->end)
        return u;
    return file ? dwarf_file_unit(file, offset) : NULL;
}

/* NULL when no name can be read. The name lives in the file or in `made`.
 * `plain`: it is no linkage name. */
static const char *name_of_entry(struct unit *u, uint64_t offset,
                                 struct made_names *made, bool *plain)
{
    const char *name = NULL;
    struct unit *named = NULL;
    uint64_t named_at = 0;
    struct die die;

    *plain = false;
    for (unsigned hop = 0; hop < MOST_HOPS; hop++) {
        struct dwarf_file *file;
        const char *linkage;

        if (!u || !read_entry(u, offset, &die))
            break;
        linkage = value_string(u, die.linkage_name);
        if (linkage && *linkage)
            return linkage;
        if (!name && (name = value_string(u, die.name)) != NULL) {
            named = u;
            named_at = offset;
        }
        file = value_reference(u, die.origin, &offset);
        u = names_unit_of(u, file, offset);
    }
    *plain = true;
    return name && *name ? qualified(named, named_at, name, made) : NULL;
}

enum { WITNESSES = 16 };

struct dwarf {
    struct dwarf_file file;
    struct split_files split;
    struct aranges table;
    /* Addresses to units by their own word, in `file.row`: first those that
     * the address table does not list, then those that it does. */
    struct spans own[2];
    unsigned indexed; /* of these */
    struct made_names names;
};

/* A unit without ranges of its own has those of its functions. */
static void index_functions(struct unit *u, struct spans *index,
                            uint32_t number)
{
    struct cursor c = unit_cursor(u);
    struct die die;

    while (cursor_next(&c, &die))
        if (die.tag == DW_TAG_subprogram)
            ranges_add(u, &die, index, number);
}

static void index_unit(struct unit *u, struct spans *index, uint32_t number)
{
    struct die die;

    unit_read_first(u);
    if ((u->tag != DW_TAG_compile_unit && u->tag != DW_TAG_skeleton_unit) ||
        !unit_first(u, &die))
        return;
    if (ranges_any(&die))
        ranges_add(u, &die, index, number);
    else
        index_functions(u, index, number);
}

static void index_units(struct dwarf *d, bool listed, struct spans *index)
{
    dwarf_file_all_units(&d->file);
    for (size_t i = 0; i < d->file.row.len; i++) {
        struct unit *u = d->file.row.data[i].unit;

        if (aranges_lists(&d->table, u) == listed)
            index_unit(u, index, (uint32_t)i);
    }
    spans_build_first(index); /* as aranges_read does */
}

/* Units that the address table lists are not touched before one of their
 * addresses is asked for. */
static struct unit *listed_unit(struct dwarf *d, uint64_t address)
{
    uint32_t i = spans_find(&d->table.spans, address);

    return i == SPAN_NONE
               ? NULL
               : dwarf_file_unit_at(&d->file, d->table.units.data[i]);
}

/* Tells whether the address table has all that a unit says of itself. */
static bool is_covered(const struct dwarf *d, struct unit *u)
{
    struct spans own = {.added = {0}};
    bool covered = true;

    index_unit(u, &own, 0);
    for (size_t i = 0; i < own.added.len && covered; i++)
        covered =
            spans_find(&d->table.spans, own.added.data[i].low) != SPAN_NONE &&
            spans_find(&d->table.spans, own.added.data[i].high - 1) !=
                SPAN_NONE;
    spans_release(&own);
    return covered;
}

/* A producer that leaves something out of the table does so again and again,
 * so some units from all over the file tell. To read all of them for every
 * address that is nobody's, as of padding or assembly, costs more than all
 * other answers. */
static bool table_is_complete(struct dwarf *d)
{
    size_t n = d->table.units.len, step = n / WITNESSES + 1;

    for (size_t i = 0; i < n; i += step) {
        struct unit *u = dwarf_file_unit_at(&d->file, d->table.units.data[i]);

        if (!u || !aranges_lists(&d->table, u) || !is_covered(d, u))
            return false;
    }
    return true;
}

/* The address table may leave out units, and what those have that it lists:
 * before an address is nobody's, they are read. */
static struct unit *unit_of(struct dwarf *d, uint64_t address)
{
    struct unit *u = listed_unit(d, address);

    for (unsigned i = 0; !u && i < 2; i++) {
        uint32_t number;

        if (d->indexed == i) {
            if (i == 0 || !table_is_complete(d))
                index_units(d, i == 1, &d->own[i]);
            d->indexed++;
        }
        number = spans_find(&d->own[i], address);
        u = number == SPAN_NONE ? NULL : d->file.row.data[number].unit;
    }
    return u;
}

struct dwarf *dwarf_open(const struct dwarf_source *source, struct err *err)
{
    enum { NAMES_FREE = 4 << 20 };
    struct dwarf *d;

    if (source->big_endian) {
        err_set(err, ERR_UNSUPPORTED, "%s: big-endian DWARF", source->name);
        return NULL;
    }
    d = mem_new(1, sizeof(*d));
    if (!dwarf_file_open(&d->file, source) || d->file.split) {
        err_set(err, ERR_NOT_FOUND, "%s: no DWARF", source->name);
        dwarf_close(d);
        return NULL;
    }
    d->names.bytes =
        budget_of((uint64_t)d->file.sections.info.len +
                      d->file.sections.str.len + d->file.sections.line.len,
                  1, NAMES_FREE);
    aranges_read(&d->table, &d->file);
    return d;
}

void dwarf_close(struct dwarf *d)
{
    if (!d)
        return;
    for (size_t i = 0; i < d->split.files.len; i++) {
        dwarf_file_close(d->split.files.data[i].file);
        free(d->split.files.data[i].file);
    }
    vec_release(&d->split.files);
    vec_release(&d->split.units);
    map_release(&d->split.unit_of);
    dwarf_file_close(&d->file);
    aranges_release(&d->table);
    spans_release(&d->own[0]);
    spans_release(&d->own[1]);
    arena_release(&d->names.arena);
    free(d);
}

static const char *node_name(struct dwarf *d, struct unit *u, struct node *node)
{
    if (!node->name) {
        node->name =
            name_of_entry(u, u->start + node->entry, &d->names, &node->plain);
        if (!node->name)
            node->name = "";
    }
    return *node->name ? node->name : NULL;
}

/* Each inlined call says where in its caller it stands: that is the line of
 * the next frame. */
static size_t chain(struct dwarf *d, struct unit *u, uint64_t address,
                    struct lines *lines, struct debug_frame *frames, size_t max,
                    bool *plain)
{
    uint32_t at;
    struct node *nodes = tree_at(u, address, &at)->nodes.data;
    size_t n = 0;

    for (; at != TREE_NONE && n < max; at = nodes[at].parent, n++) {
        struct debug_frame *f = &frames[n];

        f->function = node_name(d, u, &nodes[at]);
        if (!f->function)
            f->function = nodes[at].parent == TREE_NONE ? NULL : "(inlined)";
        f->inlined = nodes[at].parent != TREE_NONE;
        *plain = nodes[at].plain;
        if (!f->inlined || n + 1 == max)
            continue;
        frames[n + 1].file = lines_file(lines, nodes[at].call_file, &d->names);
        frames[n + 1].line = nodes[at].call_line;
    }
    return n;
}

size_t dwarf_frames(struct dwarf *d, uint64_t address,
                    struct debug_frame *frames, size_t max, bool *plain)
{
    struct unit *u = max ? unit_of(d, address) : NULL, *split;
    const struct line_row *row;
    size_t n;

    *plain = false;
    if (!u)
        return 0;
    unit_read_first(u);
    split = split_of(&d->split, u);
    if (!split)
        split = u;
    if (!u->lines)
        u->lines = lines_new(u);
    frames[0] = (struct debug_frame){0};
    row = lines_find(u->lines, address);
    if (row) {
        frames[0].file = lines_file(u->lines, row->file, &d->names);
        frames[0].line = row->line;
    }
    n = chain(d, split, address, u->lines, frames, max, plain);
    return n ? n : row != NULL;
}

const char *dwarf_flaw(const struct dwarf *dwarf)
{
    const char *flaw = dwarf_file_flaw(&dwarf->file);

    if (!flaw && dwarf->names.bytes.cut)
        return "scopes and folders that many names share are left out";
    return flaw ? flaw : split_flaw(&dwarf->split);
}
