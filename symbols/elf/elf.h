/*
 * elf - ELF images and debug files: build-id, symbol tables, DWARF.
 *
 *     struct debug_file *file = debug_open("libc.so.6", data, size, &err);
 *     if (file && file->kind->image == IMAGE_ELF)
 *         name = elf_debug_link(file, &crc);
 *
 * An address is answered from DWARF; where that says nothing, from the table
 * of functions that Go programs have; then from .symtab, .dynsym, the symbols
 * in .gnu_debugdata and the stubs of the procedure linkage table together.
 */
#ifndef TOPFN_ELF_H
#define TOPFN_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/dwarf/dwarf.h"
#include "symbols/debug.h"

/* The address as linked that RVA 0 stands for. */
uint64_t elf_base(const struct debug_file *file);

/* True if the file itself has it. */
bool elf_has_dwarf(struct debug_file *file);
bool elf_has_symbols(struct debug_file *file); /* .symtab, not only exports */

/* Base name and CRC-32 of the separate debug file (.gnu_debuglink); NULL if
 * none is named. Never a path: a name with a slash is refused. */
const char *elf_debug_link(const struct debug_file *file, uint32_t *crc);

/* Provides the other files that DWARF refers to (dwz, .dwp, .dwo): sets
 * `data` and `size`, which must live until debug_close. Without a finder such
 * references stay unresolved. Set by the kind, before the first look-up. */
struct elf_finder {
    bool (*find)(void *context, const struct dwarf_companion *wanted,
                 const uint8_t **data, size_t *size);
    void *context;
};

enum elf_companion { COMPANION_SAME, COMPANION_FOREIGN, COMPANION_BROKEN };

/* Tells whether these bytes are the file wanted: by build-id, checksum or the
 * id of the split unit, never by name. */
enum elf_companion elf_companion_of(const struct dwarf_companion *wanted,
                                    const uint8_t *data, size_t size);

#endif
