#include "tests/support/hostile.h"

#include <libdwarf/dwarf.h>
#include <stdlib.h>

#include "tests/support/elf_writer.h"
#include "tests/support/jitdump_writer.h"

/* Debug files: everything is asked about the address 0x1000. */

enum { BASE = 0x1000, CODE = 0x10000 };

struct dwarf_parts {
    struct blob info, abbrev, ranges, strings;
};

static void put_uleb(struct blob *b, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        blob_u8(b, (uint8_t)(value | 0x80));
    blob_u8(b, (uint8_t)value);
}

static void put_abbrev(struct dwarf_parts *d, unsigned code, unsigned tag,
                       bool children, const uint16_t (*attributes)[2], size_t n)
{
    put_uleb(&d->abbrev, code);
    put_uleb(&d->abbrev, tag);
    blob_u8(&d->abbrev, children);
    for (size_t i = 0; i < n; i++) {
        put_uleb(&d->abbrev, attributes[i][0]);
        put_uleb(&d->abbrev, attributes[i][1]);
    }
    blob_u16(&d->abbrev, 0);
}

/* A unit of DWARF 4 with all of the code; abbreviation 1 is its own. */
static void begin_unit(struct dwarf_parts *d)
{
    static const uint16_t unit[][2] = {{DW_AT_low_pc, DW_FORM_addr},
                                       {DW_AT_high_pc, DW_FORM_data4}};

    blob_u32(&d->info, 0);
    blob_u16(&d->info, 4);
    blob_u32(&d->info, 0);
    blob_u8(&d->info, 8);
    put_abbrev(d, 1, DW_TAG_compile_unit, true, unit, 2);
    blob_u8(&d->info, 1);
    blob_u64(&d->info, BASE);
    blob_u32(&d->info, CODE);
}

static void end_unit(struct dwarf_parts *d, struct blob *b)
{
    struct blob code = {0}, file;

    blob_set(&d->info, 0, d->info.len - 4, 4);
    blob_u8(&d->abbrev, 0);
    blob_u8(&d->strings, 0);
    blob_zero(&d->ranges, 16);
    blob_zero(&code, 64);
    file = elf_of(
        (struct elf_part[]){
            {".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, BASE, &code, 0,
             0},
            {".debug_info", SHT_PROGBITS, 0, 0, &d->info, 0, 0},
            {".debug_abbrev", SHT_PROGBITS, 0, 0, &d->abbrev, 0, 0},
            {".debug_ranges", SHT_PROGBITS, 0, 0, &d->ranges, 0, 0},
            {".debug_str", SHT_PROGBITS, 0, 0, &d->strings, 0, 0}},
        5);
    blob_bytes(b, file.data, file.len);
    free(file.data);
    free(code.data);
    free(d->info.data);
    free(d->abbrev.data);
    free(d->ranges.data);
    free(d->strings.data);
}

/* Attributes that take no bytes, of entries that take one. */
static void abbreviation_bomb(struct blob *b, size_t size)
{
    struct dwarf_parts d = {0};
    uint16_t(*many)[2] = mem_new(size / 8, sizeof(*many));

    for (size_t i = 0; i < size / 8; i++) {
        many[i][0] = DW_AT_external;
        many[i][1] = DW_FORM_flag_present;
    }
    begin_unit(&d);
    put_abbrev(&d, 2, DW_TAG_subprogram, false, many, size / 8);
    while (d.info.len < size / 2)
        blob_u8(&d.info, 2);
    end_unit(&d, b);
    free(many);
}

static const uint16_t bounds[][2] = {{DW_AT_low_pc, DW_FORM_addr},
                                     {DW_AT_high_pc, DW_FORM_data4},
                                     {DW_AT_name, DW_FORM_string}};

static void put_entry(struct dwarf_parts *d, unsigned code, uint64_t low,
                      uint32_t n)
{
    put_uleb(&d->info, code);
    blob_u64(&d->info, low);
    blob_u32(&d->info, n);
    blob_bytes(&d->info, "f", 2);
}

/* Calls inlined into each other, all of the same code. */
static void nested_calls(struct blob *b, size_t size)
{
    struct dwarf_parts d = {0};

    begin_unit(&d);
    put_abbrev(&d, 2, DW_TAG_subprogram, true, bounds, 3);
    put_abbrev(&d, 3, DW_TAG_inlined_subroutine, true, bounds, 3);
    put_entry(&d, 2, BASE, CODE);
    while (d.info.len < size)
        put_entry(&d, 3, BASE, CODE);
    end_unit(&d, b);
}

/* Functions that all overlap. */
static void overlaps(struct blob *b, size_t size)
{
    struct dwarf_parts d = {0};

    begin_unit(&d);
    put_abbrev(&d, 2, DW_TAG_subprogram, false, bounds, 3);
    for (uint32_t i = 0; d.info.len < size; i++)
        put_entry(&d, 2, BASE + i % (CODE / 2), CODE - 2 * (i % (CODE / 2)));
    end_unit(&d, b);
}

/* Namespaces within each other, a function in each. */
static void nested_scopes(struct blob *b, size_t size)
{
    static const uint16_t name[][2] = {{DW_AT_name, DW_FORM_string}};
    struct dwarf_parts d = {0};

    begin_unit(&d);
    put_abbrev(&d, 2, DW_TAG_subprogram, false, bounds, 3);
    put_abbrev(&d, 3, DW_TAG_namespace, true, name, 1);
    for (uint32_t i = 0; d.info.len < size; i++) {
        put_uleb(&d.info, 3);
        blob_bytes(&d.info, "n", 2);
        put_entry(&d, 2, BASE + i, 1);
    }
    end_unit(&d, b);
}

/* Every function has the same long list of ranges. */
static void shared_ranges(struct blob *b, size_t size)
{
    static const uint16_t listed[][2] = {{DW_AT_ranges, DW_FORM_sec_offset},
                                         {DW_AT_name, DW_FORM_string}};
    struct dwarf_parts d = {0};

    begin_unit(&d);
    put_abbrev(&d, 2, DW_TAG_subprogram, false, listed, 2);
    while (d.info.len < size / 2) {
        put_uleb(&d.info, 2);
        blob_u32(&d.info, 0);
        blob_bytes(&d.info, "f", 2);
    }
    for (uint64_t i = 0; d.ranges.len < size / 2; i++) {
        blob_u64(&d.ranges, 2 * i);
        blob_u64(&d.ranges, 2 * i + 1);
    }
    end_unit(&d, b);
}

/* Functions whose names are the ends of one long one. */
static void shared_name(struct blob *b, size_t size)
{
    static const uint16_t by_offset[][2] = {{DW_AT_low_pc, DW_FORM_addr},
                                            {DW_AT_high_pc, DW_FORM_data4},
                                            {DW_AT_name, DW_FORM_strp}};
    struct dwarf_parts d = {0};

    begin_unit(&d);
    put_abbrev(&d, 2, DW_TAG_subprogram, false, by_offset, 3);
    for (uint32_t i = 0; d.info.len < size / 2; i++) {
        put_uleb(&d.info, 2);
        blob_u64(&d.info, BASE + i);
        blob_u32(&d.info, 1);
        blob_u32(&d.info, i);
    }
    while (d.strings.len < size / 2)
        blob_u8(&d.strings, 'n');
    end_unit(&d, b);
}

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
    blob_zero(b, 58);
    blob_u32(b, 64);
    blob_bytes(b, "PE\0", 4);
    blob_u16(b, 0x8664);
    blob_u16(b, (uint16_t)sections);
    blob_zero(b, 12);
    blob_u16(b, 240);
    blob_u16(b, 0);
    blob_u16(b, 0x20B);
    blob_zero(b, 54);
    blob_u32(b, 0x10000000); /* size of the image */
    blob_u32(b, HEADERS);
    blob_zero(b, 44);
    blob_u32(b, 16);
    for (unsigned i = 0; i < 16; i++) {
        blob_u32(b, i == which ? FIRST : 0);
        blob_u32(b, i == which ? (uint32_t)bytes->len : 0);
    }
    for (unsigned i = 0; i < sections; i++) {
        bool last = i + 1 == sections;

        blob_zero(b, 8);
        blob_u32(b, last ? (uint32_t)bytes->len : 1);
        blob_u32(b, last ? FIRST : 0x8000000 + i);
        blob_u32(b, last ? (uint32_t)bytes->len : 1);
        blob_u32(b, (uint32_t)at);
        blob_zero(b, 12);
        blob_u32(b, 0x60000020);
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

/* Entries of unwind information that all continue each other. */
static void pe_unwind(struct blob *b, size_t size)
{
    struct blob table = {0};

    for (uint32_t i = 0; table.len < size; i++) {
        blob_u32(&table, 0x1000 + i);
        blob_u32(&table, 0x10000000);
        blob_u32(&table, (FIRST + 12 * (i + 1)) | 1);
    }
    put_pe(b, 1, 3, &table);
    free(table.data);
}

/* Exports that all have the same long name. */
static void pe_exports(struct blob *b, size_t size)
{
    struct blob table = {0};
    uint32_t n = (uint32_t)(size / 20), text = 40 + 10 * n;

    blob_zero(&table, 20);
    blob_u32(&table, n);
    blob_u32(&table, n);
    blob_u32(&table, FIRST + 40);
    blob_u32(&table, FIRST + 40 + 4 * n);
    blob_u32(&table, FIRST + 40 + 8 * n);
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
    {"abbreviation-bomb.so", abbreviation_bomb},
    {"nested-calls.so", nested_calls},
    {"overlaps.so", overlaps},
    {"nested-scopes.so", nested_scopes},
    {"shared-ranges.so", shared_ranges},
    {"shared-name.so", shared_name},
    {"symbol-overlaps.so", symbol_overlaps},
    {"layers.dump", jitdump_layers},
    {"sections.exe", pe_sections},
    {"unwind.exe", pe_unwind},
    {"exports.exe", pe_exports},
    {NULL, NULL},
};
