/* What a small ELF file may make of a few bytes that much refers to. */
#include <elf.h>

#include "symbols/elf/symtab.h"
#include "tests/support/elf_writer.h"
#include "tests/support/suite.h"

enum { BASE = 0x401000, GOT = 0x800000, MIB = 1 << 20 };

/* A name of n letters, at 1. */
static void put_name(struct blob *strings, size_t n, const char *end)
{
    blob_u8(strings, 0);
    for (size_t i = 0; i < n; i++)
        blob_u8(strings, 'a');
    blob_bytes(strings, end, strlen(end) + 1);
}

static void put_symbol(struct blob *b, uint32_t name, uint16_t section,
                       uint64_t value)
{
    const Elf64_Sym symbol = {
        .st_name = name, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
        .st_shndx = section, .st_value = value, .st_size = section ? 1 : 0};

    blob_bytes(b, &symbol, sizeof(symbol));
}

/* All short enough tails of a name of 40,000 letters are names. A name with a
 * version needs a copy, and is read until the copies come to 8 MiB. */
TEST(symbols_that_share_a_long_name)
{
    enum { LETTERS = 40000, SYMBOLS = 2000 };
    struct blob code = {0}, symbols = {0}, strings = {0}, file;
    struct elf_image image;
    struct symtab table = {0};
    unsigned versions = 0;

    blob_zero(&code, SYMBOLS);
    put_symbol(&symbols, 0, 0, 0);
    for (uint32_t i = 0; i < SYMBOLS; i++)
        put_symbol(&symbols, i & 1 ? 1 : LETTERS - 30000 + i, 1, BASE + i);
    put_name(&strings, LETTERS, "@V1");
    file = elf_of(
        (struct elf_part[]){
            {".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, BASE, &code, 0,
             0},
            {".symtab", SHT_SYMTAB, 0, 0, &symbols, 3, sizeof(Elf64_Sym)},
            {".strtab", SHT_STRTAB, 0, 0, &strings, 0, 0}},
        3);
    ck_assert(!elf_image_open(&image, "bounds", file.data, file.len, NULL));
    symtab_add_image(&table, &image);
    symtab_sort(&table);
    ck_assert_uint_eq(table.symbols.len, SYMBOLS / 2);
    for (uint32_t i = 0; i < SYMBOLS; i += 2)
        versions += strchr(symtab_find(&table, BASE + i)->name, '@') != NULL;
    ck_assert_uint_le(table.copied.made, (size_t)8 * MIB);
    ck_assert_uint_gt(table.copied.made, (size_t)7 * MIB);
    ck_assert_uint_gt(versions, SYMBOLS / 4);
    symtab_release(&table);
    elf_image_close(&image);
    free(code.data);
    free(symbols.data);
    free(strings.data);
    free(file.data);
}

/* Each stub has a copy of the name. */
TEST(stubs_that_share_a_long_name)
{
    enum { LETTERS = 20000, STUBS = 2000 };
    struct blob code = {0}, symbols = {0}, strings = {0}, slots = {0}, file;
    struct elf_image image;
    struct symtab table = {0};

    put_symbol(&symbols, 0, 0, 0);
    put_symbol(&symbols, 1, 0, 0);
    put_name(&strings, LETTERS, "");
    for (uint32_t i = 0; i < STUBS; i++) {
        const Elf64_Rela slot = {.r_offset = GOT + 8 * i,
                                 .r_info = ELF64_R_INFO(1, R_X86_64_JUMP_SLOT)};

        blob_pack(&code, "HI10x", 0x25FF, GOT + 8 * i - (BASE + 16 * i + 6));
        blob_bytes(&slots, &slot, sizeof(slot));
    }
    file = elf_of(
        (struct elf_part[]){
            {".plt", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, BASE, &code, 0,
             16},
            {".dynsym", SHT_DYNSYM, SHF_ALLOC, 0, &symbols, 3,
             sizeof(Elf64_Sym)},
            {".dynstr", SHT_STRTAB, SHF_ALLOC, 0, &strings, 0, 0},
            {".rela.plt", SHT_RELA, SHF_ALLOC, 0, &slots, 2,
             sizeof(Elf64_Rela)}},
        4);
    ck_assert(!elf_image_open(&image, "bounds", file.data, file.len, NULL));
    symtab_add_plt(&table, &image);
    symtab_sort(&table);
    ck_assert_uint_eq(table.symbols.len, 8 * MIB / LETTERS);
    ck_assert_ptr_nonnull(symtab_find(&table, BASE));
    symtab_release(&table);
    elf_image_close(&image);
    free(code.data);
    free(symbols.data);
    free(strings.data);
    free(slots.data);
    free(file.data);
}
