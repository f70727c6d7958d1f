#include "symbols/dwarf/lines.h"

#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/bisect.h"
#include "symbols/dwarf/line_tables.h"
#include "symbols/dwarf/object.h"

/* Longer names are cut: many files may share one that is huge. */
enum { MOST_PATH = 4096 };

static bool is_absolute(const char *path)
{
    return path[0] == '/' || path[0] == '\\' || (path[0] && path[1] == ':');
}

static const char *join(struct arena *arena, const char *folder,
                        const char *name)
{
    size_t n, room;
    char *path;

    if (!folder || !*folder || is_absolute(name))
        return name;
    n = strnlen(folder, MOST_PATH);
    room = n + strnlen(name, MOST_PATH) + 2;
    path = arena_alloc(arena, room, 1, 1);
    snprintf(path, room, "%.*s%s%s", (int)n, folder,
             folder[n - 1] == '/' ? "" : "/", name);
    return path;
}

/* Directory 0 is the folder of the compilation; before DWARF 5 it is not in
 * the table. */
static const char *folder_of(Dwarf_Line_Context context, Dwarf_Unsigned number,
                             bool five)
{
    const char *name = NULL;

    if (number > INT32_MAX || (!five && !number))
        return NULL;
    (void)dwarf_srclines_include_dir_data(context, (Dwarf_Signed)number, &name,
                                          NULL);
    return name;
}

static struct line_file file_of(Dwarf_Line_Context context, Dwarf_Signed i,
                                bool five)
{
    struct line_file file = {0};
    Dwarf_Unsigned folder = 0, time, size;

    if (dwarf_srclines_files_data_b(context, i, &file.name, &folder, &time,
                                    &size, NULL, NULL) != DW_DLV_OK)
        return (struct line_file){0};
    file.folder = folder_of(context, folder, five);
    return file;
}

static void copy_files(struct lines *lines, Dwarf_Line_Context context,
                       bool five)
{
    Dwarf_Signed base, count, end;

    if (dwarf_srclines_files_indexes(context, &base, &count, &end, NULL) !=
        DW_DLV_OK)
        return;
    for (Dwarf_Signed i = 0; i < end; i++) {
        struct line_file file = {0};

        if (i >= base)
            file = file_of(context, i, five);
        *vec_add(&lines->files) = file;
    }
}

/* libdwarf knows every form that the tables of files and folders come in. */
static void read_files(struct lines *lines, const struct unit *u,
                       struct bytes header)
{
    struct object object;
    Dwarf_Die die = object_open(&object, &u->file->sections, header);
    Dwarf_Unsigned version;
    Dwarf_Small tables;
    Dwarf_Line_Context context;

    if (die &&
        dwarf_srclines_b(die, &version, &tables, &context, NULL) == DW_DLV_OK) {
        copy_files(lines, context, version >= 5);
        dwarf_srclines_dealloc_b(context);
    }
    /* The names point into it, or into the sections of strings. */
    lines->header = object.header;
    object.header = NULL;
    object_close(&object);
}

struct lines *lines_new(struct unit *u)
{
    struct lines *lines = mem_new(1, sizeof(*lines));
    struct bytes section = u->file->sections.line;
    struct line_header header;

    if (u->line_table >= section.len)
        return lines;
    lines->folder = u->folder;
    header = line_program_read(&lines->rows, section, u->line_table,
                               &u->file->line_budget);
    if (header.bytes.len && line_tables_complete(&header))
        read_files(lines, u, header.bytes);
    return lines;
}

void lines_free(struct lines *lines)
{
    if (!lines)
        return;
    vec_release(&lines->rows.all);
    vec_release(&lines->files);
    free(lines->header);
    free(lines);
}

const struct line_row *lines_find(const struct lines *lines, uint64_t address)
{
    size_t i;

    BISECT(i, lines->rows.all.len,
           lines->rows.all.data[i].address <= address);
    if (!i || lines->rows.all.data[i - 1].file == LINE_END)
        return NULL;
    return &lines->rows.all.data[i - 1];
}

const char *lines_file(struct lines *lines, uint32_t number,
                       struct arena *arena)
{
    struct line_file *f;

    if (number >= lines->files.len)
        return NULL;
    f = &lines->files.data[number];
    if (f->path || !f->name || !*f->name)
        return f->path;
    f->path = join(arena, f->folder, f->name);
    f->path = join(arena, lines->folder, f->path);
    return f->path;
}
