/*
 * lines - the line table of one unit, decoded once into sorted rows.
 *
 *     const struct line_row *row = lines_find(lines, address);
 *     if (row)
 *         printf("%s:%u\n", lines_file(lines, row->file, &arena), row->line);
 *
 * Rows are decoded by line_program.c. The tables of folders and files before
 * them are the one thing that libdwarf decodes for us: DWARF 5 lets every
 * producer choose their columns and forms, strings may be in three sections,
 * and a file's number means another thing than before. It sees a small file
 * made up for it (object.h), as entries are read here (unit.h says why).
 */
#ifndef TOPFN_DWARF_LINES_H
#define TOPFN_DWARF_LINES_H

#include "engine/base/arena.h"
#include "engine/base/vec.h"
#include "symbols/dwarf/line_program.h"
#include "symbols/dwarf/unit.h"

struct line_file {
    const char *name, *folder; /* as stored; NULL unknown */
    const char *path;          /* once asked for */
};

struct lines {
    struct line_rows rows;
    VEC(struct line_file) files; /* by number */
    uint8_t *header;             /* that names point into */
    const char *folder;          /* of the compilation, or NULL */
};

/* Never NULL, but possibly empty. */
struct lines *lines_new(struct unit *unit);
void lines_free(struct lines *lines);

const struct line_row *lines_find(const struct lines *lines, uint64_t address);

/* The path of a file, made in the arena when first asked for; NULL unknown. */
const char *lines_file(struct lines *lines, uint32_t number,
                       struct arena *arena);

#endif
