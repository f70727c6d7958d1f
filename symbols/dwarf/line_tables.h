/*
 * line_tables - the folders and files that a line table numbers.
 *
 *     struct line_tables tables;
 *     line_tables_read(&tables, &program);
 *     ... tables.files.data[row->file] ...
 *     line_tables_release(&tables);
 *
 * Names are left as the values that they are until somebody wants them: of
 * thousands of files few are ever shown.
 */
#ifndef TOPFN_DWARF_LINE_TABLES_H
#define TOPFN_DWARF_LINE_TABLES_H

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

/* Up to the first damage. */
void line_tables_read(struct line_tables *tables,
                      const struct line_program *program);
void line_tables_release(struct line_tables *tables);

#endif
