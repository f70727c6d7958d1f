/* Names that an entry has by reference, by linkage and by its scopes. */
#include "symbols/dwarf/dwarf.h"

#include "tests/support/dwarf_names.h"

enum { UNIT = 1, FUNCTION, NAMED, SCOPE };

/* A function that has its name by so many references, the first in a form
 * that is given. */
static void check_reference(uint16_t form, unsigned width, unsigned hops,
                            bool good)
{
    struct dwarf_parts d = {.version = 4};
    struct blob *info = dwarf_info(&d);
    uint64_t at;

    DWARF_ABBREV(&d, UNIT, DW_TAG_compile_unit, true, DW_AT_language,
                 DW_FORM_data1);
    DWARF_ABBREV(&d, NAMED, DW_TAG_subprogram, false, DW_AT_name,
                 DW_FORM_string);
    DWARF_ABBREV(&d, FUNCTION, DW_TAG_subprogram, false, DW_AT_low_pc,
                 DW_FORM_addr, DW_AT_high_pc, DW_FORM_data1,
                 DW_AT_abstract_origin, form);
    DWARF_ABBREV(&d, SCOPE, DW_TAG_subprogram, false, DW_AT_specification,
                 DW_FORM_ref4);
    dwarf_unit_begin(&d);
    blob_bytes(info, "\1\4", 2);
    at = info->len - d.unit;
    blob_u8(info, NAMED);
    dwarf_string(info, "origin");
    for (unsigned i = 1; i < hops; i++) {
        size_t here = info->len - d.unit;

        blob_pack(info, "BI", SCOPE, (uint32_t)at);
        at = here;
    }
    blob_pack(info, "BQB", FUNCTION, LOW, 0x10);
    if (width)
        blob_number(info, at, width);
    else
        dwarf_uleb(info, at);
    blob_u8(info, 0);
    dwarf_unit_end(&d);
    check_names(&d, good ? "origin" : "?", "", "a reference");
}

TEST(references)
{
    check_reference(DW_FORM_ref1, 1, 1, true);
    check_reference(DW_FORM_ref2, 2, 1, true);
    check_reference(DW_FORM_ref4, 4, 1, true);
    check_reference(DW_FORM_ref8, 8, 1, true);
    check_reference(DW_FORM_ref_udata, 0, 1, true);
    check_reference(DW_FORM_ref_addr, 4, 1, true);
    check_reference(DW_FORM_data4, 4, 1, false);
    check_reference(DW_FORM_GNU_ref_alt, 4, 1, false);
    check_reference(DW_FORM_ref4, 4, 15, true);
    check_reference(DW_FORM_ref4, 4, 16, false);
}

/* References into another unit, to its first and behind its last entry. */
TEST(other_units)
{
    static const struct {
        int back; /* from the end of the other unit */
        const char *name;
    } rows[] = {{5, "far"}, {1, "?"}, {0, "?"}, {-4, "?"}};

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct dwarf_parts d = {.version = 3};
        struct blob *info = dwarf_info(&d);

        DWARF_ABBREV(&d, UNIT, DW_TAG_compile_unit, true, DW_AT_language,
                     DW_FORM_data1);
        DWARF_ABBREV(&d, NAMED, DW_TAG_subprogram, false, DW_AT_name,
                     DW_FORM_string);
        DWARF_ABBREV(&d, FUNCTION, DW_TAG_subprogram, false, DW_AT_low_pc,
                     DW_FORM_addr, DW_AT_high_pc, DW_FORM_data1,
                     DW_AT_abstract_origin, DW_FORM_ref_addr);
        dwarf_unit_begin(&d);
        blob_bytes(info, "\1\4\3", 3);
        info->data[info->len - 1] = NAMED;
        dwarf_string(info, "far");
        dwarf_unit_end(&d);
        dwarf_unit_begin(&d);
        blob_bytes(info, "\1\4", 2);
        blob_pack(info, "BQBI", FUNCTION, LOW, 0x10,
                  (uint32_t)((int)d.unit - rows[i].back));
        dwarf_unit_end(&d);
        check_names(&d, rows[i].name, "", "another unit");
    }
}

/* ---- which name ---- */

static void check_linkage(uint16_t attribute, const char *linkage,
                          const char *want, bool want_plain)
{
    struct dwarf_parts d = {.version = 4};
    struct blob *info = dwarf_info(&d);
    struct debug_frame f[2];
    struct dwarf *dwarf;
    bool plain;

    DWARF_ABBREV(&d, UNIT, DW_TAG_compile_unit, true, DW_AT_language,
                 DW_FORM_data1);
    DWARF_ABBREV(&d, FUNCTION, DW_TAG_subprogram, false, DW_AT_name,
                 DW_FORM_string, attribute, DW_FORM_string, DW_AT_low_pc,
                 DW_FORM_addr, DW_AT_high_pc, DW_FORM_data1);
    dwarf_unit_begin(&d);
    blob_bytes(info, "\1\4\2", 3);
    dwarf_string(info, "simple");
    dwarf_string(info, linkage);
    blob_pack(info, "QBB", LOW, 0x10, 0);
    dwarf_unit_end(&d);
    dwarf = open_parts(&d);
    ck_assert_uint_eq(dwarf_frames(dwarf, LOW, f, 2, &plain), 1);
    ck_assert_str_eq(f[0].function, want);
    ck_assert(plain == want_plain);
    ck_assert(!f[0].inlined);
    ck_assert_uint_eq(dwarf_frames(dwarf, LOW, f, 0, &plain), 0);
    ck_assert_uint_eq(dwarf_frames(dwarf, LOW + 0xF, f, 1, &plain), 1);
    ck_assert_uint_eq(dwarf_frames(dwarf, LOW + 0x10, f, 1, &plain), 0);
    dwarf_close(dwarf);
    dwarf_parts_release(&d);
}

TEST(linkage_names)
{
    check_linkage(DW_AT_linkage_name, "_Z6simplev", "_Z6simplev", false);
    check_linkage(DW_AT_MIPS_linkage_name, "_Z6simplev", "_Z6simplev", false);
    check_linkage(DW_AT_linkage_name, "", "simple", true);
    check_linkage(DW_AT_producer, "else", "simple", true);
}

/* A function in so many scopes; the innermost may have no name. */
static struct dwarf_parts nested(uint16_t tag, unsigned depth, size_t length,
                                 bool inner_name)
{
    struct dwarf_parts d = {.version = 4};
    struct blob *info = dwarf_info(&d);

    DWARF_ABBREV(&d, UNIT, DW_TAG_compile_unit, true, DW_AT_language,
                 DW_FORM_data1);
    DWARF_ABBREV(&d, FUNCTION, DW_TAG_subprogram, false, DW_AT_name,
                 DW_FORM_string, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc,
                 DW_FORM_data1);
    DWARF_ABBREV(&d, SCOPE, DW_TAG_namespace, true, DW_AT_name, DW_FORM_string);
    DWARF_ABBREV(&d, NAMED, tag, true, DW_AT_decl_line, DW_FORM_data1);
    dwarf_unit_begin(&d);
    blob_bytes(info, "\1\4", 2);
    for (unsigned i = 0; i < depth; i++) {
        bool named = i + 1 < depth || inner_name;

        blob_u8(info, named ? SCOPE : NAMED);
        for (size_t n = 0; named && n < length; n++)
            blob_u8(info, (uint8_t)('a' + i % 26));
        blob_u8(info, named ? 0 : 7);
    }
    blob_u8(info, FUNCTION);
    dwarf_string(info, "f");
    blob_pack(info, "QB", LOW, 0x10);
    blob_zero(info, depth + 1);
    dwarf_unit_end(&d);
    return d;
}

TEST(scopes)
{
    static const uint16_t classes[] = {DW_TAG_structure_type, DW_TAG_class_type,
                                       DW_TAG_union_type, DW_TAG_interface_type,
                                       DW_TAG_module};
    struct dwarf_parts d = nested(DW_TAG_namespace, 2, 2, true);
    char want[200] = "", *at = want;

    check_names(&d, "aa::bb::f", "", "two namespaces");
    d = nested(DW_TAG_namespace, 2, 1, false);
    check_names(&d, "a::(anonymous namespace)::f", "", "one without a name");
    for (size_t i = 0; i < COUNT(classes); i++) {
        d = nested(classes[i], 2, 1, false);
        check_names(&d, "a::(anonymous class)::f", "", "a class");
    }
    d = nested(DW_TAG_lexical_block, 2, 1, false);
    check_names(&d, "a::f", "", "a block");
    /* Of more than 32 the outermost are left out. */
    for (unsigned i = 2; i < 34; i++)
        at += sprintf(at, "%c::", 'a' + i % 26);
    strcpy(at, "f");
    d = nested(DW_TAG_namespace, 34, 1, true);
    check_names(&d, want, "", "34 namespaces");
}

/* Names of more than 4095 bytes go without their scopes. */
TEST(long_scopes)
{
    struct dwarf_parts d = nested(DW_TAG_namespace, 1, 4095 - 3, true);
    struct dwarf *dwarf = open_parts(&d);

    ck_assert_uint_eq(strlen(name_at(dwarf, LOW)), 4095);
    dwarf_close(dwarf);
    dwarf_parts_release(&d);
    d = nested(DW_TAG_namespace, 1, 4096 - 3, true);
    check_names(&d, "f", "", "too long a scope");
}
