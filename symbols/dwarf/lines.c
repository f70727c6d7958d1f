#include "symbols/dwarf/lines.h"

#include <libdwarf/dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The tables of DWARF 5, first folders and then files:
 *
 *   u8       format_count
 *   ULEB128  what it is and DW_FORM_..., for each of the formats
 *   ULEB128  count
 *   values, as the formats say, for each of the entries
 *
 * Before: names of folders up to an empty one, counted from 1; then of each
 * file name, folder, time and size (ULEB128), up to an empty name.
 */

enum { MOST_FORMATS = 16 };

/* A column of a table. */
struct format {
    uint64_t what, form; /* DW_LNCT_..., DW_FORM_... */
};

static void skip(struct reader *r, uint64_t n)
{
    if (n > reader_left(r))
        reader_fail(r, ERR_TRUNCATED, "line table");
    else
        reader_skip(r, (size_t)n);
}

static const char *read_text(struct reader *r)
{
    struct bytes text = reader_cstr(r);

    return r->failed ? NULL : (const char *)text.data;
}

/* Numbers, and where strings are; blocks are passed. */
static uint64_t read_number(struct reader *r, uint64_t form, unsigned wide)
{
    switch (form) {
    case DW_FORM_line_strp:
    case DW_FORM_strp:
    case DW_FORM_strp_sup:
        return reader_ptr(r, wide);
    case DW_FORM_udata:
    case DW_FORM_strx:
        return reader_uleb(r);
    case DW_FORM_data1:
    case DW_FORM_strx1:
        return reader_u8(r);
    case DW_FORM_data2:
    case DW_FORM_strx2:
        return reader_u16(r);
    case DW_FORM_data4:
    case DW_FORM_strx4:
        return reader_u32(r);
    case DW_FORM_data8:
        return reader_u64(r);
    case DW_FORM_data16:
        skip(r, 16);
        return 0;
    case DW_FORM_block:
        skip(r, reader_uleb(r));
        return 0;
    default:
        reader_fail(r, ERR_UNSUPPORTED, "form in a line table");
        return 0;
    }
}

static struct line_name read_entry(struct reader *r,
                                   const struct format *formats, unsigned n,
                                   unsigned wide)
{
    struct line_name entry = {.text = NULL};

    for (unsigned i = 0; i < n && !r->failed; i++) {
        uint64_t form = formats[i].form, number = 0;
        const char *text = NULL;

        if (form == DW_FORM_string)
            text = read_text(r);
        else
            number = read_number(r, form, wide);
        if (formats[i].what == DW_LNCT_path) {
            entry.text = text;
            entry.value = (struct value){number, (uint16_t)form};
        } else if (formats[i].what == DW_LNCT_directory_index) {
            entry.folder = number;
        }
    }
    return entry;
}

/* A list of its own, as VEC makes a type for each. */
struct names {
    struct line_tables *tables;
    bool files;
};

static void add(const struct names *to, struct line_name name)
{
    if (to->files)
        *vec_add(&to->tables->files) = name;
    else
        *vec_add(&to->tables->folders) = name;
}

static bool read_table(const struct names *to, struct reader *r, unsigned wide)
{
    struct format formats[MOST_FORMATS];
    unsigned n = reader_u8(r);
    uint64_t count;

    if (n > MOST_FORMATS)
        return false;
    for (unsigned i = 0; i < n; i++) {
        formats[i].what = reader_uleb(r);
        formats[i].form = reader_uleb(r);
    }
    count = reader_uleb(r);
    /* Every form takes a byte or more. */
    if (count > reader_left(r) || (count && !n))
        return false;
    while (count-- && !r->failed) {
        struct line_name name = read_entry(r, formats, n, wide);

        if (!r->failed)
            add(to, name);
    }
    return !r->failed;
}

static void read_old_table(const struct names *to, struct reader *r)
{
    add(to, (struct line_name){.text = NULL});
    while (reader_more(r)) {
        struct line_name name = {.text = read_text(r)};

        if (!name.text || !*name.text)
            return;
        if (to->files) {
            name.folder = reader_uleb(r);
            (void)reader_uleb(r);
            (void)reader_uleb(r);
        }
        if (!r->failed)
            add(to, name);
    }
}

/* Up to the first damage. */
static void line_tables_read(struct line_tables *tables,
                             const struct line_program *program)
{
    struct reader r =
        reader_of(".debug_line", program->table.data, program->start, 0, NULL);

    *tables = (struct line_tables){.files = {0}};
    r.pos = program->tables;
    for (unsigned files = 0; files < 2; files++) {
        struct names to = {tables, files};

        if (program->version < 5)
            read_old_table(&to, &r);
        else if (!read_table(&to, &r, program->wide))
            return;
    }
}

/* Longer names are cut: many files may share one that is huge. */
enum { MOST_PATH = 4096 };

char *made_names_room(struct made_names *made, size_t n)
{
    return budget_take(&made->bytes, n) ? arena_alloc(&made->arena, n, 1, 1)
                                        : NULL;
}

/* The name alone where there is no room for both. */
static const char *join(struct made_names *made, const char *folder,
                        const char *name)
{
    size_t n, room;
    char *path;

    if (!folder || !*folder ||
        (name[0] == '/' || name[0] == '\\' || (name[0] && name[1] == ':')))
        return name;
    n = strnlen(folder, MOST_PATH);
    room = n + strnlen(name, MOST_PATH) + 2;
    path = made_names_room(made, room);
    if (!path)
        return name;
    snprintf(path, room, "%.*s%s%s", (int)n, folder,
             folder[n - 1] == '/' ? "" : "/", name);
    return path;
}

struct lines *lines_new(struct unit *u)
{
    struct lines *lines = mem_new(1, sizeof(*lines));
    struct dwarf_file *file = u->file;

    lines->unit = u;
    if (u->line_table < file->sections.line.len &&
        line_program_open(&lines->program, file->sections.line, u->line_table,
                          &file->lines))
        line_tables_read(&lines->tables, &lines->program);
    return lines;
}

void lines_free(struct lines *lines)
{
    if (!lines)
        return;
    line_program_close(&lines->program);
    vec_release(&lines->tables.folders);
    vec_release(&lines->tables.files);
    free(lines);
}

const struct line_row *lines_find(struct lines *lines, uint64_t address)
{
    return line_program_find(&lines->program, address,
                             &lines->unit->file->lines);
}

static const char *text_of(const struct lines *lines,
                           const struct line_name *name)
{
    return name->text ? name->text : value_string(lines->unit, name->value);
}

/* Folder 0 is that of the compilation; before DWARF 5 it is not there. */
static const char *folder_of(const struct lines *lines, uint64_t number)
{
    return number < lines->tables.folders.len
               ? text_of(lines, &lines->tables.folders.data[number])
               : NULL;
}

const char *lines_file(struct lines *lines, uint32_t number,
                       struct made_names *made)
{
    struct line_name *f;
    const char *name;

    if (number >= lines->tables.files.len)
        return NULL;
    f = &lines->tables.files.data[number];
    if (f->path)
        return f->path;
    name = text_of(lines, f);
    if (!name || !*name)
        return NULL;
    f->path = join(made, folder_of(lines, f->folder), name);
    f->path = join(made, lines->unit->folder, f->path);
    return f->path;
}
