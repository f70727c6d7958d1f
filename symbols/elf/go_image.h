/*
 * go_image - the table of functions of a Go program (go_table.h), found in its
 * ELF image.
 *
 *     struct go_table table;
 *     if (go_image_table(&image, &table)) ...
 */
#ifndef TOPFN_GO_IMAGE_H
#define TOPFN_GO_IMAGE_H

#include "symbols/elf/go_table.h"
#include "symbols/elf/image.h"

/* False: it is not of Go, or its table cannot be read. */
bool go_image_table(struct elf_image *image, struct go_table *table);

#endif
