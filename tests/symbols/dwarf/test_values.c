/* What attributes say in each of their forms, in units made byte by byte. */
#include "symbols/dwarf/dwarf.h"
#include "tests/support/cells.h"
#include "tests/support/dwarf_writer.h"

enum { LOW = 0x1000 };

/* Of an address: "" when there is nothing, "?" for code without a name. */
static const char *name_at(struct dwarf *dwarf, uint64_t address)
{
    struct debug_frame f[4];
    bool plain;
    size_t n = dwarf_frames(dwarf, address, f, 4, &plain);

    return !n ? "" : f[n - 1].function ? f[n - 1].function : "?";
}

static struct dwarf *open_parts(struct dwarf_parts *d)
{
    struct dwarf_source source = dwarf_source_of(d);
    struct err err = {0};

    return dwarf_open(&source, &err);
}

/* The names at LOW and 0x1000 behind it, then takes all of it away. */
static void check_names(struct dwarf_parts *d, const char *first,
                        const char *second, const char *what)
{
    struct dwarf *dwarf = open_parts(d);

    ck_assert_ptr_nonnull(dwarf);
    ck_assert_msg(!strcmp(name_at(dwarf, LOW), first), "%s: %s, not %s", what,
                  name_at(dwarf, LOW), first);
    ck_assert_msg(!strcmp(name_at(dwarf, LOW + 0x1000), second),
                  "%s: %s, not %s", what, name_at(dwarf, LOW + 0x1000), second);
    dwarf_close(dwarf);
    dwarf_parts_release(d);
}

enum {
    UNIT = 1,
    FUNCTION,
    VARIABLE,
    /* An index that takes three bytes; the last of its table. */
    LAST = 0x10002,
};

/* ---- attributes that are passed ---- */

enum { OFFSET = 100, ADDRESS, REFERENCE }; /* instead of a length */

struct form {
    uint16_t form;
    uint8_t n;
    uint8_t bytes[20];
};

#define FORMS "tests/symbols/dwarf/forms.cells"

static struct form form_of(const struct cells *row)
{
    static const char *const words[] = {"offset", "address", "reference"};
    struct form f = {.form = (uint16_t)cells_number(row, 0),
                     .n = (uint8_t)row->len[1]};

    ck_assert_uint_le(row->len[1], sizeof(f.bytes));
    memcpy(f.bytes, row->cell[1], row->len[1]);
    for (unsigned i = 0; i < COUNT(words); i++)
        if (!strncmp(row->cell[1], words[i], strlen(words[i]))) {
            f.n = (uint8_t)(OFFSET + i);
            f.bytes[0] = (uint8_t)atoi(row->cell[1] + strlen(words[i]));
        }
    return f;
}

static void put_form(struct dwarf_parts *d, const struct form *f)
{
    struct blob *info = dwarf_info(d);

    if (f->n == OFFSET || (f->n == REFERENCE && d->version > 2))
        dwarf_offset(d, info, 1);
    else if (f->n == ADDRESS || f->n == REFERENCE)
        blob_number(info, 1, d->address_size);
    else
        blob_bytes(info, f->bytes, f->n);
}

/* A unit whose entries have a value in this form before, between and behind
 * those that matter. */
static struct dwarf_parts unit_with(const struct form *f, uint16_t version,
                                    bool wide, uint8_t address_size)
{
    struct dwarf_parts d = {
        .version = version, .wide = wide, .address_size = address_size};
    struct blob *info = dwarf_info(&d);

    DWARF_ABBREV(&d, UNIT, DW_TAG_compile_unit, true, DW_AT_decl_file, f->form,
                 DW_AT_name, DW_FORM_string);
    DWARF_ABBREV(&d, FUNCTION, DW_TAG_subprogram, false, DW_AT_decl_file,
                 f->form, DW_AT_name, DW_FORM_string, DW_AT_decl_line, f->form,
                 DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data2,
                 DW_AT_type, f->form);
    DWARF_ABBREV(&d, VARIABLE, DW_TAG_variable, false, DW_AT_type, f->form);
    dwarf_unit_begin(&d);
    blob_u8(info, UNIT);
    put_form(&d, f);
    dwarf_string(info, "a.c");
    for (unsigned i = 0; i < 2; i++) {
        blob_u8(info, VARIABLE);
        put_form(&d, f);
        blob_u8(info, FUNCTION);
        put_form(&d, f);
        dwarf_string(info, i ? "second" : "first");
        put_form(&d, f);
        blob_number(info, LOW + 0x1000 * i,
                    address_size < 8 ? address_size : 8);
        blob_zero(info, address_size < 8 ? 0 : address_size - 8u);
        blob_u16(info, 0x10);
        put_form(&d, f);
    }
    blob_u8(info, 0);
    dwarf_unit_end(&d);
    return d;
}

static void check_passed(const struct cells *row)
{
    struct form f = form_of(row);

    for (uint16_t version = 2; version <= 5; version++)
        for (int wide = 0; wide < 2; wide++)
            for (uint8_t size = 4; size <= 8; size += 4) {
                struct dwarf_parts d = unit_with(&f, version, wide, size);

                check_names(&d, "first", "second", row->cell[3]);
            }
}

TEST(passed)
{
    cells_each(FORMS, "passed", check_passed);
}

static void check_not_passed(const struct cells *row)
{
    struct form f = form_of(row);
    struct dwarf_parts d = unit_with(&f, 4, false, 8);

    check_names(&d, "", "", row->cell[3]);
}

TEST(not_passed)
{
    cells_each(FORMS, "not_passed", check_not_passed);
}

/* A unit that is longer than the section is none; one without entries, and
 * what is no DWARF at all, too. */
TEST(cut_off)
{
    static const struct form none = {DW_FORM_flag_present, 0, {0}};
    struct dwarf_parts d = unit_with(&none, 5, true, 8);
    struct dwarf_source source = dwarf_source_of(&d);
    struct err err = {0};

    source.big_endian = true;
    ck_assert_ptr_null(dwarf_open(&source, &err));
    ck_assert_int_eq(err.code, ERR_UNSUPPORTED);
    dwarf_info(&d)->len--;
    ck_assert_ptr_null(open_parts(&d));
    dwarf_info(&d)->len = 0;
    dwarf_unit_begin(&d);
    dwarf_unit_end(&d);
    source.big_endian = false;
    err = (struct err){0};
    ck_assert_ptr_null(dwarf_open(&source, &err));
    ck_assert_int_eq(err.code, ERR_NOT_FOUND);
    dwarf_info(&d)->len = 0;
    ck_assert_ptr_null(open_parts(&d));
    dwarf_parts_release(&d);
}

/* ---- names and addresses ---- */

static const char strings[] = "zero\0one\0two\0three";

/* Tables of which some entries are set: index to offset, index to address. */
static void put_tables(struct dwarf_parts *d)
{
    unsigned width = dwarf_width(d);
    struct blob *str = dwarf_part(d, ".debug_str_offsets");
    struct blob *addr = dwarf_part(d, ".debug_addr");

    blob_bytes(dwarf_part(d, ".debug_str"), strings, sizeof(strings));
    blob_bytes(dwarf_part(d, ".debug_line_str"), strings, sizeof(strings));
    blob_zero(str, 8 + (size_t)(LAST + 1) * width);
    blob_set(str, 8 + 1 * (size_t)width, 5, width);
    blob_set(str, 8 + 0x102 * (size_t)width, 9, width);
    blob_set(str, 8 + LAST * (size_t)width, 13, width);
    blob_zero(addr, 8 + (size_t)(LAST + 1) * 8);
    blob_set(addr, 8 + 1 * 8, LOW, 8);
    blob_set(addr, 8 + 0x102 * 8, LOW, 8);
    blob_set(addr, 8 + (size_t)LAST * 8, LOW, 8);
}

/* One function at LOW, whose name and address are in these forms. */
static struct dwarf_parts function_of(const struct form *name,
                                      const struct form *low, bool wide)
{
    struct dwarf_parts d = {.version = 5, .wide = wide, .address_size = 8};
    struct blob *info = dwarf_info(&d);

    put_tables(&d);
    DWARF_ABBREV(&d, UNIT, DW_TAG_compile_unit, true, DW_AT_str_offsets_base,
                 DW_FORM_sec_offset, DW_AT_addr_base, DW_FORM_sec_offset);
    DWARF_ABBREV(&d, FUNCTION, DW_TAG_subprogram, false, DW_AT_name, name->form,
                 DW_AT_low_pc, low->form, DW_AT_high_pc, DW_FORM_udata);
    dwarf_unit_begin(&d);
    blob_u8(info, UNIT);
    dwarf_offset(&d, info, 8);
    dwarf_offset(&d, info, 8);
    blob_u8(info, FUNCTION);
    if (name->n == OFFSET)
        dwarf_offset(&d, info, name->bytes[0]);
    else
        put_form(&d, name);
    put_form(&d, low);
    blob_pack(info, "BB", 0x10, 0);
    dwarf_unit_end(&d);
    return d;
}

static const struct form low_plain = {
    DW_FORM_addr, 8, {0, 0x10, 0, 0, 0, 0, 0, 0}};
static const struct form name_plain = {DW_FORM_string, 6, "plain"};

static void check_name(const struct cells *row)
{
    struct form name = form_of(row);

    for (int wide = 0; wide < 2; wide++) {
        struct dwarf_parts d = function_of(&name, &low_plain, wide);

        check_names(&d, row->cell[2], "", row->cell[3]);
    }
}

TEST(names)
{
    cells_each(FORMS, "names", check_name);
}

static void check_address(const struct cells *row)
{
    struct form low = form_of(row);

    for (int wide = 0; wide < 2; wide++) {
        struct dwarf_parts d = function_of(&name_plain, &low, wide);

        check_names(&d, row->cell[2], "", row->cell[3]);
    }
}

TEST(addresses)
{
    cells_each(FORMS, "addresses", check_address);
}

/* A string of several hundred bytes, and one whose end is missing. */
TEST(long_strings)
{
    static const struct form first = {DW_FORM_strp, OFFSET, {0}};

    for (size_t n = 255; n <= 600; n++) {
        struct dwarf_parts d = {.version = 4};
        struct blob *str = dwarf_part(&d, ".debug_str");
        char text[601];

        memset(text, 'x', n);
        text[n] = '\0';
        d = function_of(&first, &low_plain, false);
        str = dwarf_part(&d, ".debug_str");
        str->len = 0;
        blob_bytes(str, text, n + 1);
        check_names(&d, text, "", "a long name");
        d = function_of(&first, &low_plain, false);
        str = dwarf_part(&d, ".debug_str");
        str->len = 0;
        blob_bytes(str, text, n);
        check_names(&d, "?", "", "a name without end");
    }
}
