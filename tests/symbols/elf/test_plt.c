/* The stubs that each machine calls other libraries through. */
#include "tests/support/symtab_made.h"

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
