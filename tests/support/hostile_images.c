#include "tests/support/hostile.h"

#include <stdlib.h>

#include "tests/support/elf_writer.h"
#include "tests/support/jitdump_writer.h"

/* Images and lists of code: everything is asked about the address 0x1000. */

enum { BASE = 0x1000, CODE = 0x10000 };

/* Symbols that all overlap. */
static void symbol_overlaps(struct blob *b, size_t size)
{
    struct blob code = {0}, symbols = {0}, strings = {0}, file;

    blob_zero(&code, CODE);
    blob_bytes(&strings, "\0f", 3);
    for (uint32_t i = 0; symbols.len < size; i++) {
        uint32_t inset = i % (CODE / 2);
        const Elf64_Sym symbol = {.st_name = 1,
                                  .st_info =
                                      ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                                  .st_shndx = 1,
                                  .st_value = BASE + inset,
                                  .st_size = CODE - 2 * inset};

        blob_bytes(&symbols, &symbol, sizeof(symbol));
    }
    file = elf_of(
        (struct elf_part[]){
            {".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, BASE, &code, 0,
             0},
            {".symtab", SHT_SYMTAB, 0, 0, &symbols, 3, sizeof(Elf64_Sym)},
            {".strtab", SHT_STRTAB, 0, 0, &strings, 0, 0}},
        3);
    blob_bytes(b, file.data, file.len);
    free(file.data);
    free(code.data);
    free(symbols.data);
    free(strings.data);
}

/* Code that is loaded over other code, or moved on and on. */
static void jitdump_layers(struct blob *b, size_t size)
{
    struct jitdump_writer w = {.big_endian = false};

    jitdump_begin(&w);
    jitdump_load(&w, BASE, 0x40, 1, "run");
    for (uint64_t i = 0; w.b.len < size; i++) {
        if (i % 2)
            jitdump_load(&w, 0x1000 + i % 64, 0x10, 2 + i, "f");
        else
            jitdump_move(&w, BASE + i, BASE + i + 2, 0x40, 1);
    }
    blob_bytes(b, w.b.data, w.b.len);
    free(w.b.data);
}

/* ---- images of Windows ---- */

enum { HEADERS = 0x200, SECTION = 40, FIRST = 0x1000 };

/* A PE32+ image of `sections` sections; the first, from FIRST on, is `bytes`,
 * and the directory `which` is of its beginning. */
static void put_pe(struct blob *b, unsigned sections, unsigned which,
                   const struct blob *bytes)
{
    size_t at = HEADERS + (size_t)SECTION * sections;

    blob_bytes(b, "MZ", 2);
    blob_pack(b, "58xI", 64);
    blob_bytes(b, "PE\0", 4);
    blob_pack(b, "HH12xHHH54x", 0x8664, (uint16_t)sections, 240, 0, 0x20B);
    blob_u32(b, 0x10000000); /* size of the image */
    blob_pack(b, "I44xI", HEADERS, 16);
    for (unsigned i = 0; i < 16; i++) {
        blob_u32(b, i == which ? FIRST : 0);
        blob_u32(b, i == which ? (uint32_t)bytes->len : 0);
    }
    for (unsigned i = 0; i < sections; i++) {
        bool last = i + 1 == sections;

        blob_pack(b, "8xIIII12xI", last ? (uint32_t)bytes->len : 1,
                  last ? FIRST : 0x8000000 + i, last ? (uint32_t)bytes->len : 1,
                  (uint32_t)at, 0x60000020);
    }
    blob_zero(b, at - b->len);
    blob_bytes(b, bytes->data, bytes->len);
}

/* Every entry of the debug directory is looked for in all sections. */
static void pe_sections(struct blob *b, size_t size)
{
    struct blob entries = {0};

    blob_zero(&entries, size / 2);
    for (size_t i = 12; i < entries.len; i += 28)
        entries.data[i] = 2;
    put_pe(b, (unsigned)(size / 2 / SECTION % 65536), 6, &entries);
    free(entries.data);
}

/* Entries of the debug directory that are of no kind we know. */
static void pe_debug_entries(struct blob *b, size_t size)
{
    struct blob entries = {0};

    blob_zero(&entries, size);
    put_pe(b, 1, 6, &entries);
    free(entries.data);
}

/* Entries of unwind information that all continue each other. */
static void pe_unwind(struct blob *b, size_t size)
{
    struct blob table = {0};

    for (uint32_t i = 0; table.len < size; i++) {
        blob_pack(&table, "III", 0x1000 + i, 0x10000000,
                  (FIRST + 12 * (i + 1)) | 1);
    }
    put_pe(b, 1, 3, &table);
    free(table.data);
}

/* Exports that all have the same long name. */
static void pe_exports(struct blob *b, size_t size)
{
    struct blob table = {0};
    uint32_t n = (uint32_t)(size / 20), text = 40 + 10 * n;

    blob_pack(&table, "20xIIIII", n, n, FIRST + 40, FIRST + 40 + 4 * n,
              FIRST + 40 + 8 * n);
    for (uint32_t i = 0; i < n; i++)
        blob_u32(&table, FIRST + i);
    for (uint32_t i = 0; i < n; i++)
        blob_u32(&table, FIRST + text + i % 64);
    for (uint32_t i = 0; i < n; i++)
        blob_u16(&table, (uint16_t)i);
    while (table.len < size)
        blob_u8(&table, 'n');
    blob_u8(&table, 0);
    put_pe(b, 1, 0, &table);
    free(table.data);
}

const struct hostile_kind hostile_images[] = {
    {"symbol-overlaps.so", symbol_overlaps},
    {"layers.dump", jitdump_layers},
    {"sections.exe", pe_sections},
    {"debug-entries.exe", pe_debug_entries},
    {"unwind.exe", pe_unwind},
    {"exports.exe", pe_exports},
    {NULL, NULL},
};
