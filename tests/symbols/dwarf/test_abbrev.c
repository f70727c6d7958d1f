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
    uint32_t count; /* of values that are asked for or tell their size */
    uint32_t size;
} rows[] = {
    {1, DW_TAG_compile_unit, true, 0, 0},
    {2, DW_TAG_subprogram, true, 2, 16},
    {9, DW_TAG_variable, false, 1, ABBREV_VARIES},
    {300, DW_TAG_inlined_subroutine, false, 1, 0},
};

static const struct value_sizes usual = {5, 8, 4};

TEST(codes_in_any_order)
{
    uint64_t used;
    struct abbrevs *table =
        abbrevs_new((struct bytes){unsorted, sizeof(unsorted)}, 1, usual,
                    &used);
    const struct abbrev *a;

    ck_assert_uint_eq(used, TABLE_BYTES - 1);
    ck_assert_uint_eq(table->all.len, 4);
    for (size_t i = 0; i < 4; i++) {
        a = abbrevs_find(table, rows[i].code);
        ck_assert_ptr_nonnull(a);
        ck_assert_uint_eq(a->tag, rows[i].tag);
        ck_assert(a->children == rows[i].children);
        ck_assert_uint_eq(a->all.count, rows[i].count);
        ck_assert_uint_eq(a->size, rows[i].size);
    }
    ck_assert_int_eq(table->values.data[a->walked.first].constant, -1);
    ck_assert_ptr_null(abbrevs_find(table, 3));
    ck_assert_ptr_null(abbrevs_find(table, 0));
    ck_assert_ptr_null(abbrevs_find(table, 301));
    abbrevs_free(table);
}

/* A walk asks a function where it is, a variable nothing: what is left passes
 * in one go. */
TEST(values_passed_together)
{
    static const uint8_t bytes[] = {
        1, DW_TAG_subprogram, 1, DW_AT_name, DW_FORM_strp, DW_AT_external,
        DW_FORM_flag_present, DW_AT_decl_line, DW_FORM_data2, DW_AT_low_pc,
        DW_FORM_addr, DW_AT_high_pc, DW_FORM_data8, DW_AT_frame_base,
        DW_FORM_exprloc, DW_AT_decl_file, DW_FORM_data1, 0, 0,
        2, DW_TAG_variable, 0, DW_AT_name, DW_FORM_strp, DW_AT_type,
        DW_FORM_ref_addr, DW_AT_low_pc, DW_FORM_addr, 0, 0,
        0,
    };
    static const struct value_sizes narrow = {2, 4, 4};
    static const struct {
        uint16_t name, before;
    } walked[] = {{DW_AT_low_pc, 6}, {DW_AT_high_pc, 0}, {0, 0}};
    uint64_t used;
    struct abbrevs *table =
        abbrevs_new((struct bytes){bytes, sizeof(bytes)}, 0, narrow, &used);
    const struct abbrev *a = abbrevs_find(table, 1);

    ck_assert(a->asked && a->ranges);
    ck_assert_uint_eq(a->all.count, 6);
    ck_assert_uint_eq(a->walked.count, 3);
    ck_assert_uint_eq(a->walked.behind, 1);
    for (size_t i = 0; i < 3; i++) {
        const struct abbrev_value *v =
            &table->values.data[a->walked.first + i];

        ck_assert_uint_eq(v->name, walked[i].name);
        ck_assert_uint_eq(v->before, walked[i].before);
    }
    a = abbrevs_find(table, 2);
    ck_assert(!a->asked);
    ck_assert_uint_eq(a->walked.count, 0);
    ck_assert_uint_eq(a->walked.behind, 12);
    ck_assert_uint_eq(a->size, 12);
    abbrevs_free(table);
}

/* Whether an abbreviation of `n` attributes that take no bytes is read, and
 * how many are gone through for each of its entries. */
static bool attributes_of(uint8_t form, unsigned n, uint32_t *count)
{
    byte_vec bytes = {0};
    uint64_t used;
    struct abbrevs *table;
    const struct abbrev *a;

    put_bytes(&bytes, (const uint8_t[]){1, DW_TAG_subprogram, 0}, 3);
    for (unsigned i = 0; i < n; i++)
        put_bytes(&bytes, (const uint8_t[]){DW_AT_call_line, form, 0},
                  form == DW_FORM_implicit_const ? 3 : 2);
    put_bytes(&bytes, (const uint8_t[]){0, 0, 0}, 3);
    table = abbrevs_new((struct bytes){bytes.data, bytes.len}, 0, usual, &used);
    a = abbrevs_find(table, 1);
    if (a)
        *count = a->walked.count;
    abbrevs_free(table);
    vec_release(&bytes);
    return a;
}

TEST(attributes_without_bytes)
{
    uint32_t n = 1;

    ck_assert(attributes_of(DW_FORM_flag_present, 3, &n) && n == 0);
    ck_assert(attributes_of(DW_FORM_flag_present, 100000, &n) && n == 0);
    ck_assert(attributes_of(DW_FORM_implicit_const, 255, &n) && n == 255);
    ck_assert(!attributes_of(DW_FORM_implicit_const, 100000, &n));
}
