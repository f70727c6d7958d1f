/* Headers, segments, notes and packed sections of ELF files, byte by byte. */
#include <zlib.h>
#include <zstd.h>

#include "symbols/debug.h"
#include "tests/support/elf_made.h"

/* ---- where it is ---- */

static void check_base(uint16_t type, const Elf64_Phdr *segments, uint16_t n,
                       uint64_t base, bool kernel)
{
    struct blob file = elf_file(NULL, 0);
    struct elf_image image;

    SET_HEADER(&file, e_type, 2, type);
    add_segments(&file, segments, n);
    image = open_image(&file);
    ck_assert_uint_eq(image.base, base);
    ck_assert(elf_is_kernel(&image) == kernel);
    ck_assert_uint_eq(image.segments.len, n);
    elf_image_close(&image);
    free(file.data);
}

TEST(bases)
{
    static const Elf64_Phdr plain[] = {{PT_NOTE, 4, 0, 0x777000, 0, 4, 4, 1},
                                       LOAD(5, 0, 0x401234, 64),
                                       LOAD(6, 0, 0x300000, 64)};
    static const Elf64_Phdr kernel[] = {
        LOAD(6, 0, 0x1000, 64), LOAD(6, 0, 0x2000, 64),
        LOAD(5, 0, 0xFFFFFFFF81000010, 64), LOAD(6, 0, 0xFFFFFFFF80000000, 64)};
    static const Elf64_Phdr lowest[] = {LOAD(5, 0, 0x8000000000000000, 64)};
    static const Elf64_Phdr below[] = {LOAD(5, 0, 0x7FFFFFFFFFFFF000, 64)};

    check_base(ET_EXEC, plain, 3, 0x401000, false);
    check_base(ET_EXEC, kernel, 4, 0xFFFFFFFF81000000, true);
    check_base(ET_DYN, kernel, 4, 0x1000, false);
    check_base(ET_DYN, lowest, 1, 0x8000000000000000, true);
    check_base(ET_DYN, below, 1, 0x7FFFFFFFFFFFF000, false);
    check_base(ET_DYN, plain, 0, 0, false);
}

/* Of segments that hold an offset one with code is preferred. */
TEST(addresses_of_offsets)
{
    static const Elf64_Phdr segments[] = {
        LOAD(4, 0x10, 0x10000, 0x20),
        LOAD(6, 0x20, 0x20000, 0x20),
        LOAD(5, 0x28, 0x30000, 0x20),
        LOAD(5, 0x28, 0x50000, 0x20),
        {PT_NOTE, 5, 0, 0x40000, 0, 0x100, 0x100, 1}};
    static const struct {
        uint64_t offset, address; /* 0: none */
    } rows[] = {{0xF, 0},        {0x10, 0x10000}, {0x27, 0x10017},
                {0x28, 0x30000}, {0x3F, 0x30017}, {0x47, 0x3001F},
                {0x48, 0}};
    struct blob file = elf_file(NULL, 0);
    struct elf_image image;

    add_segments(&file, segments, 5);
    image = open_image(&file);
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t address = 0;

        ck_assert(elf_address_of(&image, rows[i].offset, &address) ==
                  (rows[i].address > 0));
        ck_assert_uint_eq(address, rows[i].address);
    }
    elf_image_close(&image);
    free(file.data);
}

static void check_code(const struct elf_image *image, uint64_t address,
                       size_t size, uint8_t first)
{
    struct bytes code = elf_code_at(image, address);

    ck_assert_uint_eq(code.len, size);
    if (size)
        ck_assert_uint_eq(*code.data, first);
}

/* By section, or, in a file that has none, by segment. */
TEST(code)
{
    struct blob file = elf_file(NULL, 0);
    Elf64_Phdr segments[] = {
        LOAD(4, 0, TEXT, 0x200), LOAD(5, sizeof(Elf64_Ehdr), TEXT, TEXT_SIZE),
        LOAD(5, 0, 0x900000, UINT64_MAX), LOAD(6, 0, TEXT + TEXT_SIZE, 0x10),
        LOAD(5, sizeof(Elf64_Ehdr) + 7, TEXT + TEXT_SIZE, 0x20)};
    struct elf_image image = open_image(&file);

    check_code(&image, TEXT - 1, 0, 0);
    check_code(&image, TEXT, TEXT_SIZE, 0);
    check_code(&image, TEXT + 5, TEXT_SIZE - 5, 5);
    check_code(&image, TEXT + TEXT_SIZE - 1, 1, TEXT_SIZE - 1);
    check_code(&image, TEXT + TEXT_SIZE, 0, 0);
    ck_assert(elf_holds_code(&image));
    elf_image_close(&image);
    SET_HEADER(&file, e_shoff, 8, 0);
    SET_HEADER(&file, e_shnum, 2, 0);
    SET_HEADER(&file, e_shstrndx, 2, 0);
    add_segments(&file, segments, 5);
    image = open_image(&file);
    ck_assert_uint_eq(image.sections.len, 0);
    check_code(&image, TEXT - 1, 0, 0);
    check_code(&image, TEXT, TEXT_SIZE, 0);
    check_code(&image, TEXT + 5, TEXT_SIZE - 5, 5);
    check_code(&image, TEXT + TEXT_SIZE - 1, 1, TEXT_SIZE - 1);
    check_code(&image, TEXT + TEXT_SIZE, 0x20, 7);
    check_code(&image, TEXT + TEXT_SIZE + 0x20, 0, 0);
    check_code(&image, 0x900000, 0, 0);
    ck_assert(elf_holds_code(&image));
    elf_image_close(&image);
    free(file.data);
}

/* Cut off anywhere, a file is none. */
TEST(cut_off)
{
    struct blob file = elf_file(NULL, 0);

    for (size_t n = 0; n < file.len; n++) {
        struct elf_image image;
        struct err err = {0};

        ck_assert(elf_probe(file.data, n) == (n >= EI_NIDENT));
        ck_assert_msg(elf_image_open(&image, "made", file.data, n, &err), "%zu",
                      n);
        elf_image_close(&image);
    }
    free(file.data);
}

/* ---- notes ---- */

TEST(build_ids)
{
    static const uint32_t sizes[] = {1, 8, 19, 20};

    for (size_t i = 0; i < 4; i++)
        for (int segment = 0; segment < 2; segment++) {
            struct blob b = notes_of(sizes[i]), file;
            struct elf_part part = {".note", SHT_NOTE, 0, 0, &b, 0, 0};
            Elf64_Phdr header = {PT_NOTE, 4, 0, 0, 0, b.len, b.len, 4};
            struct elf_image image;
            struct bytes id;

            file = elf_file(&part, !segment);
            header.p_offset = file.len;
            if (segment) {
                blob_bytes(&file, b.data, b.len);
                add_segments(&file, &header, 1);
            }
            image = open_image(&file);
            id = elf_build_id(&image);
            ck_assert_uint_eq(id.len, sizes[i]);
            ck_assert_uint_eq(*id.data, 4);
            elf_image_close(&image);
            free(file.data);
            free(b.data);
        }
}

/* A longer id is cut to what is kept of it; a segment of notes that is not in
 * the file has none. */
TEST(odd_build_ids)
{
    struct blob b = notes_of(40), file;
    struct elf_part part = {".note", SHT_NOTE, 0, 0, &b, 0, 0};
    Elf64_Phdr header = {PT_NOTE, 4, 0, 0, 0, b.len, b.len, 4};
    struct err err = {0};
    struct debug_file *d;

    file = elf_file(&part, 1);
    d = debug_open("made", file.data, file.len, &err);
    ck_assert_ptr_nonnull(d);
    ck_assert_uint_eq(d->identity.build_id_size, sizeof(d->identity.build_id));
    debug_close(d);
    free(file.data);
    file = elf_file(NULL, 0);
    header.p_offset = file.len + sizeof(header) - b.len + 1;
    add_segments(&file, &header, 1);
    d = debug_open("made", file.data, file.len, &err);
    ck_assert_ptr_nonnull(d);
    ck_assert_uint_eq(d->identity.build_id_size, 0);
    debug_close(d);
    free(file.data);
    free(b.data);
}

/* ---- packed sections ---- */

enum { PLAIN = 5000 };

static void put_plain(struct blob *b)
{
    for (size_t i = 0; i < PLAIN; i++)
        blob_u8(b, (uint8_t)(i / 7));
}

static void put_zlib(struct blob *b, const struct blob *plain)
{
    uLongf n = compressBound(PLAIN);

    vec_reserve(b, n);
    compress(b->data + b->len, &n, plain->data, PLAIN);
    b->len += n;
}

static void put_zstd(struct blob *b, const struct blob *plain)
{
    size_t n = ZSTD_compressBound(PLAIN);

    vec_reserve(b, n);
    b->len += ZSTD_compress(b->data + b->len, n, plain->data, PLAIN, 1);
}

static void put_header(struct blob *b, uint32_t type, uint64_t size)
{
    blob_pack(b, "IIQQ", type, 0, size, 1);
}

/* The old way: its name, and the size with its highest byte first. */
static void put_old(struct blob *b, const char *magic, uint64_t size)
{
    blob_bytes(b, magic, 4);
    for (int i = 7; i >= 0; i--)
        blob_u8(b, (uint8_t)(size >> 8 * i));
}

static void check_packed(struct blob *b, const char *name, uint64_t flags,
                         enum err_code code)
{
    struct elf_part part = {name, SHT_PROGBITS, flags, 0, b, 0, 0};
    struct blob file = elf_file(&part, 1), plain = {0};
    struct elf_image image;
    struct elf_section *s;
    struct bytes bytes;

    put_plain(&plain);
    image = open_image(&file);
    s = elf_find(&image, ".debug_str");
    bytes = elf_bytes(&image, s);
    ck_assert(elf_is_packed(s));
    ck_assert_msg(image.flaw.code == code, "%s: %s", name, image.flaw.message);
    if (!code) {
        ck_assert_uint_eq(bytes.len, PLAIN);
        ck_assert_mem_eq(bytes.data, plain.data, PLAIN);
        ck_assert_ptr_eq(elf_bytes(&image, s).data, bytes.data);
    }
    elf_image_close(&image);
    free(plain.data);
    free(file.data);
    b->len = 0;
}

TEST(packed_sections)
{
    enum { ZLIB = 1, ZSTD = 2, OTHER = 3 };
    static const char name[] = ".debug_str", old[] = ".zdebug_str";
    struct blob plain = {0}, b = {0};

    put_plain(&plain);
    put_header(&b, ZLIB, PLAIN);
    put_zlib(&b, &plain);
    check_packed(&b, name, SHF_COMPRESSED, ERR_NONE);
    put_header(&b, ZSTD, PLAIN);
    put_zstd(&b, &plain);
    check_packed(&b, name, SHF_COMPRESSED, ERR_NONE);
    put_old(&b, "ZLIB", PLAIN);
    put_zlib(&b, &plain);
    check_packed(&b, old, 0, ERR_NONE);
    put_header(&b, OTHER, PLAIN);
    put_zlib(&b, &plain);
    check_packed(&b, name, SHF_COMPRESSED, ERR_UNSUPPORTED);
    put_old(&b, "ZLIC", PLAIN);
    put_zlib(&b, &plain);
    check_packed(&b, old, 0, ERR_UNSUPPORTED);
    put_header(&b, ZLIB, (uint64_t)1 << 33);
    put_zlib(&b, &plain);
    check_packed(&b, name, SHF_COMPRESSED, ERR_LIMIT);
    put_header(&b, ZSTD, PLAIN + 1);
    put_zstd(&b, &plain);
    check_packed(&b, name, SHF_COMPRESSED, ERR_CORRUPT);
    put_header(&b, ZSTD, PLAIN - 1);
    put_zstd(&b, &plain);
    check_packed(&b, name, SHF_COMPRESSED, ERR_CORRUPT);
    put_old(&b, "ZLIB", (uint64_t)1 << 56 | PLAIN);
    put_zlib(&b, &plain);
    check_packed(&b, old, 0, ERR_LIMIT);
    put_old(&b, "ZLIB", PLAIN); /* and nothing */
    check_packed(&b, old, 0, ERR_CORRUPT);
    put_old(&b, "ZLIB", PLAIN);
    b.len -= 1; /* not even a header */
    check_packed(&b, old, 0, ERR_UNSUPPORTED);
    free(b.data);
    free(plain.data);
}

/* Bytes behind the section are none of its own, although they would do. */
TEST(packed_section_cut_off)
{
    for (int older = 0; older < 2; older++) {
        struct blob plain = {0}, b = {0}, rest = {0}, file;
        struct elf_part parts[] = {{older ? ".zdebug_str" : ".debug_str",
                                    SHT_PROGBITS, older ? 0 : SHF_COMPRESSED, 0,
                                    &b, 0, 0},
                                   {".rest", SHT_PROGBITS, 0, 0, &rest, 0, 0}};
        struct elf_image image;

        put_plain(&plain);
        if (older)
            put_old(&b, "ZLIB", PLAIN);
        else
            put_header(&b, ELFCOMPRESS_ZLIB, PLAIN);
        put_zlib(&b, &plain);
        b.len -= 10;
        blob_bytes(&rest, b.data + b.len, 10);
        file = elf_file(parts, 2);
        image = open_image(&file);
        ck_assert_uint_eq(elf_bytes(&image, elf_find(&image, ".debug_str")).len,
                          0);
        ck_assert_int_eq(image.flaw.code, ERR_CORRUPT);
        elf_image_close(&image);
        free(plain.data);
        free(b.data);
        free(rest.data);
        free(file.data);
    }
}
