/*
 * elf_writer - small ELF files of 64 bits for x86-64, made of sections.
 *
 *     struct blob file = elf_of(
 *         (struct elf_part[]){{".text", SHT_PROGBITS,
 *                              SHF_ALLOC | SHF_EXECINSTR, 0x401000, &code}},
 *         1);
 *     free(file.data);
 */
#ifndef TOPFN_TESTS_ELF_WRITER_H
#define TOPFN_TESTS_ELF_WRITER_H

#include <elf.h>

#include "tests/support/blob.h"

struct elf_part {
    const char *name;
    uint32_t type;
    uint64_t flags, address;
    const struct blob *bytes;
    uint32_t link, entry_size;
};

/* Section 0 is empty, the last has the names. */
struct blob elf_of(const struct elf_part *parts, size_t n);

#endif
