/* Which name code has that debug information and the symbol table both know. */
#include <elf.h>

#include "symbols/debug.h"
#include "tests/support/dwarf_writer.h"
#include "tests/support/elf_writer.h"
#include "tests/support/suite.h"

enum { TEXT = 0x401000, SIZE = 0x40, UNIT = 1, FUNCTION, CALL };

/* A function at TEXT with a plain name or a linkage name, or none of it at
 * all, with a call inlined into it at its byte 8. */
static struct dwarf_parts information(const char *name, bool is_linkage,
                                      bool there)
{
    struct dwarf_parts d = {.version = 4};
    struct blob *info = dwarf_info(&d);

    DWARF_ABBREV(&d, UNIT, DW_TAG_compile_unit, true, DW_AT_language,
                 DW_FORM_data1);
    DWARF_ABBREV(&d, FUNCTION, DW_TAG_subprogram, true,
                 is_linkage ? DW_AT_linkage_name : DW_AT_name, DW_FORM_string,
                 DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data1);
    DWARF_ABBREV(&d, CALL, DW_TAG_inlined_subroutine, false, DW_AT_name,
                 DW_FORM_string, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc,
                 DW_FORM_data1);
    dwarf_unit_begin(&d);
    blob_bytes(info, "\1\4", 2);
    if (there) {
        blob_u8(info, FUNCTION);
        dwarf_string(info, name);
        blob_pack(info, "QBB", TEXT, SIZE, CALL);
        dwarf_string(info, "_inner");
        blob_pack(info, "QBB", TEXT + 8, 4, 0);
    }
    blob_u8(info, 0);
    dwarf_unit_end(&d);
    return d;
}

static struct blob file_of(struct dwarf_parts *d, const char *symbol)
{
    const Elf64_Sym entries[2] = {{0},
                                  {.st_name = 1,
                                   .st_info = STB_GLOBAL << 4 | STT_FUNC,
                                   .st_shndx = 1,
                                   .st_value = TEXT,
                                   .st_size = SIZE}};
    struct blob code = {0}, symbols = {0}, strings = {0}, file;

    blob_zero(&code, SIZE);
    blob_bytes(&symbols, entries, sizeof(entries[0]) * (symbol ? 2 : 1));
    blob_u8(&strings, 0);
    blob_bytes(&strings, symbol ? symbol : "",
               strlen(symbol ? symbol : "") + 1);
    file = elf_of(
        (struct elf_part[]){
            {".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TEXT, &code, 0,
             0},
            {".symtab", SHT_SYMTAB, 0, 0, &symbols, 3, sizeof(Elf64_Sym)},
            {".strtab", SHT_STRTAB, 0, 0, &strings, 0, 0},
            {".debug_info", SHT_PROGBITS, 0, 0, dwarf_info(d), 0, 0},
            {".debug_abbrev", SHT_PROGBITS, 0, 0,
             dwarf_part(d, ".debug_abbrev"), 0, 0}},
        5);
    free(code.data);
    free(symbols.data);
    free(strings.data);
    return file;
}

static const struct {
    const char *name; /* of debug information; NULL: it has none */
    bool is_linkage;
    const char *symbol, *want;
} rows[] = {
    {"work", false, "_Z4workv", "_Z4workv"},
    {"work", false, "_R4work", "_R4work"},
    {"work", false, "_D3fooZ", "_D3fooZ"},
    {"work", false, "_Dwork", "work"}, /* which is no name of D */
    {"work", false, "_D:", "work"},
    {"work", false, "_Cwork", "work"},
    {"work", false, "Z4work", "work"},
    {"work", false, "other", "work"},
    {"work", false, NULL, "work"},
    {"_open", false, "open", "open"},
    {"__open", false, "_open", "_open"},
    {"_open", false, "__open", "_open"},
    {"_open", false, "_other", "_open"},
    {"_open", false, "open.part.0", "_open"},
    {"__GI_open", false, "__open", "__open"},
    {"__GI_open", false, "open.cold", "__GI_open"},
    {"_Z4workv", true, "work", "_Z4workv"},
    {"_R4work", true, "work", "_R4work"},
    {"__GI_open", true, "open", "open"},
    {"_open", true, "_Z4openv", "_open"},
    {"work", true, "_Z4workv", "work"},
    {NULL, false, "by_hand", "by_hand"},
    {NULL, false, "_by_hand", "_by_hand"},
};

TEST(better_names)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct dwarf_parts d =
            information(rows[i].name, rows[i].is_linkage, rows[i].name != NULL);
        struct blob b = file_of(&d, rows[i].symbol);
        struct err err = {0};
        struct debug_file *file = debug_open("made", b.data, b.len, &err);
        struct debug_frame f[4];

        ck_assert_uint_eq(debug_frames(file, TEXT, f, 4), 1);
        ck_assert_msg(!strcmp(f[0].function, rows[i].want), "row %zu: %s", i,
                      f[0].function);
        ck_assert_uint_eq(debug_frames(file, TEXT + SIZE - 1, f, 4), 1);
        ck_assert_str_eq(f[0].function, rows[i].want);
        if (rows[i].name) { /* the function alone, not what is inlined */
            ck_assert_uint_eq(debug_frames(file, TEXT + 8, f, 4), 2);
            ck_assert_str_eq(f[0].function, "_inner");
            ck_assert(f[0].inlined && !f[1].inlined);
            ck_assert_str_eq(f[1].function, rows[i].want);
        }
        ck_assert_uint_eq(debug_frames(file, TEXT + SIZE, f, 4), 0);
        ck_assert_uint_eq(debug_frames(file, TEXT, f, 0), 0);
        ck_assert_uint_eq(debug_frames(file, UINT64_MAX, f, 4), 0);
        debug_close(file);
        dwarf_parts_release(&d);
        free(b.data);
    }
}

/* Calls that are inlined into code without a name. */
TEST(inlined_into_nothing)
{
    struct dwarf_parts d = information("", false, true);
    struct blob b = file_of(&d, NULL);
    struct err err = {0};
    struct debug_file *file = debug_open("made", b.data, b.len, &err);
    struct debug_frame f[4];

    ck_assert_uint_eq(debug_frames(file, TEXT, f, 4), 0);
    ck_assert_uint_eq(debug_frames(file, TEXT + 8, f, 4), 2);
    ck_assert_str_eq(f[0].function, "_inner");
    ck_assert_str_eq(f[1].function, "(unnamed)");
    debug_close(file);
    dwarf_parts_release(&d);
    free(b.data);
}
