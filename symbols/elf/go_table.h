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

/* The program that a table is in, by addresses as linked. */
struct go_memory {
    void *program;
    /* From an address to the end of its section. */
    struct bytes (*data)(void *program, uint64_t address);
    /* The word there; 0: none. */
    uint64_t (*word)(void *program, uint64_t address);
    /* Finds a word of this value in the writable sections. */
    bool (*find)(void *program, uint64_t value, uint64_t *address);
};

/* Fills in `text` and `inlined` of a table of 1.18 or later that lies at an
 * address. False: the program has no such table there. */
bool go_table_place(struct go_table *table, uint64_t address,
                    const struct go_memory *memory);

/* The address where the first function begins. */
uint64_t go_table_start(const struct go_table *table);

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
