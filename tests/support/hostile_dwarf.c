#include "tests/support/hostile.h"

#include <libdwarf/dwarf.h>
#include <stdlib.h>

#include "tests/support/elf_writer.h"

/* DWARF of ELF files: everything is asked about the address 0x1000 and others
 * behind it. */

enum { BASE = 0x1000, CODE = 0x10000 };

struct dwarf_parts {
    struct blob info, abbrev, ranges, strings, lines, offsets;
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

static void begin_header(struct dwarf_parts *d, uint32_t abbrevs)
{
    blob_pack(&d->info, "IHIB", 0, 4, abbrevs, 8);
}

/* A unit of DWARF 4 with all of the code; abbreviation 1 is its own. */
static void begin_unit(struct dwarf_parts *d)
{
    static const uint16_t unit[][2] = {{DW_AT_low_pc, DW_FORM_addr},
                                       {DW_AT_high_pc, DW_FORM_data4}};

    begin_header(d, 0);
    put_abbrev(d, 1, DW_TAG_compile_unit, true, unit, 2);
    blob_pack(&d->info, "BQI", 1, BASE, CODE);
}

/* The file, of units whose lengths are set. */
static void put_file(struct dwarf_parts *d, struct blob *b)
{
    struct blob code = {0}, file;

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
            {".debug_str", SHT_PROGBITS, 0, 0, &d->strings, 0, 0},
            {".debug_line", SHT_PROGBITS, 0, 0, &d->lines, 0, 0},
            {".debug_str_offsets", SHT_PROGBITS, 0, 0, &d->offsets, 0, 0}},
        7);
    blob_bytes(b, file.data, file.len);
    free(file.data);
    free(code.data);
    free(d->info.data);
    free(d->abbrev.data);
    free(d->ranges.data);
    free(d->strings.data);
    free(d->lines.data);
    free(d->offsets.data);
}

static void end_unit(struct dwarf_parts *d, struct blob *b)
{
    blob_set(&d->info, 0, d->info.len - 4, 4);
    put_file(d, b);
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

/* Numbers that the abbreviation has, not its entries. */
static void many_attributes(struct blob *b, size_t size)
{
    struct dwarf_parts d = {0};
    static const uint16_t name[][2] = {{DW_AT_name, DW_FORM_string}};

    begin_unit(&d);
    put_abbrev(&d, 3, DW_TAG_namespace, true, name, 1);
    put_uleb(&d.abbrev, 2);
    put_uleb(&d.abbrev, DW_TAG_subprogram);
    blob_u8(&d.abbrev, 0);
    while (d.abbrev.len < size / 2)
        blob_bytes(&d.abbrev,
                   (uint8_t[]){DW_AT_external, DW_FORM_implicit_const, 1}, 3);
    blob_u16(&d.abbrev, 0);
    while (d.info.len < size / 2)
        blob_u8(&d.info, 2);
    end_unit(&d, b);
}

/* Units of 64 bytes of code each; `abbrevs` and `lines` are how far the tables
 * of one begin behind those of the one before. */
static void put_units(struct dwarf_parts *d, size_t size, uint32_t abbrevs,
                      uint32_t lines)
{
    enum { UNIT = 11 + 17 };

    for (uint32_t i = 0; d->info.len < size; i++) {
        begin_header(d, i * abbrevs);
        blob_set(&d->info, d->info.len - 11, UNIT - 4, 4);
        blob_pack(&d->info, "BQII", 1, BASE + (uint64_t)i * 64, 64, i * lines);
    }
}

static const uint16_t with_lines[][2] = {{DW_AT_low_pc, DW_FORM_addr},
                                         {DW_AT_high_pc, DW_FORM_data4},
                                         {DW_AT_stmt_list, DW_FORM_sec_offset}};

/* Every unit has the tables of abbreviations of all behind it. */
static void shared_abbreviations(struct blob *b, size_t size)
{
    struct dwarf_parts d = {0};

    while (d.abbrev.len < size / 2)
        put_abbrev(&d, 1, DW_TAG_compile_unit, false, with_lines, 3);
    put_units(&d, size / 2, 11, 0);
    put_file(&d, b);
}

/* Every unit has the same table of lines, which has a row for each byte. */
static void shared_lines(struct blob *b, size_t size)
{
    static const uint8_t operands[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    struct dwarf_parts d = {0};

    put_abbrev(&d, 1, DW_TAG_compile_unit, false, with_lines, 3);
    put_units(&d, size / 2, 0, 0);
    blob_pack(&d.lines, "IHI", 0, 4, 6 + sizeof(operands) + 6);
    blob_bytes(&d.lines, (uint8_t[]){1, 1, 1, 0xFB, 14, 13}, 6);
    blob_bytes(&d.lines, operands, sizeof(operands));
    blob_bytes(&d.lines, "\0a\0\0\0\0", 6);
    blob_bytes(&d.lines, (uint8_t[]){0, 9, 2}, 3);
    blob_u64(&d.lines, BASE);
    while (d.lines.len < size / 2)
        blob_u8(&d.lines, 0x21);
    blob_bytes(&d.lines, (uint8_t[]){0, 1, 1}, 3);
    blob_set(&d.lines, 0, d.lines.len - 4, 4);
    put_file(&d, b);
}

static const uint16_t bounds[][2] = {{DW_AT_low_pc, DW_FORM_addr},
                                     {DW_AT_high_pc, DW_FORM_data4},
                                     {DW_AT_name, DW_FORM_string}};

static void put_entry(struct dwarf_parts *d, unsigned code, uint64_t low,
                      uint32_t n)
{
    put_uleb(&d->info, code);
    blob_pack(&d->info, "QI", low, n);
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
        blob_pack(&d.ranges, "QQ", 2 * i, 2 * i + 1);
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
        blob_pack(&d.info, "QII", BASE + i, 1, i);
    }
    while (d.strings.len < size / 2)
        blob_u8(&d.strings, 'n');
    end_unit(&d, b);
}

/* DWARF 5: functions whose names are found by a number in a table, which all
 * lead into one long text; the table begins where the file says, every second
 * function has a number beyond it. */
static void string_offsets(struct blob *b, size_t size)
{
    static const uint16_t unit[][2] = {
        {DW_AT_str_offsets_base, DW_FORM_sec_offset},
        {DW_AT_low_pc, DW_FORM_addr},
        {DW_AT_high_pc, DW_FORM_data4}};
    static const uint16_t indexed[][2] = {{DW_AT_low_pc, DW_FORM_addr},
                                          {DW_AT_high_pc, DW_FORM_data4},
                                          {DW_AT_name, DW_FORM_strx4}};
    struct dwarf_parts d = {0};

    blob_pack(&d.info, "IHHI", 0, 5, DW_UT_compile | 8 << 8, 0);
    put_abbrev(&d, 1, DW_TAG_compile_unit, true, unit, 3);
    put_abbrev(&d, 2, DW_TAG_subprogram, false, indexed, 3);
    blob_pack(&d.info, "BIQI", 1, 1, BASE, CODE);
    for (uint32_t i = 0; d.info.len < size / 2; i++) {
        put_uleb(&d.info, 2);
        blob_pack(&d.info, "QII", BASE + i, 1, i % 2 ? UINT32_MAX - i : i);
    }
    for (uint32_t i = 0; d.offsets.len < size / 4; i++)
        blob_u32(&d.offsets, i << 8); /* read from the byte behind */
    while (d.strings.len < size / 4)
        blob_u8(&d.strings, 'n');
    end_unit(&d, b);
}

const struct hostile_kind hostile_dwarf[] = {
    {"abbreviation-bomb.so", abbreviation_bomb},
    {"many-attributes.so", many_attributes},
    {"shared-abbreviations.so", shared_abbreviations},
    {"shared-lines.so", shared_lines},
    {"nested-calls.so", nested_calls},
    {"overlaps.so", overlaps},
    {"nested-scopes.so", nested_scopes},
    {"shared-ranges.so", shared_ranges},
    {"shared-name.so", shared_name},
    {"string-offsets.so", string_offsets},
    {NULL, NULL},
};
