/* Symbol tables entry by entry: what names code, which name, how far. */
#include <elf.h>
#include <stddef.h>

#include "symbols/elf/symtab.h"
#include "tests/support/elf_writer.h"
#include "tests/support/suite.h"

enum { TEXT = 0x401000, TEXT_SIZE = 0x1000, DATA = 0x500000, GOT = 0x600000 };

/* Numbers of the sections that the files here have. */
enum { IN_TEXT = 1, IN_DATA = 2, SYMBOLS_AT = 3, STRINGS_AT = 4 };

struct entry {
    const char *name;
    uint64_t value, size;
    uint8_t bind, type;
    uint16_t section;
};

static void put_entry(struct blob *symbols, struct blob *strings,
                      const struct entry *e)
{
    const Elf64_Sym symbol = {.st_name = (uint32_t)strings->len,
                              .st_info = (uint8_t)(e->bind << 4 | e->type),
                              .st_shndx = e->section,
                              .st_value = e->value,
                              .st_size = e->size};

    blob_bytes(symbols, &symbol, sizeof(symbol));
    blob_bytes(strings, e->name, strlen(e->name) + 1);
}

/* A file that has these symbols, open, and its table. */
struct made {
    struct blob file;
    struct elf_image image;
    struct symtab table;
};

static void open_made(struct made *m, uint16_t type, uint16_t machine)
{
    memcpy(m->file.data + offsetof(Elf64_Ehdr, e_type), &type, 2);
    memcpy(m->file.data + offsetof(Elf64_Ehdr, e_machine), &machine, 2);
    ck_assert(
        !elf_image_open(&m->image, "made", m->file.data, m->file.len, NULL));
}

static void close_made(struct made *m)
{
    symtab_release(&m->table);
    elf_image_close(&m->image);
    free(m->file.data);
}

static void check_at(struct made *m, uint64_t address, const char *name)
{
    const struct symbol *s = symtab_find(&m->table, address);

    if (!name)
        ck_assert_msg(!s, "0x%llx: %s", (unsigned long long)address,
                      s ? s->name : "");
    else
        ck_assert_msg(s && !strcmp(s->name, name), "0x%llx: %s, not %s",
                      (unsigned long long)address, s ? s->name : "nothing",
                      name);
}

enum { L = STB_LOCAL, G = STB_GLOBAL, W = STB_WEAK, U = STB_GNU_UNIQUE };
enum { F = STT_FUNC, N = STT_NOTYPE, O = STT_OBJECT, I = STT_GNU_IFUNC };

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

struct stub {
    uint64_t at;
    uint8_t code[16];
    const char *name; /* NULL: none */
};

/* Three slots of the global offset table, of "one", "two@V1" and nothing. */
static void put_relocations(struct blob *b, bool addends)
{
    for (uint64_t i = 0; i < 3; i++) {
        blob_pack(b, "QQ", GOT + 8 * (2 - i), (2 - i) << 32 | 7);
        if (addends)
            blob_u64(b, 0);
    }
}

/* A field of a section's header that is other than it should be. */
struct odd {
    size_t section, field;
    uint32_t value;
};

static void put_odd(struct blob *file, const struct odd *odd)
{
    uint64_t headers;

    memcpy(&headers, file->data + offsetof(Elf64_Ehdr, e_shoff), 8);
    blob_set(file, headers + odd->section * sizeof(Elf64_Shdr) + odd->field,
             odd->value, 4);
}

static void check_stubs(uint16_t machine, const char *section, bool addends,
                        uint32_t entry_size, const struct stub *stubs, size_t n,
                        const struct odd *odd)
{
    static const struct entry entries[] = {{"one", 0, 0, G, F, 0},
                                           {"two@V1", 0, 0, G, F, 0}};
    struct made m = {.file = {0}};
    struct blob code = {0}, got = {0}, symbols = {0}, strings = {0}, rel = {0};

    blob_zero(&got, 0x40);
    blob_zero(&symbols, sizeof(Elf64_Sym));
    blob_u8(&strings, 0);
    for (size_t i = 0; i < 2; i++)
        put_entry(&symbols, &strings, &entries[i]);
    put_relocations(&rel, addends);
    for (size_t i = 0; i < n; i++) {
        blob_zero(&code, (size_t)(stubs[i].at - code.len));
        blob_bytes(&code, stubs[i].code, entry_size == 8 ? 8 : 16);
    }
    m.file = elf_of(
        (struct elf_part[]){
            {section, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TEXT, &code, 0,
             entry_size},
            {".got.plt", SHT_PROGBITS, SHF_ALLOC, GOT, &got, 0, 0},
            {".dynsym", SHT_DYNSYM, 0, 0, &symbols, STRINGS_AT,
             sizeof(Elf64_Sym)},
            {".dynstr", SHT_STRTAB, 0, 0, &strings, 0, 0},
            {".rel.plt", addends ? SHT_RELA : SHT_REL, 0, 0, &rel, SYMBOLS_AT,
             addends ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel)}},
        5);
    if (odd)
        put_odd(&m.file, odd);
    open_made(&m, ET_DYN, machine);
    symtab_add_plt(&m.table, &m.image);
    symtab_sort(&m.table);
    for (size_t i = 0; i < n; i++) {
        uint64_t at = TEXT + stubs[i].at;

        check_at(&m, at, stubs[i].name);
        check_at(&m, at + (entry_size == 8 ? 7 : 15), stubs[i].name);
    }
    check_at(&m, TEXT + code.len, NULL);
    close_made(&m);
    free(code.data);
    free(got.data);
    free(symbols.data);
    free(strings.data);
    free(rel.data);
}

#define CHECK_STUBS(machine, section, addends, entry, stubs)                   \
    check_stubs(machine, section, addends, entry, stubs,                       \
                sizeof(stubs) / sizeof(*(stubs)), NULL)

/* A distance from the end of the instruction. */
#define FROM(at, target)                                                       \
    (uint8_t)((target) - (at)), (uint8_t)(((target) - (at)) >> 8),             \
        (uint8_t)(((target) - (at)) >> 16), (uint8_t)(((target) - (at)) >> 24)

TEST(stubs_of_x64)
{
    static const struct stub stubs[] = {
        {0, {0xFF, 0x35, 0, 0, 0, 0, 0xFF, 0x25, 0, 0, 0, 0}, NULL},
        {0x10, {0xFF, 0x25, FROM(TEXT + 0x16, GOT + 8)}, "one@plt"},
        {0x20,
         {0xF3, 0x0F, 0x1E, 0xFA, 0xF2, 0xFF, 0x25,
          FROM(TEXT + 0x2B, GOT + 16)},
         "two@plt"},
        {0x30, {0xFF, 0x25, FROM(TEXT + 0x36, GOT)}, NULL},
        {0x40, {0xFF, 0x25, FROM(TEXT + 0x46, GOT + 9)}, NULL},
        {0x50,
         {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0xFF, 0x25,
          FROM(TEXT + 0x60, GOT + 16)},
         "two@plt"},
        {0x60, {0xFF, 0xA3, FROM(TEXT + 0x66, GOT + 8)}, NULL},
    };
    static const struct stub narrow[] = {
        {0, {0xFF, 0x25, FROM(TEXT + 6, GOT + 8), 0x66, 0x90}, "one@plt"},
        {8, {0xFF, 0x25, FROM(TEXT + 14, GOT + 16), 0x66, 0x90}, "two@plt"}};

    CHECK_STUBS(EM_X86_64, ".plt", true, 16, stubs);
    CHECK_STUBS(EM_X86_64, ".plt.sec", true, 0, stubs);
    CHECK_STUBS(EM_X86_64, ".plt.got", false, 8, narrow);
    CHECK_STUBS(EM_X86_64, ".plt", false, 16, stubs);
}

TEST(stubs_of_x86)
{
    static const struct stub stubs[] = {
        {0, {0xFF, 0x25, FROM(0, GOT + 8)}, "one@plt"},
        {0x10, {0xFF, 0xA3, 16, 0, 0, 0}, "two@plt"}, /* from %ebx */
        {0x20, {0xFF, 0xA3, 12, 0, 0, 0}, NULL},
    };

    CHECK_STUBS(EM_386, ".plt", false, 16, stubs);
}

/* "adrp x16, page" and "ldr x17, [x16, #offset]", where the page is so many
 * behind that of the code. */
#define ADRP(pages) (0x90000010u | ((pages)&3) << 29 | ((pages) >> 2) << 5)
#define LDR(offset) (0xF9400211u | ((offset) / 8) << 10)
#define WORD(w)                                                                \
    (uint8_t)(w), (uint8_t)((w) >> 8), (uint8_t)((w) >> 16),                   \
        (uint8_t)((w) >> 24)

TEST(stubs_of_arm)
{
    enum { PAGES = (GOT - TEXT) >> 12 };
    static const struct stub stubs[] = {
        {0, {WORD(ADRP(PAGES)), WORD(LDR(8))}, "one@plt"},
        {0x10,
         {WORD(0xD503245Fu), WORD(ADRP(PAGES)), WORD(LDR(16))},
         "two@plt"},
        {0x20,
         {WORD(0xD503245Fu), WORD(0xD503245Fu), WORD(ADRP(PAGES)),
          WORD(LDR(16))},
         NULL},
        {0x30, {WORD(ADRP(PAGES)), WORD(0xD503245Fu)}, NULL},
        {0x40, {WORD(ADRP(PAGES) ^ 1), WORD(LDR(8))}, NULL},
        {0x50, {WORD(ADRP(PAGES - 1)), WORD(LDR(8))}, NULL},
    };

    CHECK_STUBS(EM_AARCH64, ".plt", true, 16, stubs);
}

/* Of other machines no stub is known. */
TEST(stubs_of_others)
{
    static const struct stub stubs[] = {
        {0x10, {0xFF, 0x25, FROM(TEXT + 0x16, GOT + 8)}, NULL}};

    CHECK_STUBS(EM_RISCV, ".plt", true, 16, stubs);
}

/* Where nothing says which symbols the slots are of. */
TEST(stubs_without_names)
{
    enum { SYMBOLS = 3, RELOCATIONS = 5 };
    static const struct stub stubs[] = {
        {0x10, {0xFF, 0x25, FROM(TEXT + 0x16, GOT + 8)}, NULL}};
    static const struct odd rows[] = {
        {SYMBOLS, offsetof(Elf64_Shdr, sh_type), SHT_SYMTAB},
        {SYMBOLS, offsetof(Elf64_Shdr, sh_link), 99},
        {SYMBOLS, offsetof(Elf64_Shdr, sh_link), 7}, /* the first that is not */
        {RELOCATIONS, offsetof(Elf64_Shdr, sh_link), 99},
        {RELOCATIONS, offsetof(Elf64_Shdr, sh_link), 7},
        {RELOCATIONS, offsetof(Elf64_Shdr, sh_link), 0}};

    for (size_t i = 0; i < COUNT(rows); i++)
        check_stubs(EM_X86_64, ".plt", true, 16, stubs, 1, &rows[i]);
}
