#include "symbols/dwarf/lines.h"

#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/dwarf/object.h"

struct line_reader {
    struct object object;
    Dwarf_Debug debug;
    uint64_t row_budget; /* a row takes a byte of the section or more */
};

struct line_reader *line_reader_new(const struct dwarf_file *file)
{
    struct line_reader *r = mem_new(1, sizeof(*r));

    r->row_budget = 2 * (uint64_t)file->sections.line.len;
    r->debug = object_open(&r->object, &file->sections);
    if (r->debug)
        return r;
    free(r);
    return NULL;
}

void line_reader_free(struct line_reader *r)
{
    if (!r)
        return;
    object_close(r->debug);
    free(r);
}

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
    n = strlen(folder);
    room = n + strlen(name) + 2;
    path = arena_alloc(arena, room, 1, 1);
    snprintf(path, room, "%s%s%s", folder, folder[n - 1] == '/' ? "" : "/",
             name);
    return path;
}

/* Directory 0 is the folder of the compilation; before DWARF 5 it is not in
 * the table. */
static const char *folder_of(Dwarf_Line_Context context, Dwarf_Unsigned number,
                             const struct unit *u, struct arena *arena,
                             bool five)
{
    const char *name = NULL;

    if (number > INT32_MAX)
        return u->folder;
    if (!five && !number)
        return u->folder;
    if (dwarf_srclines_include_dir_data(context, (Dwarf_Signed)number, &name,
                                        NULL) != DW_DLV_OK ||
        !name)
        return u->folder;
    return join(arena, u->folder, arena_strndup(arena, name, strlen(name)));
}

static const char *file_name(Dwarf_Line_Context context, Dwarf_Signed i,
                             const struct unit *u, struct arena *arena,
                             bool five)
{
    const char *name = NULL;
    Dwarf_Unsigned folder = 0, time, size;

    if (dwarf_srclines_files_data_b(context, i, &name, &folder, &time, &size,
                                    NULL, NULL) != DW_DLV_OK ||
        !name || !*name)
        return NULL;
    name = arena_strndup(arena, name, strlen(name));
    if (is_absolute(name))
        return name;
    return join(arena, folder_of(context, folder, u, arena, five), name);
}

static void copy_files(struct lines *lines, Dwarf_Line_Context context,
                       const struct unit *u, struct arena *arena, bool five)
{
    Dwarf_Signed base, count, end;

    if (dwarf_srclines_files_indexes(context, &base, &count, &end, NULL) !=
        DW_DLV_OK)
        return;
    for (Dwarf_Signed i = 0; i < end; i++)
        *vec_add(&lines->files) =
            i < base ? NULL : file_name(context, i, u, arena, five);
}

/* libdwarf knows every form that the tables of files and folders come in. */
static void read_files(struct line_reader *r, struct lines *lines,
                       struct unit *u, struct arena *arena)
{
    Dwarf_Unsigned version;
    Dwarf_Small tables;
    Dwarf_Line_Context context;
    Dwarf_Die die;

    if (dwarf_offdie_b(r->debug, u->first, 1, &die, NULL) != DW_DLV_OK)
        return;
    if (dwarf_srclines_b(die, &version, &tables, &context, NULL) == DW_DLV_OK) {
        copy_files(lines, context, u, arena, version >= 5);
        dwarf_srclines_dealloc_b(context);
    }
    dwarf_dealloc_die(die);
}

struct lines *lines_new(struct line_reader *r, struct unit *u,
                        struct arena *arena)
{
    struct lines *lines = mem_new(1, sizeof(*lines));
    struct bytes section = u->file->sections.line;

    if (!r || !r->row_budget || u->line_table >= section.len)
        return lines;
    line_program_read(&lines->rows, section, u->line_table, &r->row_budget);
    read_files(r, lines, u, arena);
    return lines;
}

void lines_free(struct lines *lines)
{
    if (!lines)
        return;
    vec_release(&lines->rows.all);
    vec_release(&lines->files);
    free(lines);
}

const struct line_row *lines_find(const struct lines *lines, uint64_t address)
{
    size_t low = 0, high = lines->rows.all.len;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (lines->rows.all.data[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low || lines->rows.all.data[low - 1].file == LINE_END)
        return NULL;
    return &lines->rows.all.data[low - 1];
}

const char *lines_file(const struct lines *lines, uint32_t number)
{
    return number < lines->files.len ? lines->files.data[number] : NULL;
}
