/*
 * line_program - the rows that a line number program makes.
 *
 *     struct line_program program;
 *     if (line_program_open(&program, section, offset, &budget))
 *         row = line_program_find(&program, address, &budget);
 *     line_program_close(&program);
 *
 * A program makes rows in sequences, one for each piece of code that lies by
 * itself. Opening only finds where they begin; the rows of one are made when
 * an address in it is asked for, once.
 *
 * Read here and not through libdwarf because libdwarf 20210528 lets the file
 * register of DWARF 5 begin at 0 where the standard (6.2.2) and compilers
 * have 1: rows before the first DW_LNS_set_file got the wrong file.
 */
#ifndef TOPFN_DWARF_LINE_PROGRAM_H
#define TOPFN_DWARF_LINE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/budget.h"
#include "engine/base/reader.h"
#include "engine/base/vec.h"

#define LINE_END UINT32_MAX

struct line_row {
    uint64_t address; /* up to the next row */
    uint32_t line;    /* 0: the compiler made it up */
    uint32_t file;    /* LINE_END: nothing is here */
};

struct line_sequence {
    uint64_t start;      /* address of its first row */
    size_t at;           /* its first instruction, in the table */
    size_t first, count; /* rows, once made; sorted by address */
    bool made;
};

/* The limit of all tables of a file together: their rows, and the bytes of
 * tables, which several units may share. */
struct line_budget {
    struct budget rows, bytes;
};

struct line_program {
    struct bytes table; /* from its start to its end */
    size_t tables;      /* where in it the tables of folders and files are */
    size_t start;       /* and the program, behind them */
    uint16_t version;
    uint8_t wide; /* 4 or 8: bytes of an offset */
    uint8_t min_length, line_range, opcode_base;
    int8_t line_base;
    const uint8_t *operands;             /* how many each standard opcode has */
    VEC(struct line_sequence) sequences; /* sorted by start */
    VEC(struct line_row) rows;
};

/* The table at `offset` of .debug_line. Makes and reads no more than the
 * budget has left, which is counted down. Code that the linker dropped is left
 * out. False if there is no table that can be read. To be closed even then. */
bool line_program_open(struct line_program *p, struct bytes section,
                       uint64_t offset, struct line_budget *budget);
void line_program_close(struct line_program *p);

/* The row that holds an address, or NULL; until the next call. */
const struct line_row *line_program_find(struct line_program *p,
                                         uint64_t address,
                                         struct line_budget *budget);

#endif
