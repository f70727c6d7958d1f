/* Symbol tables entry by entry: what names code, which name, how far. */
#include "tests/support/symtab_made.h"

static struct made made_of(const struct entry *entries, size_t n, uint16_t type,
                           uint16_t machine)
{
    struct made m = {.file = {0}};
    struct blob code = {0}, data = {0}, symbols = {0}, strings = {0};

    blob_zero(&code, TEXT_SIZE);
    blob_zero(&data, 0x100);
    blob_zero(&symbols, sizeof(Elf64_Sym));
    blob_u8(&strings, 0);
    for (size_t i = 0; i < n; i++)
        put_entry(&symbols, &strings, &entries[i]);
    m.file = elf_of(
        (struct elf_part[]){
            {".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TEXT, &code, 0,
             0},
            {".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, DATA, &data, 0, 0},
            {".symtab", SHT_SYMTAB, 0, 0, &symbols, STRINGS_AT,
             sizeof(Elf64_Sym)},
            {".strtab", SHT_STRTAB, 0, 0, &strings, 0, 0}},
        4);
    open_made(&m, type, machine);
    symtab_add_image(&m.table, &m.image);
    symtab_sort(&m.table);
    free(code.data);
    free(data.data);
    free(symbols.data);
    free(strings.data);
    return m;
}

/* Pairs at one address, of which the first is the better name. */
TEST(one_name_for_each_address)
{
    static const struct entry pairs[][2] = {
        {{"global", 0, 4, G, F, IN_TEXT}, {"weak", 0, 4, W, F, IN_TEXT}},
        {{"unique", 0, 4, U, F, IN_TEXT}, {"weak", 0, 4, W, F, IN_TEXT}},
        {{"weaker", 0, 4, W, F, IN_TEXT}, {"local", 0, 4, L, F, IN_TEXT}},
        {{"_weak", 0, 4, W, N, IN_TEXT}, {"local", 0, 4, L, F, IN_TEXT}},
        {{"function", 0, 0, L, F, IN_TEXT}, {"label", 0, 4, L, N, IN_TEXT}},
        {{"indirect", 0, 4, L, I, IN_TEXT}, {"label", 0, 4, L, N, IN_TEXT}},
        {{"__sized", 0, 4, L, F, IN_TEXT}, {"open", 0, 0, L, F, IN_TEXT}},
        {{"no_underscore", 0, 4, L, F, IN_TEXT}, {"_a", 0, 4, L, F, IN_TEXT}},
        {{"_one", 0, 4, L, F, IN_TEXT}, {"__b", 0, 4, L, F, IN_TEXT}},
        {{"longer", 0, 4, L, F, IN_TEXT}, {"name@V1", 0, 4, L, F, IN_TEXT}},
        {{"ab", 0, 4, L, F, IN_TEXT}, {"abc", 0, 4, L, F, IN_TEXT}},
        {{"aa", 0, 4, L, F, IN_TEXT}, {"ab", 0, 4, L, F, IN_TEXT}},
    };

    for (size_t i = 0; i < COUNT(pairs); i++)
        for (int swap = 0; swap < 2; swap++) {
            struct entry both[2] = {pairs[i][swap], pairs[i][!swap]};
            struct made m;

            both[0].value = both[1].value = TEXT + 0x10;
            m = made_of(both, 2, ET_DYN, EM_X86_64);
            ck_assert_uint_eq(m.table.symbols.len, 1);
            check_at(&m, TEXT + 0x10, pairs[i][0].name);
            check_at(&m, TEXT + 0x13, pairs[i][0].name);
            check_at(&m, TEXT + 0x14, NULL); /* with the other's size */
            close_made(&m);
        }
}

/* Symbols that name code, and others that do not. */
TEST(what_names_code)
{
    static const struct entry entries[] = {
        {"first", TEXT, 0x10, G, F, IN_TEXT},
        {"versioned@@V2", TEXT + 0x10, 0x10, G, F, IN_TEXT},
        {"@odd", TEXT + 0x20, 0x10, G, F, IN_TEXT},
        {"open", TEXT + 0x30, 0, G, F, IN_TEXT},
        {"label", TEXT + 0x38, 8, L, N, IN_TEXT},
        {"object", TEXT + 0x100, 8, G, O, IN_TEXT},
        {"undefined", TEXT + 0x110, 8, G, F, SHN_UNDEF},
        {"absolute", TEXT + 0x120, 8, G, F, SHN_ABS},
        {"before", TEXT - 8, 8, G, F, IN_TEXT},
        {"behind", TEXT + TEXT_SIZE, 8, G, F, IN_TEXT},
        {"last", TEXT + TEXT_SIZE - 8, 0x100, G, F, IN_TEXT},
        {"in_data", DATA, 8, G, F, IN_DATA},
        {"data_label", DATA + 8, 8, G, N, IN_DATA},
        {"", TEXT + 0x130, 8, G, F, IN_TEXT},
        {".Llocal", TEXT + 0x140, 8, L, F, IN_TEXT},
        {"__tagsym$$used", TEXT + 0x150, 8, L, F, IN_TEXT},
        {".annobin_x", TEXT + 0x160, 8, L, F, IN_TEXT},
        {"$x", TEXT + 0x170, 8, L, F, IN_TEXT},
    };
    struct made m =
        made_of(entries, COUNT(entries), ET_DYN, EM_X86_64);

    check_at(&m, TEXT - 1, NULL);
    check_at(&m, TEXT, "first");
    check_at(&m, TEXT + 0xF, "first");
    check_at(&m, TEXT + 0x10, "versioned");
    check_at(&m, TEXT + 0x20, "@odd");
    check_at(&m, TEXT + 0x30, "open");
    check_at(&m, TEXT + 0x37, "open");
    check_at(&m, TEXT + 0x38, "label");
    check_at(&m, TEXT + 0x40, NULL);
    for (uint64_t at = TEXT + 0x100; at < TEXT + 0x170; at += 0x10)
        check_at(&m, at, NULL);
    check_at(&m, TEXT + 0x170, "$x"); /* a mark on ARM only */
    check_at(&m, TEXT + TEXT_SIZE - 1, "last");
    check_at(&m, TEXT + TEXT_SIZE, NULL);
    check_at(&m, DATA, "in_data");
    check_at(&m, DATA + 8, NULL);
    close_made(&m);
    m = made_of(entries, COUNT(entries), ET_DYN,
                EM_AARCH64);
    check_at(&m, TEXT + 0x170, NULL);
    close_made(&m);
}

/* Of files to be linked only symbols of ".text" are known, at the address that
 * this section is given. */
TEST(of_relocatable_files)
{
    static const struct entry entries[] = {
        {"first", 0, 0x10, G, F, IN_TEXT},
        {"last", TEXT_SIZE - 8, 8, G, F, IN_TEXT},
        {"behind", TEXT_SIZE, 8, G, F, IN_TEXT},
        {"in_data", 0, 8, G, F, IN_DATA},
    };
    struct made m = made_of(entries, 4, ET_REL, EM_X86_64);

    ck_assert_uint_eq(m.table.symbols.len, 2);
    check_at(&m, m.image.base, "first");
    check_at(&m, m.image.base + 0x10, NULL);
    check_at(&m, m.image.base + TEXT_SIZE - 1, "last");
    close_made(&m);
}

/* On ARM the last bit tells Thumb code. */
TEST(thumb)
{
    static const struct entry entry = {"f", TEXT + 0x11, 0x10, G, F, IN_TEXT};
    struct made m = made_of(&entry, 1, ET_DYN, EM_ARM);

    check_at(&m, TEXT + 0x10, "f");
    check_at(&m, TEXT + 0x20, NULL);
    close_made(&m);
    m = made_of(&entry, 1, ET_DYN, EM_X86_64);
    check_at(&m, TEXT + 0x10, NULL);
    check_at(&m, TEXT + 0x20, "f");
    close_made(&m);
}

/* A function in a function; 64 steps back none is looked for. */
TEST(functions_within)
{
    struct entry entries[65] = {{"outer", TEXT, 0x800, G, F, IN_TEXT}};
    struct made m;

    for (uint64_t i = 1; i <= 64; i++)
        entries[i] = (struct entry){"inner", TEXT + 0x10 * i, 8, G, F, IN_TEXT};
    m = made_of(entries, 65, ET_DYN, EM_X86_64);
    check_at(&m, TEXT + 0x17, "inner");
    check_at(&m, TEXT + 0x18, "outer");
    check_at(&m, TEXT + 0x3F8, "outer");
    check_at(&m, TEXT + 0x408, NULL);
    check_at(&m, TEXT + 0x800, NULL);
    ck_assert_uint_eq(m.table.symbols.data[1].end, TEXT + 0x18);
    ck_assert_uint_eq(m.table.reach.data[64], TEXT + 0x800);
    close_made(&m);
}
