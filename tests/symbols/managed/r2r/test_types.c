/* Types as signatures have them, in each style. */
#include "symbols/managed/r2r/types.h"

#include "symbols/managed/r2r/image.h"
#include "tests/support/code_scenario.h"
#include "tests/support/suite.h"

static const struct {
    uint8_t bytes[16];
    const char *full, *event, *map; /* NULL: malformed */
} types[] = {
    {{0x08}, "System.Int32", "int32", "int32"},
    {{0x1D, 0x05}, "System.Byte[]", "unsigned int8[]", "uint8[]"},
    {{0x10, 0x0F, 0x01}, "System.Void*&", "void*&", "void*&"},
    {{0x14, 0x0C, 3, 0, 0}, "System.Single[,,]", "float32[,,]", "float32[,,]"},
    {{0x14, 0x1C, 2, 1, 5, 2, 0, 0},
     "System.Object[,]",
     "class System.Object[,]",
     "object[,]"},
    {{0x13, 1}, "!1", "!1", "!1"},
    {{0x1E, 12}, "!!12", "!!12", "!!12"},
    {{0x11, 3 << 2},
     "Shop.Store+Key",
     "value class Key",
     "valuetype Shop.Store/Key"},
    {{0x15, 0x12, 4 << 2, 1, 0x15, 0x12, 4 << 2, 1, 0x0E},
     "Shop.List`1[Shop.List`1[System.String]]",
     "class Shop.List`1<class Shop.List`1<class System.String>>",
     "class Shop.List`1<class Shop.List`1<string>>"},
    {{0x20, 2 << 2, 0x08},
     "System.Int32",
     "optional_modifier Shop.Store int32",
     "int32 modopt(Shop.Store)"},
    {{0x1F, 2 << 2, 0x08},
     "System.Int32",
     "required_modifier Shop.Store int32",
     "int32 modreq(Shop.Store)"},
    {{0x1B, 0, 2, 0x01, 0x08, 0x1D, 0x02},
     "fnptr System.Void(System.Int32,System.Boolean[])",
     "fnptr void(int32,bool[])",
     "fnptr void(int32,bool[])"},
    {{0x01}, "System.Void", "void", "void"},
    {{0x02}, "System.Boolean", "bool", "bool"},
    {{0x03}, "System.Char", "wchar", "char"},
    {{0x04}, "System.SByte", "int8", "int8"},
    {{0x06}, "System.Int16", "int16", "int16"},
    {{0x07}, "System.UInt16", "unsigned int16", "uint16"},
    {{0x09}, "System.UInt32", "unsigned int32", "uint32"},
    {{0x0A}, "System.Int64", "int64", "int64"},
    {{0x0B}, "System.UInt64", "unsigned int64", "uint64"},
    {{0x0D}, "System.Double", "float64", "float64"},
    {{0x16}, "System.TypedReference", "refany", "typedref"},
    {{0x18}, "System.IntPtr", "int", "native int"},
    {{0x19}, "System.UIntPtr", "unsigned int", "native uint"},
    {{0x3E}, "System.__Canon", "class System.__Canon", "class System.__Canon"},
    {{0x3D, 0x03}, "System.Char", "wchar", "char"},
    {{0x88}, "System.Int32", "int32", "int32"}, /* its upper bit is a mark */
    {{0x14, 0x08, 1, 0, 1, 7}, "System.Int32[]", "int32[]", "int32[]"},
    {{0x14, 0x08, 2, 2, 5, 6, 2, 0, 0x81, 1},
     "System.Int32[,]",
     "int32[,]",
     "int32[,]"},
    {{0x15, 0x12, 4 << 2, 2, 0x08, 0x14, 0x08, 2, 0, 0},
     "Shop.List`1[System.Int32,System.Int32[,]]",
     "class Shop.List`1<int32,int32[,]>",
     "class Shop.List`1<int32,int32[,]>"},
    {{0x1B, 0x20, 0, 0x01},
     "fnptr instance System.Void()",
     "fnptr instance void()",
     "fnptr instance void()"},
    {{0x1B, 0x30, 1, 1, 0x01, 0x1E, 0},
     "fnptr instance generic System.Void(!!0)",
     "fnptr instance generic void(!!0)",
     "fnptr instance void(!!0)"},
    {{0x1B, 1, 0, 0x01},
     "fnptr unmanaged cdecl System.Void()",
     "fnptr unmanaged cdecl void()",
     "fnptr unmanaged cdecl void()"},
    {{0x1B, 2, 0, 0x01},
     "fnptr unmanaged stdcall System.Void()",
     "fnptr unmanaged stdcall void()",
     "fnptr unmanaged stdcall void()"},
    {{0x1B, 3, 0, 0x01},
     "fnptr unmanaged thiscall System.Void()",
     "fnptr unmanaged thiscall void()",
     "fnptr unmanaged thiscall void()"},
    {{0x1B, 4, 0, 0x01},
     "fnptr unmanaged fastcall System.Void()",
     "fnptr unmanaged fastcall void()",
     "fnptr unmanaged fastcall void()"},
    {{0x1B, 5, 2, 0x01, 0x08, 0x41, 0x08},
     "fnptr vararg System.Void(System.Int32,...,System.Int32)",
     "fnptr vararg void(int32,...,int32)",
     "fnptr vararg void(int32,...,int32)"},
    {{0x1B, 6, 0, 0x01}, "fnptr System.Void()", "fnptr void()", "fnptr void()"},
    {{0x1F, 9 << 2, 0x08}, "System.Int32", NULL, NULL}, /* no such row */
    {{0x1F, 2 << 2, 0x77}, NULL, NULL, NULL},
    {{0x20, 2 << 2, 0x77}, NULL, NULL, NULL},
    {{0x1D, 0x77}, NULL, NULL, NULL},
    {{0x14, 0x77, 1, 0, 0}, NULL, NULL, NULL},
    {{0x15, 0x77, 1, 0x08}, NULL, NULL, NULL},
    {{0x15, 0x12, 4 << 2, 1, 0x77}, NULL, NULL, NULL},
    {{0x1B, 0, 1, 0x77, 0x08}, NULL, NULL, NULL},
    {{0x1B, 0, 1, 0x08, 0x77}, NULL, NULL, NULL},
    {{0x40}, NULL, NULL, NULL},
    {{0x17}, NULL, NULL, NULL},
    {{0x45, 0x02}, "System.Boolean", "bool", "bool"},
    {{0x12, 9 << 2}, NULL, NULL, NULL}, /* no such row */
    {{0x12, 0}, NULL, NULL, NULL},
    {{0x12, 1 << 2 | 2}, NULL, NULL, NULL}, /* no such specification */
    {{0x3F, 1, 0x12, 8}, NULL, NULL, NULL}, /* no other modules here */
    {{0x77}, NULL, NULL, NULL},
};

static void check_type(const struct cli_tables *tables, const uint8_t *bytes,
                       size_t n, enum type_style style, const char *wanted)
{
    struct reader r = reader_of("type", bytes, n, 0, NULL);
    struct type_text text = {.len = 0};
    struct type_reader t = {
        .r = &r, .text = &text, .style = style, .own = tables};

    ck_assert_msg(type_read(&t, tables) == (wanted != NULL),
                  "%zu bytes from %02x, style %d", n, n ? *bytes : 0,
                  (int)style);
    if (wanted)
        ck_assert_msg(text.len == strlen(wanted) &&
                          !memcmp(text.data, wanted, text.len),
                      "%.*s, not %s", (int)text.len, text.data, wanted);
}

/* Cut off anywhere, a type is none. */
static void check_cut_off(const struct cli_tables *tables)
{
    static const struct {
        const char *bytes;
        size_t size;
    } rows[] = {{"\x1D\x05", 2},
                {"\x1F\x08\x08", 3},
                {"\x13\x01", 2},
                {"\x14\x08\x02\x01\x05\x01\x00", 7},
                {"\x15\x12\x10\x01\x08", 5},
                {"\x1B\x05\x02\x01\x08\x41\x08", 7}};

    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t n = 0; n < rows[i].size; n++)
            for (int style = TYPES_FULL; style <= TYPES_MAP; style++)
                check_type(tables, (const uint8_t *)rows[i].bytes, n,
                           (enum type_style)style, NULL);
}

/* The tables of an assembly, whose bytes must stay. */
static struct cli_tables tables_of(const byte_vec *bytes)
{
    struct r2r_image *image =
        r2r_open("Shop.dll", bytes->data, bytes->len, NULL);
    struct cli_tables tables;
    struct bytes metadata;
    const struct pe *pe;

    ck_assert_ptr_nonnull(image);
    pe = r2r_pe(image);
    metadata = pe_at(pe, pe->directories[PE_CLR].rva);
    metadata = pe_at(pe, load_u32(metadata.data + 8));
    ck_assert(!cli_tables_open(&tables, "Shop.dll", metadata.data, metadata.len,
                               NULL));
    r2r_close(image);
    return tables;
}

TEST(type_names)
{
    struct cli_tables tables;
    byte_vec bytes = {0};

    code_assembly(&bytes, false);
    tables = tables_of(&bytes);
    for (size_t i = 0; i < COUNT(types); i++) {
        check_type(&tables, types[i].bytes, sizeof(types[i].bytes), TYPES_FULL,
                   types[i].full);
        check_type(&tables, types[i].bytes, sizeof(types[i].bytes), TYPES_EVENT,
                   types[i].event);
        check_type(&tables, types[i].bytes, sizeof(types[i].bytes), TYPES_MAP,
                   types[i].map);
    }
    check_cut_off(&tables);
    vec_release(&bytes);
}

TEST(types_without_end)
{
    struct cli_tables tables = {.tables = {{0}}};
    uint8_t deep[100], wide[6000];

    memset(deep, 0x1D, sizeof(deep));
    check_type(&tables, deep, sizeof(deep), TYPES_FULL, NULL);
    /* Many arguments, whose names are longer than any name may be. */
    memset(wide, 0x08, sizeof(wide));
    memcpy(wide, "\x15\x0E\x97\x00", 4);
    check_type(&tables, wide, sizeof(wide), TYPES_FULL, NULL);
    check_type(&tables, wide, 10, TYPES_FULL, NULL);
}

static void check_row(const struct cli_tables *tables, uint32_t row,
                      const char *full, const char *map, const char *plain)
{
    struct type_text text[3] = {{.len = 0}};
    const char *want[] = {full, map, plain};

    ck_assert(type_row_full(&text[0], tables, CLI_TYPE, row) == !!full);
    ck_assert(type_row_map(&text[1], tables, CLI_TYPE, row) == !!full);
    ck_assert(type_row_plain(&text[2], tables, CLI_TYPE, row) == !!full);
    for (size_t i = 0; full && i < 3; i++) {
        ck_assert_uint_eq(text[i].len, strlen(want[i]));
        ck_assert_mem_eq(text[i].data, want[i], text[i].len);
    }
}

/* Characters that would end a name are escaped in the full one; the namespace
 * is that of the outermost type. */
TEST(names_of_rows)
{
    static const struct assembly_type list[] = {{"", "<Module>", 0, 0},
                                                {"A.B", "Outer", 0, 0},
                                                {"", "In,[]&*+\\ner", 2, 0},
                                                {"", "Inmost", 3, 0},
                                                {"", "Alone", 0, 0}};
    static const uint8_t plain[] = {0x20, 0, 0x01};
    static const struct assembly_method methods[] = {
        {"Add", plain, sizeof(plain), 1}};
    struct assembly a = {
        .types = list, .type_count = 5, .methods = methods, .method_count = 1};
    struct cli_tables tables;
    byte_vec bytes = {0};

    assembly_write(&bytes, &a);
    tables = tables_of(&bytes);
    check_row(&tables, 2, "A.B.Outer", "A.B.Outer", "A.B.Outer");
    check_row(&tables, 3, "A.B.Outer+In\\,\\[\\]\\&\\*\\+\\\\ner",
              "A.B.Outer/In,[]&*+\\ner", "In,[]&*+\\ner");
    check_row(&tables, 4, "A.B.Outer+In\\,\\[\\]\\&\\*\\+\\\\ner+Inmost",
              "A.B.Outer/In,[]&*+\\ner/Inmost", "Inmost");
    check_row(&tables, 5, "Alone", "Alone", "Alone");
    check_row(&tables, 0, NULL, NULL, NULL);
    check_row(&tables, 6, NULL, NULL, NULL);
    vec_release(&bytes);
}
