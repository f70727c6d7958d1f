/* Abbreviations by their codes, in whatever order the table has them. */
#include "symbols/dwarf/abbrev.h"

#include <libdwarf/dwarf.h>

#include "tests/support/nettrace_writer.h"
#include "tests/support/suite.h"

static const struct value_sizes usual = {5, 8, 4};

/* True if an abbreviation with `n` attributes that take no bytes is read.
 * `count`: the attributes that are read for each of its entries. */
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
        *count = a->count;
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
