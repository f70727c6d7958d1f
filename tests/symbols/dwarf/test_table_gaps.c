/* Address tables that leave code out: some units, from all over the file, tell
 * whether theirs does. */
#include "tests/support/dwarf_writer.h"
#include "tests/support/suite.h"

enum { UNIT = 1, FUNCTION = 2, UNITS = 18, SIZE = 0x10, NONE = UNITS };

/* Every other unit is looked at. */
enum { WITNESS = 2, OTHER = 3 };

/* One function each, at 0x1000 times their number, from 1 on; of one of them
 * the table has only `listed` bytes. */
static void make_units(struct dwarf_parts *d, uint64_t gap, uint64_t listed)
{
    struct blob *info = dwarf_info(d), *b;

    DWARF_ABBREV(d, UNIT, DW_TAG_compile_unit, true, DW_AT_language,
                 DW_FORM_data1);
    DWARF_ABBREV(d, FUNCTION, DW_TAG_subprogram, false, DW_AT_name,
                 DW_FORM_string, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc,
                 DW_FORM_data1);
    b = dwarf_part(d, ".debug_aranges");
    for (uint64_t i = 0; i < UNITS; i++) {
        uint64_t low = 0x1000 * (i + 1);
        size_t at;

        dwarf_unit_begin(d);
        blob_bytes(info, "\1\2\2f", 5);
        blob_pack(info, "QBB", low, SIZE, 0);
        dwarf_unit_end(d);
        at = dwarf_length_begin(d, b);
        blob_pack(b, "HI", 2, (uint32_t)d->unit);
        blob_bytes(b, "\10\0\0\0\0\0", 6);
        blob_pack(b, "QQ16x", low, i == gap ? listed : SIZE);
        dwarf_length_end(d, b, at);
    }
}

static bool is_named(struct dwarf *dwarf, uint64_t address)
{
    struct debug_frame f[1];
    bool plain;

    return dwarf_frames(dwarf, address, f, 1, &plain) && f[0].function;
}

/* Whether the last byte of the function that is listed in part is found. */
static bool is_found(uint64_t gap, uint64_t listed)
{
    struct dwarf_parts d = {.version = 4};
    struct dwarf_source source;
    struct err err = {0};
    struct dwarf *dwarf;
    bool found;

    make_units(&d, gap, listed);
    source = dwarf_source_of(&d);
    dwarf = dwarf_open(&source, &err);
    ck_assert_ptr_nonnull(dwarf);
    for (uint64_t i = 0; i < UNITS; i++) {
        ck_assert(is_named(dwarf, 0x1000 * (i + 1)));
        ck_assert(!is_named(dwarf, 0x1000 * (i + 1) + SIZE));
    }
    found = gap == NONE || is_named(dwarf, 0x1000 * (gap + 1) + SIZE - 1);
    dwarf_close(dwarf);
    dwarf_parts_release(&d);
    return found;
}

TEST(gaps)
{
    ck_assert(is_found(NONE, SIZE));
    ck_assert(is_found(WITNESS, SIZE));
    ck_assert(is_found(WITNESS, SIZE - 1));
    ck_assert(is_found(WITNESS, 8));
    ck_assert(is_found(0, SIZE - 1));
    ck_assert(is_found(UNITS - 2, SIZE - 1));
    ck_assert(is_found(OTHER, SIZE));
    ck_assert(!is_found(OTHER, SIZE - 1)); /* nobody looked */
    ck_assert(!is_found(UNITS - 1, 8));
}
