/*
 * relocate - debug information of relocatable files (.o, .ko), which refers to
 * other sections, and to code, by relocations that nobody has applied.
 *
 *     bytes = elf_relocate(image, section, bytes);
 *
 * Sections are where the image has them (elf_image_open). Of 64 bits, little-
 * endian: others stay as they are.
 */
#ifndef TOPFN_ELF_RELOCATE_H
#define TOPFN_ELF_RELOCATE_H

#include "symbols/elf/image.h"

/* What the section would hold, in memory of its own to be freed; or `plain`
 * itself, if nothing refers to elsewhere or the machine is not known. */
struct bytes elf_relocate(struct elf_image *image,
                          const struct elf_section *section,
                          struct bytes plain);

#endif
