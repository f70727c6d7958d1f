/*
 * go_table - the table of functions that every Go program has for its own
 * stack traces (.gopclntab): names, files, lines and inlined calls, in stripped
 * programs, too. (format.md, section 7)
 *
 *     struct go_table table;
 *     if (go_table_open(&table, section, swapped)) {
 *         table.text = 0x401000;
 *         n = go_table_frames(&table, address, frames, DEBUG_FRAMES_MAX);
 *     }
 *
 * Of Go 1.2 and later, little-endian or big-endian. Names and paths point into
 * the bytes. Nothing is allocated: there is nothing to release.
 */
#ifndef TOPFN_GO_TABLE_H
#define TOPFN_GO_TABLE_H

#include "engine/base/budget.h"
#include "engine/base/vec.h"
#include "symbols/debug.h"
#include "symbols/elf/image.h"

enum go_table_version { GO_1_2, GO_1_16, GO_1_18, GO_1_20 };

struct go_table {
    struct bytes all;
    enum go_table_version version;
    bool swapped;
    uint8_t quantum, pointer; /* bytes */
    uint64_t count;           /* of functions */
    /* The offsets of its parts. */
    uint64_t names, units, files, values, functions;
    uint64_t text; /* what addresses count from, of 1.18 on; the caller's */
    /* The section of trees of inlined calls since 1.16, and its address, of
     * what is older than 1.18; empty: none is known. The caller's. */
    struct bytes inlined;
    uint64_t trees;
    struct budget steps; /* through lists that functions may share */
};

/* False: it is no such table, or of a version that is not known. `text` is
 * what the table itself says, which may be 0. */
bool go_table_open(struct go_table *table, struct bytes bytes, bool swapped);

/* Sections of the program that a table is in, at their addresses as linked. */
enum go_section_kind { GO_CODE, GO_CONSTANTS, GO_DATA, GO_RELOCATIONS };

struct go_section {
    uint64_t address;
    struct bytes bytes;
    enum go_section_kind kind;
};

struct go_program {
    VEC(struct go_section) sections;
    bool swapped;
};

/* Fills in `text` and `inlined` of a table of 1.18 or later that lies at an
 * address. False: the program has no such table there. */
bool go_table_place(struct go_table *table, uint64_t address,
                    const struct go_program *program);

/* Finds a table among the other data of a section, where it has no section of
 * its own. `tries` counts what only begins like one, in all sections. */
bool go_table_find(struct go_table *table, const struct go_section *section,
                   const struct go_program *program, unsigned *tries);

/* The flaw of a file whose `steps` are cut. */
#define GO_TABLE_CUT                                                           \
    "table of Go's functions: lists that are looked through too often for its" \
    " size are left out"

/* Does what debug_kind's function does, for an address as linked. */
size_t go_table_frames(struct go_table *table, uint64_t address,
                       struct debug_frame *frames, size_t max);

/* The bounds of the function at an address, as linked. */
bool go_table_range(const struct go_table *table, uint64_t address,
                    struct debug_range *range);

/* False: it is not of Go, or its table cannot be read. */
bool go_image_table(struct elf_image *image, struct go_table *table);

#endif
