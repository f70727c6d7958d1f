/*
 * lines - the line table of one unit, decoded once into sorted rows.
 *
 *     const struct line_row *row = lines_find(lines, address);
 *     if (row)
 *         printf("%s:%u\n", lines_file(lines, row->file), row->line);
 */
#ifndef TOPFN_DWARF_LINES_H
#define TOPFN_DWARF_LINES_H

#include "engine/base/arena.h"
#include "engine/base/vec.h"
#include "symbols/dwarf/line_program.h"
#include "symbols/dwarf/unit.h"

struct lines {
    struct line_rows rows;
    VEC(const char *) files; /* by number; NULL unknown */
};

struct line_reader;

/* What all line tables of a file share; NULL where libdwarf refuses. */
struct line_reader *line_reader_new(const struct dwarf_file *file);
void line_reader_free(struct line_reader *reader);

/* Never NULL, but possibly empty. Names of files are made in the arena. */
struct lines *lines_new(struct line_reader *reader, struct unit *unit,
                        struct arena *arena);
void lines_free(struct lines *lines);

const struct line_row *lines_find(const struct lines *lines, uint64_t address);
const char *lines_file(const struct lines *lines, uint32_t number);

#endif
