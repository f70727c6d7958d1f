/*
 * symtab - the symbol tables of an ELF file: which function is at an address.
 *
 *     struct symtab symtab = {0};
 *     symtab_add_image(&symtab, &image);   // also the .gnu_debugdata image
 *     symtab_add_plt(&symtab, &image);     // "malloc@plt"
 *     symtab_sort(&symtab);
 *     const struct symbol *s = symtab_find(&symtab, address);
 *
 * One name is kept for each address. The order among aliases: global before
 * weak before local; functions before labels; with a size before without; then
 * fewer leading underscores, no version, shorter. Names point into the images
 * (or into the table's arena), which must live as long.
 */
#ifndef TOPFN_ELF_SYMTAB_H
#define TOPFN_ELF_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/arena.h"
#include "engine/base/vec.h"
#include "symbols/elf/image.h"

struct symbol {
    uint64_t start, end; /* as linked, not beyond the section */
    const char *name;
    uint32_t length; /* of the name without @VERSION */
    uint8_t rank;    /* smaller is better */
    bool open;       /* its end is not known until symtab_sort */
};

/* Longer names are none: many symbols may share the end of a huge one. */
enum { SYMBOL_NAME_MOST = 32 << 10 };

struct symtab {
    VEC(struct symbol) symbols; /* sorted by start after symtab_sort */
    VEC(uint64_t) reach;        /* largest end of that symbol and all before */
    struct arena names;
    struct unpack_budget copied; /* bytes of names in it */
};

void symtab_add_image(struct symtab *table, struct elf_image *image);

/* Names the stubs through which calls to other libraries go, after the
 * relocations whose slots they jump through. */
void symtab_add_plt(struct symtab *table, struct elf_image *image);

void symtab_sort(struct symtab *table);

/* The innermost symbol that covers the address; NULL if none does. Its name
 * is terminated and has no version, unless names are absurdly long. */
const struct symbol *symtab_find(struct symtab *table, uint64_t address);

void symtab_release(struct symtab *table);

#endif
