/*
 * elf_made - ELF files of some code, to which sections, segments and notes may
 * be added.
 *
 *     struct blob file = elf_file(parts, n);
 *     add_segments(&file, segments, 1);
 */
#ifndef TOPFN_TESTS_ELF_MADE_H
#define TOPFN_TESTS_ELF_MADE_H

#include <elf.h>
#include <stddef.h>

#include "symbols/elf/image.h"
#include "tests/support/elf_writer.h"
#include "tests/support/suite.h"

enum { TEXT = 0x401000, TEXT_SIZE = 0x100 };

/* A field of the header, of so many bytes. */
#define SET_HEADER(file, field, width, value)                                  \
    blob_set(file, offsetof(Elf64_Ehdr, field), value, width)

static inline void add_segments(struct blob *file, const Elf64_Phdr *all,
                                uint16_t n)
{
    SET_HEADER(file, e_phoff, 8, file->len);
    SET_HEADER(file, e_phnum, 2, n);
    SET_HEADER(file, e_phentsize, 2, sizeof(*all));
    blob_bytes(file, all, n * sizeof(*all));
}

/* A file of some code, to which sections may be added. */
static inline struct blob elf_file(const struct elf_part *more, size_t n)
{
    struct elf_part parts[8] = {{.name = ".text",
                                 .type = SHT_PROGBITS,
                                 .flags = SHF_ALLOC | SHF_EXECINSTR,
                                 .address = TEXT}};
    struct blob code = {0}, file;

    for (size_t i = 0; i < TEXT_SIZE; i++)
        blob_u8(&code, (uint8_t)i);
    parts[0].bytes = &code;
    for (size_t i = 0; i < n; i++)
        parts[i + 1] = more[i];
    file = elf_of(parts, n + 1);
    free(code.data);
    return file;
}

static inline struct elf_image open_image(const struct blob *file)
{
    struct elf_image image;
    struct err err = {0};

    ck_assert_msg(!elf_image_open(&image, "made", file->data, file->len, &err),
                  "%s", err.message);
    return image;
}

#define LOAD(flags, offset, address, size)                                     \
    {                                                                          \
        PT_LOAD, flags, offset, address, 0, size, size, 1                      \
    }

static inline void put_note(struct blob *b, uint32_t type, const char *name,
                            uint32_t size, uint8_t fill)
{
    blob_pack(b, "III", (uint32_t)strlen(name) + 1, size, type);
    blob_bytes(b, name, strlen(name) + 1);
    blob_align(b, 4);
    for (uint32_t i = 0; i < size; i++)
        blob_u8(b, fill);
    blob_align(b, 4);
}

/* Others before it do not count. */
static inline struct blob notes_of(uint32_t size)
{
    struct blob b = {0};

    put_note(&b, NT_GNU_ABI_TAG, "GNU", 16, 1);
    put_note(&b, NT_GNU_BUILD_ID, "GNUX", 5, 2);
    put_note(&b, NT_GNU_BUILD_ID, "XYZ", 5, 2);
    put_note(&b, NT_GNU_BUILD_ID, "GNU", 0, 3);
    put_note(&b, NT_GNU_BUILD_ID, "GNU", size, 4);
    put_note(&b, NT_GNU_BUILD_ID, "GNU", 20, 5);
    return b;
}

#endif
