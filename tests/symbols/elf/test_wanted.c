/* ELF files as debug files: links, which one is wanted, and addresses. */
#include "symbols/elf/elf.h"

#include "symbols/debug.h"
#include "tests/support/elf_made.h"

static void check_link(const char *bytes, size_t n, const char *name)
{
    struct blob b = {0}, file;
    struct elf_part part = {".gnu_debuglink", SHT_PROGBITS, 0, 0, &b, 0, 0};
    struct err err = {0};
    struct debug_file *d;
    const char *found;
    uint32_t crc = 0;

    blob_bytes(&b, bytes, n);
    file = elf_file(&part, 1);
    d = debug_open("made", file.data, file.len, &err);
    found = elf_debug_link(d, &crc);
    ck_assert_str_eq(found ? found : "", name);
    if (found)
        ck_assert_uint_eq(crc, 0x04030201);
    debug_close(d);
    free(file.data);
    free(b.data);
}

TEST(debug_links)
{
    check_link("a.debug\0\1\2\3\4", 12, "a.debug");
    check_link("ab.debug\0\0\0\0\1\2\3\4", 16, "ab.debug");
    check_link("ab.debug\0\0\0\0\1\2\3", 15, "");
    check_link("\0\0\0\0\1\2\3\4", 8, "");
    check_link("a/debug\0\1\2\3\4", 12, "");
    check_link("a.debug", 7, "");
}

/* Where both have an id it decides, else a checksum, which the caller compares;
 * what is of no use for what is wanted says why. */
TEST(wanted_files)
{
    struct blob b = notes_of(20), file;
    struct elf_part part = {".note", SHT_NOTE, 0, 0, &b, 0, 0};
    struct err err = {0};
    struct debug_file *d;
    struct wanted wanted = {.kind = WANTED_ELF};
    const char *objection = NULL;

    file = elf_file(&part, 1);
    d = debug_open("made", file.data, file.len, &err);
    wanted.identity = d->identity;
    ck_assert(debug_matches(d, &wanted, &objection) && !objection);
    wanted.kind = WANTED_ELF_DWARF;
    ck_assert(debug_matches(d, &wanted, &objection));
    ck_assert_str_eq(objection, "has no lines");
    wanted.kind = WANTED_ELF_NAMES;
    ck_assert(debug_matches(d, &wanted, &objection));
    ck_assert_str_eq(objection, "names no more than its exports");
    wanted.kind = WANTED_PDB;
    ck_assert(!debug_matches(d, &wanted, &objection));
    wanted.kind = WANTED_ELF;
    wanted.has_crc = true;
    wanted.identity.build_id[3]++;
    ck_assert(!debug_matches(d, &wanted, &objection));
    wanted.identity.build_id_size = 0;
    ck_assert(debug_matches(d, &wanted, &objection));
    wanted.has_crc = false;
    ck_assert(!debug_matches(d, &wanted, &objection));
    debug_close(d);
    free(file.data);
    free(b.data);
}

TEST(machines)
{
    static const struct {
        uint16_t machine;
        enum debug_machine want;
    } rows[] = {{EM_386, DEBUG_X86},
                {EM_X86_64, DEBUG_X64},
                {EM_AARCH64, DEBUG_ARM64},
                {EM_RISCV, DEBUG_NO_MACHINE}};

    for (size_t i = 0; i < 4; i++) {
        struct blob file = elf_file(NULL, 0);
        struct err err = {0};
        struct debug_file *d;

        SET_HEADER(&file, e_machine, 2, rows[i].machine);
        d = debug_open("made", file.data, file.len, &err);
        ck_assert_int_eq(d->machine, rows[i].want);
        debug_close(d);
        free(file.data);
    }
}

/* As linked, as an offset in the file, and, of a kernel, from its start. */
TEST(rvas)
{
    static const Elf64_Phdr plain = LOAD(5, 0x40, 0x401040, 0x100);
    static const Elf64_Phdr kernel = LOAD(5, 0x40, 0xFFFFFFFF81000000, 0x100);

    for (int is_kernel = 0; is_kernel < 2; is_kernel++) {
        struct blob file = elf_file(NULL, 0);
        struct err err = {0};
        struct debug_file *d;
        uint64_t rva = 0, base = is_kernel ? 0xFFFFFFFF81000000 : 0x401000;

        add_segments(&file, is_kernel ? &kernel : &plain, 1);
        d = debug_open("made", file.data, file.len, &err);
        ck_assert_uint_eq(elf_base(d), base);
        ck_assert(debug_rva(d, base, false, &rva) && rva == 0);
        ck_assert(debug_rva(d, base + 0x50, false, &rva) && rva == 0x50);
        ck_assert(debug_rva(d, base - 1, false, &rva) == is_kernel);
        if (is_kernel)
            ck_assert(rva == base - 1);
        ck_assert(debug_rva(d, 0x50, true, &rva));
        ck_assert_uint_eq(rva, is_kernel ? 0x10 : 0x50);
        ck_assert(!debug_rva(d, 0x140, true, &rva));
        debug_close(d);
        free(file.data);
    }
}
