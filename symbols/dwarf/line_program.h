/*
 * line_program - the rows that a line number program makes.
 *
 * Read here and not through libdwarf because libdwarf 20210528 lets the file
 * register of DWARF 5 begin at 0 where the standard (6.2.2) and compilers
 * have 1: rows before the first DW_LNS_set_file got the wrong file.
 */
#ifndef TOPFN_DWARF_LINE_PROGRAM_H
#define TOPFN_DWARF_LINE_PROGRAM_H

#include <stdint.h>

#include "engine/base/reader.h"
#include "engine/base/vec.h"

#define LINE_END UINT32_MAX

struct line_row {
    uint64_t address; /* up to the next row */
    uint32_t line;    /* 0: the compiler made it up */
    uint32_t file;    /* LINE_END: nothing is here */
};

struct line_rows {
    VEC(struct line_row) all; /* sorted by address */
};

struct line_header {
    struct bytes bytes; /* from the start of the table to its program */
    size_t tables;      /* where in it the tables of folders and files are */
    uint16_t version;
    uint8_t wide; /* 4 or 8: bytes of an offset */
};

/* What all tables of a file together may come to. */
struct line_budget {
    uint64_t rows;
    uint64_t headers; /* bytes of headers, which several units may share */
};

/* The table at `offset` of .debug_line. Makes no more than the budget has left,
 * which is counted down. Code that the linker dropped is left out. The
 * header has no bytes if there is no table that can be read. */
struct line_header line_program_read(struct line_rows *rows,
                                     struct bytes section, uint64_t offset,
                                     struct line_budget *budget);

#endif
