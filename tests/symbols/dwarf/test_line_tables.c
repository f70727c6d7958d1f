/* Names of files in the tables of DWARF 5, in every form. */
#include "symbols/dwarf/dwarf.h"

#include "tests/support/dwarf_writer.h"
#include "tests/support/suite.h"

enum { UNIT = 1, LOW = 0x1000 };

static const char strings[] = "zero\0one";

/* A unit of the folder "/build" with a row at LOW, of file 1 in a table of
 * DWARF 5 whose columns are given; its folders are "/top" and "sub". */
static struct dwarf_parts lines_of(const uint8_t *columns, size_t n,
                                   const uint8_t *entries, size_t bytes)
{
    struct dwarf_parts d = {.version = 5};
    struct blob *info = dwarf_info(&d), *b = dwarf_part(&d, ".debug_line");
    size_t header, unit;

    DWARF_ABBREV(&d, UNIT, DW_TAG_compile_unit, false, DW_AT_comp_dir,
                 DW_FORM_string, DW_AT_stmt_list, DW_FORM_sec_offset,
                 DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data1,
                 DW_AT_str_offsets_base, DW_FORM_sec_offset);
    dwarf_unit_begin(&d);
    blob_u8(info, UNIT);
    dwarf_string(info, "/build");
    blob_pack(info, "IQBI", 0, LOW, 0x20, 0);
    dwarf_unit_end(&d);
    blob_bytes(dwarf_part(&d, ".debug_str"), strings, sizeof(strings));
    blob_bytes(dwarf_part(&d, ".debug_line_str"), strings, sizeof(strings));
    blob_pack(dwarf_part(&d, ".debug_str_offsets"), "II", 0, 5);
    unit = dwarf_length_begin(&d, b);
    blob_pack(b, "HH", 5, 8);
    header = dwarf_length_begin(&d, b);
    blob_bytes(b, (const uint8_t[]){1, 1, 1, 0, 1, 1}, 6);
    blob_bytes(b, (const uint8_t[]){1, DW_LNCT_path, DW_FORM_string, 2}, 4);
    blob_bytes(b, "/top\0sub", 9);
    blob_u8(b, (uint8_t)(n / 2));
    blob_bytes(b, columns, n);
    blob_u8(b, 2);
    blob_bytes(b, entries, bytes);
    dwarf_length_end(&d, b, header);
    blob_bytes(b, (const uint8_t[]){0, 9, DW_LNE_set_address}, 3);
    blob_u64(b, LOW);
    /* Opcodes from 1 are special: this header has no others. */
    blob_bytes(b, (const uint8_t[]){1, 0x21, 0, 1, DW_LNE_end_sequence}, 5);
    dwarf_length_end(&d, b, unit);
    return d;
}

static void check_file(struct dwarf_parts *d, const char *want)
{
    struct dwarf_source source = dwarf_source_of(d);
    struct err err = {0};
    struct dwarf *dwarf = dwarf_open(&source, &err);
    struct debug_frame f[2];
    bool plain;

    ck_assert_ptr_nonnull(dwarf);
    for (int again = 0; again < 2; again++) {
        ck_assert_uint_eq(dwarf_frames(dwarf, LOW, f, 2, &plain), 1);
        ck_assert_str_eq(f[0].file ? f[0].file : "", want);
    }
    dwarf_close(dwarf);
    dwarf_parts_release(d);
}

/* Of two files, of which the row names the second. */
TEST(file_forms)
{
    static const struct {
        uint8_t columns[6], n;
        uint8_t entries[60], bytes;
        const char *want;
    } rows[] = {
        {{1, DW_FORM_string}, 2, "a\0b", 4, "/top/b"},
        {{1, DW_FORM_line_strp}, 2, {0, 0, 0, 0, 5, 0, 0, 0}, 8, "/top/one"},
        {{1, DW_FORM_strp}, 2, {0, 0, 0, 0, 5, 0, 0, 0}, 8, "/top/one"},
        {{1, DW_FORM_strx}, 2, {0, 1}, 2, "/top/one"},
        {{1, DW_FORM_strx1}, 2, {0, 1}, 2, "/top/one"},
        {{1, DW_FORM_strx2}, 2, {0, 0, 1, 0}, 4, "/top/one"},
        {{1, DW_FORM_strx4}, 2, {0, 0, 0, 0, 1, 0, 0, 0}, 8, "/top/one"},
        {{1, DW_FORM_string, 2, DW_FORM_udata}, 4, "a\0\0b\0\1", 6,
         "/build/sub/b"},
        {{1, DW_FORM_string, 2, DW_FORM_data1}, 4, "a\0\0b\0\1", 6,
         "/build/sub/b"},
        {{2, DW_FORM_data2, 1, DW_FORM_string}, 4, "\0\0a\0\1\0b", 8,
         "/build/sub/b"},
        {{2, DW_FORM_data4, 1, DW_FORM_string}, 4, "\0\0\0\0a\0\1\0\0\0b", 12,
         "/build/sub/b"},
        {{2, DW_FORM_data8, 1, DW_FORM_string}, 4,
         "\0\0\0\0\0\0\0\0a\0\1\0\0\0\0\0\0\0b", 20, "/build/sub/b"},
        {{5, DW_FORM_data16, 1, DW_FORM_string}, 4,
         "0123456789ABCDEFa\0" "0123456789ABCDEFb", 36, "/top/b"},
        {{3, DW_FORM_block, 1, DW_FORM_string}, 4, "\2xya\0\1zb", 8, "/top/b"},
        {{1, DW_FORM_string, 2, DW_FORM_data1}, 4, "a\0\0b\0\2", 6,
         "/build/b"},
        {{1, DW_FORM_string}, 2, "a\0/b", 5, "/b"},
        {{1, DW_FORM_string}, 2, "a\0c:b", 6, "c:b"},
        {{1, DW_FORM_string}, 2, "a\0\\b", 5, "\\b"},
        {{1, DW_FORM_string}, 2, "a\0", 3, ""},
        {{1, DW_FORM_strp_sup}, 2, {0, 0, 0, 0, 5, 0, 0, 0}, 8, ""},
        {{1, DW_FORM_strx3}, 2, {0, 0, 0, 1, 0, 0}, 6, ""}, /* not known */
        {{3, DW_FORM_block, 1, DW_FORM_string}, 4, "\2xya\0\x7Fzb", 8, ""},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct dwarf_parts d =
            lines_of(rows[i].columns, rows[i].n, rows[i].entries,
                     rows[i].bytes);

        check_file(&d, rows[i].want);
    }
}
