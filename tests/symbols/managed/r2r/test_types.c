/* Types as signatures have them, in each style. */
#include "symbols/managed/r2r/types.h"

#include "symbols/managed/r2r/image.h"
#include "tests/support/cells.h"
#include "tests/support/code_scenario.h"

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

static struct cli_tables tables;

/* Zeros stand behind a type. */
static void check_styles(const struct cells *row)
{
    static const enum type_style styles[] = {TYPES_FULL, TYPES_EVENT,
                                             TYPES_MAP};
    uint8_t bytes[16] = {0};

    memcpy(bytes, row->cell[0], row->len[0]);
    for (unsigned i = 0; i < COUNT(styles); i++)
        check_type(&tables, bytes, sizeof(bytes), styles[i],
                   row->len[1 + i] ? row->cell[1 + i] : NULL);
}

TEST(type_names)
{
    byte_vec bytes = {0};

    code_assembly(&bytes, false);
    tables = tables_of(&bytes);
    cells_each("tests/symbols/managed/r2r/types.cells", "types", check_styles);
    check_cut_off(&tables);
    vec_release(&bytes);
}

TEST(types_without_end)
{
    struct cli_tables none = {.tables = {{0}}};
    uint8_t deep[100], wide[6000];

    memset(deep, 0x1D, sizeof(deep));
    check_type(&none, deep, sizeof(deep), TYPES_FULL, NULL);
    /* Many arguments, whose names are longer than any name may be. */
    memset(wide, 0x08, sizeof(wide));
    memcpy(wide, "\x15\x0E\x97\x00", 4);
    check_type(&none, wide, sizeof(wide), TYPES_FULL, NULL);
    check_type(&none, wide, 10, TYPES_FULL, NULL);
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
