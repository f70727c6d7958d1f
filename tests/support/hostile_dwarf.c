#include "tests/support/hostile.h"

#include <stdlib.h>

#include "tests/support/dwarf_writer.h"
#include "tests/support/elf_writer.h"

/* DWARF of ELF files: everything is asked about the address 0x1000 and others
 * behind it. */

enum { BASE = 0x1000, CODE = 0x10000 };

/* A unit of DWARF 4 with all of the code; abbreviation 1 is its own. */
static struct blob *begin_unit(struct dwarf_parts *d)
{
    d->version = 4;
    DWARF_ABBREV(d, 1, DW_TAG_compile_unit, true, DW_AT_low_pc, DW_FORM_addr,
                 DW_AT_high_pc, DW_FORM_data4);
    dwarf_unit_begin(d);
    blob_pack(dwarf_info(d), "BQI", 1, BASE, CODE);
    return dwarf_info(d);
}

/* The file, of units whose lengths are set. */
static void put_file(struct dwarf_parts *d, struct blob *b)
{
    struct blob code = {0}, file;
    struct elf_part parts[DWARF_PARTS + 1] = {{".text", SHT_PROGBITS,
                                               SHF_ALLOC | SHF_EXECINSTR, BASE,
                                               &code, 0, 0}};
    size_t n = 1;

    blob_zero(&code, 64);
    blob_u8(dwarf_part(d, ".debug_str"), 0);
    blob_zero(dwarf_part(d, ".debug_ranges"), 16);
    for (size_t i = 0; i < DWARF_PARTS && d->parts[i].name; i++)
        parts[n++] = (struct elf_part){
            d->parts[i].name, SHT_PROGBITS, 0, 0, &d->parts[i].bytes, 0, 0};
    file = elf_of(parts, n);
    blob_bytes(b, file.data, file.len);
    free(file.data);
    free(code.data);
    dwarf_parts_release(d);
}

static void end_unit(struct dwarf_parts *d, struct blob *b)
{
    dwarf_unit_end(d);
    put_file(d, b);
}

/* An abbreviation of so many equal attributes. */
static void put_many(struct dwarf_parts *d, uint16_t form, size_t n)
{
    uint16_t *pairs = mem_new(2 * n, sizeof(*pairs));

    for (size_t i = 0; i < n; i++) {
        pairs[2 * i] = DW_AT_external;
        pairs[2 * i + 1] = form;
    }
    dwarf_abbrev(d, 2, DW_TAG_subprogram, false, pairs, 2 * n);
    free(pairs);
}

/* Attributes that take no bytes, of entries that take one. */
static void abbreviation_bomb(struct blob *b, size_t size)
{
    struct dwarf_parts d = {0};
    struct blob *info = begin_unit(&d);

    put_many(&d, DW_FORM_flag_present, size / 8);
    while (info->len < size / 2)
        blob_u8(info, 2);
    end_unit(&d, b);
}

/* Numbers that the abbreviation has, not its entries. */
static void many_attributes(struct blob *b, size_t size)
{
    struct dwarf_parts d = {0};
    struct blob *info = begin_unit(&d);

    put_many(&d, DW_FORM_implicit_const, size / 6);
    while (info->len < size / 2)
        blob_u8(info, 2);
    end_unit(&d, b);
}

static void put_lined(struct dwarf_parts *d)
{
    DWARF_ABBREV(d, 1, DW_TAG_compile_unit, false, DW_AT_low_pc, DW_FORM_addr,
                 DW_AT_high_pc, DW_FORM_data4, DW_AT_stmt_list,
                 DW_FORM_sec_offset);
}

/* Units of 64 bytes of code each; `abbrevs` and `lines` are how far the tables
 * of one begin behind those of the one before. */
static void put_units(struct dwarf_parts *d, size_t size, uint32_t abbrevs,
                      uint32_t lines)
{
    struct blob *info = dwarf_info(d);

    d->version = 4;
    for (uint32_t i = 0; info->len < size; i++) {
        d->abbrev_offset = i * abbrevs;
        dwarf_unit_begin(d);
        blob_pack(info, "BQII", 1, BASE + (uint64_t)i * 64, 64, i * lines);
        dwarf_unit_end(d);
    }
}

/* Every unit has the tables of abbreviations of all behind it. */
static void shared_abbreviations(struct blob *b, size_t size)
{
    struct dwarf_parts d = {0};

    while (dwarf_part(&d, ".debug_abbrev")->len < size / 2)
        put_lined(&d);
    put_units(&d, size / 2, 11, 0);
    put_file(&d, b);
}

/* Every unit has the same table of lines, which has a row for each byte. */
static void shared_lines(struct blob *b, size_t size)
{
    static const uint8_t operands[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    struct dwarf_parts d = {0};
    struct blob *lines = dwarf_part(&d, ".debug_line");

    put_lined(&d);
    put_units(&d, size / 2, 0, 0);
    blob_pack(lines, "IHIBBBBBB", 0, 4, 6 + sizeof(operands) + 6, 1, 1, 1, 0xFB,
              14, 13);
    blob_bytes(lines, operands, sizeof(operands));
    blob_bytes(lines, "\0a\0\0\0\0", 6);
    blob_pack(lines, "BBBQ", 0, 9, 2, BASE);
    while (lines->len < size / 2)
        blob_u8(lines, 0x21);
    blob_pack(lines, "BBB", 0, 1, 1);
    blob_set(lines, 0, lines->len - 4, 4);
    put_file(&d, b);
}

/* Entries with bounds and a name. */
static void put_bounded(struct dwarf_parts *d, unsigned code, uint16_t tag,
                        bool children)
{
    DWARF_ABBREV(d, code, tag, children, DW_AT_low_pc, DW_FORM_addr,
                 DW_AT_high_pc, DW_FORM_data4, DW_AT_name, DW_FORM_string);
}

static void put_entry(struct blob *info, uint8_t code, uint64_t low,
                      uint32_t n)
{
    blob_pack(info, "BQIBB", code, low, n, 'f', 0);
}

/* Calls inlined into each other, all of the same code. */
static void nested_calls(struct blob *b, size_t size)
{
    struct dwarf_parts d = {0};
    struct blob *info = begin_unit(&d);

    put_bounded(&d, 2, DW_TAG_subprogram, true);
    put_bounded(&d, 3, DW_TAG_inlined_subroutine, true);
    put_entry(info, 2, BASE, CODE);
    while (info->len < size)
        put_entry(info, 3, BASE, CODE);
    end_unit(&d, b);
}

/* Functions that all overlap. */
static void overlaps(struct blob *b, size_t size)
{
    struct dwarf_parts d = {0};
    struct blob *info = begin_unit(&d);

    put_bounded(&d, 2, DW_TAG_subprogram, false);
    for (uint32_t i = 0; info->len < size; i++)
        put_entry(info, 2, BASE + i % (CODE / 2), CODE - 2 * (i % (CODE / 2)));
    end_unit(&d, b);
}

/* Namespaces within each other, a function in each. */
static void nested_scopes(struct blob *b, size_t size)
{
    struct dwarf_parts d = {0};
    struct blob *info = begin_unit(&d);

    put_bounded(&d, 2, DW_TAG_subprogram, false);
    DWARF_ABBREV(&d, 3, DW_TAG_namespace, true, DW_AT_name, DW_FORM_string);
    for (uint32_t i = 0; info->len < size; i++) {
        blob_bytes(info, "\3n", 3);
        put_entry(info, 2, BASE + i, 1);
    }
    end_unit(&d, b);
}

/* Every function has the same long list of ranges. */
static void shared_ranges(struct blob *b, size_t size)
{
    struct dwarf_parts d = {0};
    struct blob *info = begin_unit(&d);
    struct blob *ranges = dwarf_part(&d, ".debug_ranges");

    DWARF_ABBREV(&d, 2, DW_TAG_subprogram, false, DW_AT_ranges,
                 DW_FORM_sec_offset, DW_AT_name, DW_FORM_string);
    while (info->len < size / 2)
        blob_pack(info, "BIBB", 2, 0, 'f', 0);
    for (uint64_t i = 0; ranges->len < size / 2; i++)
        blob_pack(ranges, "QQ", 2 * i, 2 * i + 1);
    end_unit(&d, b);
}

/* Functions whose names are the ends of one long one. */
static void shared_name(struct blob *b, size_t size)
{
    struct dwarf_parts d = {0};
    struct blob *info = begin_unit(&d);
    struct blob *strings = dwarf_part(&d, ".debug_str");

    DWARF_ABBREV(&d, 2, DW_TAG_subprogram, false, DW_AT_low_pc, DW_FORM_addr,
                 DW_AT_high_pc, DW_FORM_data4, DW_AT_name, DW_FORM_strp);
    for (uint32_t i = 0; info->len < size / 2; i++)
        blob_pack(info, "BQII", 2, BASE + i, 1, i);
    while (strings->len < size / 2)
        blob_u8(strings, 'n');
    end_unit(&d, b);
}

/* DWARF 5: functions whose names are found by a number in a table, which all
 * lead into one long text; the table begins where the file says, every second
 * function has a number beyond it. */
static void string_offsets(struct blob *b, size_t size)
{
    struct dwarf_parts d = {.version = 5};
    struct blob *info = dwarf_info(&d), *strings = dwarf_part(&d, ".debug_str");
    struct blob *offsets = dwarf_part(&d, ".debug_str_offsets");

    DWARF_ABBREV(&d, 1, DW_TAG_compile_unit, true, DW_AT_str_offsets_base,
                 DW_FORM_sec_offset, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc,
                 DW_FORM_data4);
    DWARF_ABBREV(&d, 2, DW_TAG_subprogram, false, DW_AT_low_pc, DW_FORM_addr,
                 DW_AT_high_pc, DW_FORM_data4, DW_AT_name, DW_FORM_strx4);
    dwarf_unit_begin(&d);
    blob_pack(info, "BIQI", 1, 1, BASE, CODE);
    for (uint32_t i = 0; info->len < size / 2; i++)
        blob_pack(info, "BQII", 2, BASE + i, 1, i % 2 ? UINT32_MAX - i : i);
    for (uint32_t i = 0; offsets->len < size / 4; i++)
        blob_u32(offsets, i << 8); /* read from the byte behind */
    while (strings->len < size / 4)
        blob_u8(strings, 'n');
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
