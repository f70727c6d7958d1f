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

/* Code that the linker dropped stays in the table, at 0 or at the top. */
static bool is_dropped(uint64_t start)
{
    return start <= 1 || start >= UINT64_MAX - 1 || start == UINT32_MAX ||
           start == UINT32_MAX - 1;
}

static void add_row(struct lines *lines, Dwarf_Line line, bool *end)
{
    Dwarf_Addr address = 0;
    Dwarf_Unsigned number = 0, file = 0;
    Dwarf_Bool last = 0;

    (void)dwarf_lineaddr(line, &address, NULL);
    (void)dwarf_lineno(line, &number, NULL);
    (void)dwarf_line_srcfileno(line, &file, NULL);
    (void)dwarf_lineendsequence(line, &last, NULL);
    *end = last;
    *vec_add(&lines->rows) = (struct line_row){
        .address = address,
        .line = (uint32_t)number,
        .file = last ? LINE_END : (uint32_t)file,
    };
}

/* Of a sequence that is complete: drops it if its code was dropped, and its
 * last row if that is empty. */
static void end_sequence(struct lines *lines, size_t start)
{
    struct line_row *rows = lines->rows.data;
    size_t n = lines->rows.len;

    if (is_dropped(rows[start].address)) {
        lines->rows.len = start;
        return;
    }
    while (n - start > 1 && rows[n - 2].address == rows[n - 1].address) {
        rows[n - 2] = rows[n - 1];
        n--;
    }
    lines->rows.len = n;
}

static void copy_rows(struct line_reader *r, struct lines *lines,
                      Dwarf_Line *from, Dwarf_Signed n)
{
    size_t start = 0;

    for (Dwarf_Signed i = 0; i < n && r->row_budget; i++) {
        bool end;

        r->row_budget--;
        add_row(lines, from[i], &end);
        if (!end)
            continue;
        end_sequence(lines, start);
        start = lines->rows.len;
    }
    /* A sequence without an end says nothing about where it ends. */
    lines->rows.len = start;
}

/* Ends before beginnings, later rows of one address last: those count. */
static int compare(const void *x, const void *y)
{
    const struct line_row *a = *(const struct line_row *const *)x;
    const struct line_row *b = *(const struct line_row *const *)y;

    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if ((a->file == LINE_END) != (b->file == LINE_END))
        return a->file == LINE_END ? -1 : 1;
    return a < b ? -1 : a > b;
}

static bool is_sorted(const struct lines *lines)
{
    for (size_t i = 1; i < lines->rows.len; i++)
        if (lines->rows.data[i - 1].address > lines->rows.data[i].address)
            return false;
    return true;
}

static void sort(struct lines *lines)
{
    size_t n = lines->rows.len;
    const struct line_row **order;
    struct line_row *sorted;

    if (is_sorted(lines))
        return;
    order = mem_new(n, sizeof(struct line_row *));
    sorted = mem_new(n, sizeof(*sorted));
    for (size_t i = 0; i < n; i++)
        order[i] = &lines->rows.data[i];
    qsort(order, n, sizeof(*order), compare);
    for (size_t i = 0; i < n; i++)
        sorted[i] = *order[i];
    free(order);
    free(lines->rows.data);
    lines->rows.data = sorted;
    lines->rows.cap = n;
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

static void decode(struct line_reader *r, struct lines *lines, Dwarf_Die die,
                   struct unit *u, struct arena *arena)
{
    Dwarf_Unsigned version;
    Dwarf_Small tables;
    Dwarf_Line_Context context;
    Dwarf_Line *rows;
    Dwarf_Signed n;

    if (dwarf_srclines_b(die, &version, &tables, &context, NULL) != DW_DLV_OK)
        return;
    copy_files(lines, context, u, arena, version >= 5);
    if (dwarf_srclines_from_linecontext(context, &rows, &n, NULL) == DW_DLV_OK)
        copy_rows(r, lines, rows, n);
    dwarf_srclines_dealloc_b(context);
}

struct lines *lines_new(struct line_reader *r, struct unit *u,
                        struct arena *arena)
{
    struct lines *lines = mem_new(1, sizeof(*lines));
    Dwarf_Die die;

    if (!r || !r->row_budget || u->line_table >= u->file->sections.line.len ||
        dwarf_offdie_b(r->debug, u->first, 1, &die, NULL) != DW_DLV_OK)
        return lines;
    decode(r, lines, die, u, arena);
    dwarf_dealloc_die(die);
    sort(lines);
    return lines;
}

void lines_free(struct lines *lines)
{
    if (!lines)
        return;
    vec_release(&lines->rows);
    vec_release(&lines->files);
    free(lines);
}

const struct line_row *lines_find(const struct lines *lines, uint64_t address)
{
    size_t low = 0, high = lines->rows.len;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (lines->rows.data[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low || lines->rows.data[low - 1].file == LINE_END)
        return NULL;
    return &lines->rows.data[low - 1];
}

const char *lines_file(const struct lines *lines, uint32_t number)
{
    return number < lines->files.len ? lines->files.data[number] : NULL;
}
