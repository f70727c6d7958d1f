/*
 * symtab_made - ELF files of some symbols, and the table that is made of them.
 *
 *     struct made m = {.file = elf_of(parts, n)};
 *     open_made(&m, ET_DYN, EM_X86_64);
 *     symtab_add_image(&m.table, &m.image);
 *     symtab_sort(&m.table);
 *     check_at(&m, TEXT, "main");
 *     close_made(&m);
 *
 * Included by test programs only.
 */
#ifndef TOPFN_TESTS_SYMTAB_MADE_H
#define TOPFN_TESTS_SYMTAB_MADE_H

#include <elf.h>
#include <stddef.h>

#include "symbols/elf/symtab.h"
#include "tests/support/elf_writer.h"
#include "tests/support/suite.h"

enum { TEXT = 0x401000, TEXT_SIZE = 0x1000, DATA = 0x500000, GOT = 0x600000 };

/* Numbers of the sections that the files here have. */
enum { IN_TEXT = 1, IN_DATA = 2, SYMBOLS_AT = 3, STRINGS_AT = 4 };

struct entry {
    const char *name;
    uint64_t value, size;
    uint8_t bind, type;
    uint16_t section;
};

static inline void put_entry(struct blob *symbols, struct blob *strings,
                      const struct entry *e)
{
    const Elf64_Sym symbol = {.st_name = (uint32_t)strings->len,
                              .st_info = (uint8_t)(e->bind << 4 | e->type),
                              .st_shndx = e->section,
                              .st_value = e->value,
                              .st_size = e->size};

    blob_bytes(symbols, &symbol, sizeof(symbol));
    blob_bytes(strings, e->name, strlen(e->name) + 1);
}

/* A file that has these symbols, open, and its table. */
struct made {
    struct blob file;
    struct elf_image image;
    struct symtab table;
};

static inline void open_made(struct made *m, uint16_t type, uint16_t machine)
{
    memcpy(m->file.data + offsetof(Elf64_Ehdr, e_type), &type, 2);
    memcpy(m->file.data + offsetof(Elf64_Ehdr, e_machine), &machine, 2);
    ck_assert(
        !elf_image_open(&m->image, "made", m->file.data, m->file.len, NULL));
}

static inline void close_made(struct made *m)
{
    symtab_release(&m->table);
    elf_image_close(&m->image);
    free(m->file.data);
}

static inline void check_at(struct made *m, uint64_t address, const char *name)
{
    const struct symbol *s = symtab_find(&m->table, address);

    if (!name)
        ck_assert_msg(!s, "0x%llx: %s", (unsigned long long)address,
                      s ? s->name : "");
    else
        ck_assert_msg(s && !strcmp(s->name, name), "0x%llx: %s, not %s",
                      (unsigned long long)address, s ? s->name : "nothing",
                      name);
}

enum { L = STB_LOCAL, G = STB_GLOBAL, W = STB_WEAK, U = STB_GNU_UNIQUE };
enum { F = STT_FUNC, N = STT_NOTYPE, O = STT_OBJECT, I = STT_GNU_IFUNC };

#endif
