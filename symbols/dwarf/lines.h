/*
 * lines - the line table of one unit, decoded once into sorted rows.
 *
 *     const struct line_row *row = lines_find(lines, address);
 *     if (row)
 *         printf("%s:%u\n", lines_file(lines, row->file, &arena), row->line);
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
