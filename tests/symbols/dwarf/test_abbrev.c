/* Abbreviations by their codes, in whatever order the table has them. */
#include "symbols/dwarf/abbrev.h"

#include <libdwarf/dwarf.h>

#include "engine/model/profile.h"
#include "tests/support/nettrace_writer.h"
#include "tests/support/suite.h"

static const uint8_t unsorted[] = {
    0xFF, /* of another unit */
    9, DW_TAG_variable, 0, DW_AT_name, DW_FORM_string, 0, 0,
    2, DW_TAG_subprogram, 1, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc,
    DW_FORM_data8, 0, 0,
    0xAC, 2, DW_TAG_inlined_subroutine, 0, DW_AT_call_line,
    DW_FORM_implicit_const, 0x7F, 0, 0, /* code 300, constant -1 */
    1, DW_TAG_compile_unit, 1, 0, 0,
    0, /* the end */
    3, DW_TAG_member, 0, 0, 0,
};

enum { TABLE_BYTES = 1 + 7 + 9 + 9 + 5 + 1 };

static const struct {
    uint64_t code;
    uint16_t tag;
    bool children;
    uint32_t count;
} rows[] = {
    {1, DW_TAG_compile_unit, true, 0},
    {2, DW_TAG_subprogram, true, 2},
    {9, DW_TAG_variable, false, 1},
    {300, DW_TAG_inlined_subroutine, false, 1},
};

START_TEST(codes_in_any_order)
{
    uint64_t used;
    struct abbrevs *table =
        abbrevs_new((struct bytes){unsorted, sizeof(unsorted)}, 1, &used);
    const struct abbrev *a;

    ck_assert_uint_eq(used, TABLE_BYTES - 1);
    ck_assert_uint_eq(table->all.len, 4);
    for (size_t i = 0; i < 4; i++) {
        a = abbrevs_find(table, rows[i].code);
        ck_assert_ptr_nonnull(a);
        ck_assert_uint_eq(a->tag, rows[i].tag);
        ck_assert(a->children == rows[i].children);
        ck_assert_uint_eq(a->count, rows[i].count);
    }
    ck_assert_int_eq(table->attributes.data[a->first].constant, -1);
    ck_assert_ptr_null(abbrevs_find(table, 3));
    ck_assert_ptr_null(abbrevs_find(table, 0));
    ck_assert_ptr_null(abbrevs_find(table, 301));
    abbrevs_free(table);
}
END_TEST

/* An abbreviation of `n` attributes that take no bytes; how many are gone
 * through for each of its entries, NO_ID: it is not read. */
static uint32_t attributes_of(uint8_t form, unsigned n)
{
    byte_vec bytes = {0};
    uint64_t used;
    struct abbrevs *table;
    const struct abbrev *a;
    uint32_t count;

    put_bytes(&bytes, (const uint8_t[]){1, DW_TAG_variable, 0}, 3);
    for (unsigned i = 0; i < n; i++)
        put_bytes(&bytes, (const uint8_t[]){DW_AT_external, form, 0},
                  form == DW_FORM_implicit_const ? 3 : 2);
    put_bytes(&bytes, (const uint8_t[]){0, 0, 0}, 3);
    table = abbrevs_new((struct bytes){bytes.data, bytes.len}, 0, &used);
    a = abbrevs_find(table, 1);
    count = a ? a->count : NO_ID;
    abbrevs_free(table);
    vec_release(&bytes);
    return count;
}

START_TEST(attributes_without_bytes)
{
    ck_assert_uint_eq(attributes_of(DW_FORM_flag_present, 3), 0);
    ck_assert_uint_eq(attributes_of(DW_FORM_flag_present, 100000), 0);
    ck_assert_uint_eq(attributes_of(DW_FORM_implicit_const, 255), 255);
    ck_assert_uint_eq(attributes_of(DW_FORM_implicit_const, 100000), NO_ID);
}
END_TEST

int main(void)
{
    return suite_run("abbreviations", codes_in_any_order,
                     attributes_without_bytes);
}
