/* Relocations of debug information in files that are not linked. */
#include "symbols/elf/image.h"
#include "tests/support/elf_made.h"

enum { DATA = 2, TABLE, SYMBOLS, STRINGS }; /* behind the code */

enum { DATA_SIZE = 24, ABSENT = 0xFFF1 };

/* Where the first section is taken to be. */
#define CODE ((uint64_t)1 << 32)

struct file {
    uint16_t type, machine;
    uint64_t flags;  /* of the data */
    uint32_t of;     /* the section that the table is of */
    uint32_t link;   /* its symbols */
    uint32_t kind;   /* of the table */
    Elf64_Rela rela; /* the one that differs */
};

static const struct file plain = {
    .type = ET_REL,
    .machine = EM_X86_64,
    .of = DATA,
    .link = SYMBOLS,
    .kind = SHT_RELA,
    .rela = {8, ELF64_R_INFO(1, R_X86_64_64), 0x10}};

static struct blob write_file(const struct file *f)
{
    struct blob data = {0}, table = {0}, symbols = {0}, strings = {0}, file;
    const Elf64_Sym all[] = {{.st_value = 0},
                             {.st_shndx = 1, .st_value = 0x20},
                             {.st_shndx = SHN_UNDEF, .st_value = 0x30},
                             {.st_shndx = ABSENT, .st_value = 0x40},
                             {.st_shndx = 7, .st_value = 0x50},
                             {.st_shndx = 6, .st_value = 0x60}};
    const Elf64_Rela last = {0, ELF64_R_INFO(1, R_X86_64_32), 1};
    uint64_t at;

    for (size_t i = 0; i < DATA_SIZE; i++)
        blob_u8(&data, 0xEE);
    blob_bytes(&table, &f->rela, sizeof(f->rela));
    blob_bytes(&table, &last, sizeof(last));
    blob_bytes(&symbols, all, sizeof(all));
    blob_u8(&strings, 0);
    file = elf_file(
        (struct elf_part[]){
            {".debug_info", SHT_PROGBITS, f->flags, 0, &data, 0, 0},
            {".rela.debug_info", f->kind, 0, 0, &table, f->link,
             sizeof(Elf64_Rela)},
            {".symtab", SHT_SYMTAB, 0, 0, &symbols, STRINGS, sizeof(Elf64_Sym)},
            {".strtab", SHT_STRTAB, 0, 0, &strings, 0, 0}},
        4);
    memcpy(&at, file.data + offsetof(Elf64_Ehdr, e_shoff), sizeof(at));
    at += TABLE * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_info);
    blob_set(&file, at, f->of, 4);
    SET_HEADER(&file, e_type, 2, f->type);
    SET_HEADER(&file, e_machine, 2, f->machine);
    free(data.data);
    free(table.data);
    free(symbols.data);
    free(strings.data);
    return file;
}

/* Checks `width` bytes of the section from `at` on, and that all others are
 * unchanged. */
static void check_bytes(const struct file *f, size_t at, size_t width,
                        uint64_t value)
{
    struct blob file = write_file(f);
    struct elf_image image = open_image(&file);
    struct elf_section *s = elf_find(&image, ".debug_info");
    struct bytes got = elf_bytes(&image, s);
    uint8_t wanted[DATA_SIZE];

    memset(wanted, 0xEE, sizeof(wanted));
    memcpy(wanted, "\x21\0\0", 4); /* the other */
    for (size_t i = 0; i < width; i++)
        wanted[at + i] = (uint8_t)(value >> 8 * i);
    ck_assert_uint_eq(got.len, DATA_SIZE);
    ck_assert_mem_eq(got.data, wanted, DATA_SIZE);
    ck_assert(s->owned);
    elf_image_close(&image);
    free(file.data);
}

static void check_rela(uint64_t at, uint32_t symbol, uint32_t type,
                       int64_t addend, size_t width, uint64_t value)
{
    struct file f = plain;

    f.rela = (Elf64_Rela){at, ELF64_R_INFO(symbol, type), addend};
    check_bytes(&f, at, width, value);
}

/* In any of the file, but not beyond it. Addresses are the section's where
 * there is one, and what is added may be negative. */
TEST(fields)
{
    check_rela(8, 1, R_X86_64_64, 0x10, 8, CODE + 0x30);
    check_rela(8, 1, R_X86_64_64, -0x30, 8, CODE - 0x10);
    check_rela(8, 1, R_X86_64_32, 0x11223344, 4, 0x11223364);
    check_rela(8, 1, R_X86_64_32S, -0x21, 4, UINT32_MAX);
    check_rela(4, 1, R_X86_64_32, 0, 4, 0x20);
    check_rela(DATA_SIZE - 8, 1, R_X86_64_64, 0, 8, CODE + 0x20);
    check_rela(DATA_SIZE - 4, 1, R_X86_64_32, 0, 4, 0x20);
    check_rela(DATA_SIZE - 7, 1, R_X86_64_64, 0, 0, 0);
    check_rela(DATA_SIZE - 3, 1, R_X86_64_32, 0, 0, 0);
    check_rela(UINT64_MAX, 1, R_X86_64_64, 0, 0, 0);
    check_rela(8, 1, R_X86_64_PC32, 0, 0, 0);
    check_rela(8, 0, R_X86_64_64, 7, 8, 7);
    check_rela(8, 2, R_X86_64_64, 7, 8, 0x37);
    check_rela(8, 3, R_X86_64_64, 7, 8, 0x47);
    check_rela(8, 4, R_X86_64_64, 7, 8, 0x57); /* no such section */
    check_rela(8, 5, R_X86_64_64, 7, 8, 0x67);
    check_rela(8, 6, R_X86_64_64, 7, 0, 0); /* no such symbol */
}

static void check_arm(uint32_t type, size_t width)
{
    static const uint32_t other = R_AARCH64_ABS32;
    struct file f = plain;
    struct blob file;
    struct elf_image image;
    struct bytes got;

    f.machine = EM_AARCH64;
    f.rela.r_info = ELF64_R_INFO(1, type);
    file = write_file(&f);
    blob_set(&file,
             sizeof(Elf64_Ehdr) + TEXT_SIZE + DATA_SIZE + sizeof(f.rela) +
                 offsetof(Elf64_Rela, r_info),
             other, 4);
    image = open_image(&file);
    got = elf_bytes(&image, elf_find(&image, ".debug_info"));
    ck_assert_mem_eq(got.data, "\x21\0\0\0\xEE\xEE\xEE\xEE", 8);
    ck_assert_mem_eq(got.data + 8, "\x30\0\0\0\1\0\0\0", width);
    for (size_t i = 8 + width; i < DATA_SIZE; i++)
        ck_assert_uint_eq(got.data[i], 0xEE);
    elf_image_close(&image);
    free(file.data);
}

TEST(of_arm)
{
    check_arm(R_AARCH64_ABS64, 8);
    check_arm(R_AARCH64_ABS32, 4);
    check_arm(R_AARCH64_PREL32, 0);
}

/* The bytes are those of the file. */
static void check_kept(const struct file *f, bool owned)
{
    struct blob file = write_file(f);
    struct elf_image image = open_image(&file);
    struct elf_section *s = elf_find(&image, ".debug_info");
    struct bytes got = elf_bytes(&image, s);

    ck_assert_uint_eq(got.len, DATA_SIZE);
    for (size_t i = 0; i < DATA_SIZE; i++)
        ck_assert_uint_eq(got.data[i], 0xEE);
    ck_assert(s->owned == owned);
    elf_image_close(&image);
    free(file.data);
}

TEST(what_stays)
{
    struct file f = plain;

    f.type = ET_DYN;
    check_kept(&f, false);
    f.type = ET_REL;
    f.flags = SHF_ALLOC;
    check_kept(&f, false);
    f.flags = 0;
    f.of = DATA + 1;
    check_kept(&f, false);
    f.of = DATA;
    f.kind = SHT_REL;
    check_kept(&f, false);
    f.kind = SHT_RELA;
    f.link = 99; /* no symbols */
    check_kept(&f, false);
    f.link = SYMBOLS;
    f.machine = EM_RISCV;
    check_kept(&f, true);
}
