/*
 * elf_dwarf - the DWARF of an ELF image, and the files that it refers to.
 *
 *     struct elf_dwarf d = {.finder = finder};
 *     struct dwarf *dwarf = elf_dwarf_open(&d, &image);
 *     ...
 *     elf_dwarf_release(&d); // before the image is closed
 */
#ifndef TOPFN_ELF_DWARF_H
#define TOPFN_ELF_DWARF_H

#include "symbols/elf/elf.h"
#include "symbols/elf/image.h"

struct companion;

struct elf_dwarf {
    struct elf_finder finder;
    struct elf_image *image; /* once it was opened */
    struct dwarf *dwarf;
    struct companion *companions; /* that were found */
};

/* NULL if the image has none that can be read; looked at once. */
struct dwarf *elf_dwarf_open(struct elf_dwarf *d, struct elf_image *image);
void elf_dwarf_release(struct elf_dwarf *d);

/* A part of the companions that could not be unpacked, or of the DWARF beyond
 * what is read; NULL: nothing. */
const char *elf_dwarf_flaw(const struct elf_dwarf *d);

#endif
