#include "symbols/dwarf/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

struct lines *lines_new(struct unit *u)
{
    struct lines *lines = mem_new(1, sizeof(*lines));
    struct dwarf_file *file = u->file;

    lines->unit = u;
    if (u->line_table < file->sections.line.len &&
        line_program_open(&lines->program, file->sections.line, u->line_table,
                          &file->line_budget))
        line_tables_read(&lines->tables, &lines->program);
    return lines;
}

void lines_free(struct lines *lines)
{
    if (!lines)
        return;
    line_program_close(&lines->program);
    line_tables_release(&lines->tables);
    free(lines);
}

const struct line_row *lines_find(struct lines *lines, uint64_t address)
{
    return line_program_find(&lines->program, address,
                             &lines->unit->file->line_budget);
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
                       struct arena *arena)
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
    f->path = join(arena, folder_of(lines, f->folder), name);
    f->path = join(arena, lines->unit->folder, f->path);
    return f->path;
}
