/*
 * lines - files and lines of the code of one unit.
 *
 *     const struct line_row *row = lines_find(lines, address);
 *     if (row)
 *         printf("%s:%u\n", lines_file(lines, row->file, &made), row->line);
 */
#ifndef TOPFN_DWARF_LINES_H
#define TOPFN_DWARF_LINES_H

#include "engine/base/arena.h"
#include "engine/base/budget.h"
#include "symbols/dwarf/line_program.h"
#include "symbols/dwarf/unit.h"

struct line_name {
    const char *text;   /* where it stands in the table itself; else NULL */
    struct value value; /* which value_string reads */
    uint64_t folder;    /* of a file: its number */
    const char *path;   /* of a file, once asked for */
};

struct line_tables {
    VEC(struct line_name) folders, files; /* by number; 0 may be none */
};

struct lines {
    struct unit *unit;
    struct line_program program;
    struct line_tables tables;
};

/* Names that are put together from parts of a file, which many may share. */
struct made_names {
    struct arena arena;
    struct budget bytes;
};

/* NULL: they come to more than the file's size allows. */
char *made_names_room(struct made_names *made, size_t n);

/* Never NULL, but possibly empty. */
struct lines *lines_new(struct unit *unit);
void lines_free(struct lines *lines);

/* Until the next call. */
const struct line_row *lines_find(struct lines *lines, uint64_t address);

/* The path of a file, made when first asked for; NULL unknown. */
const char *lines_file(struct lines *lines, uint32_t number,
                       struct made_names *made);

#endif
