/*
 * pe_writer - a Windows image under construction, with a section of code and
 * one of data.
 *
 *     struct blob b = pe_image_of(PE_X64, true);
 *     pe_put_words(&b, IMAGE_DATA, words, n);
 *     pe_set_directory(&b, true, PE_EXCEPTION, IMAGE_DATA, 4 * n);
 *     free(b.data);
 */
#ifndef TOPFN_TESTS_PE_WRITER_H
#define TOPFN_TESTS_PE_WRITER_H

#include <stdbool.h>

#include "symbols/pe/pe.h"
#include "tests/support/blob.h"

enum {
    IMAGE_HEADER = 0x40,
    IMAGE_OPTIONAL = IMAGE_HEADER + 24,
    IMAGE_TEXT = 0x1000,
    IMAGE_TEXT_AT = 0x400,
    IMAGE_TEXT_SIZE = 0x200,
    IMAGE_DATA = 0x3000, /* larger in memory than in the file */
    IMAGE_DATA_AT = 0x600,
    IMAGE_DATA_SIZE = 0x800,
    IMAGE_DATA_MEMORY = 0xA00,
    IMAGE_END = IMAGE_DATA_AT + IMAGE_DATA_SIZE,
};

static inline void pe_put_section(struct blob *b, uint32_t size, uint32_t rva,
                                  uint32_t raw, uint32_t at, uint32_t flags)
{
    blob_bytes(b, ".section", 8);
    blob_pack(b, "IIII12xI", size, rva, raw, at, flags);
}

static inline size_t pe_directory_at(bool wide, enum pe_directory i)
{
    return (size_t)IMAGE_OPTIONAL + (wide ? 112 : 96) + 8 * (size_t)i;
}

/* An image without anything in its two sections. */
static inline struct blob pe_image_of(uint16_t machine, bool wide)
{
    struct blob b = {0};
    size_t end = pe_directory_at(wide, PE_DIRECTORIES);

    blob_bytes(&b, "MZ", 2);
    blob_zero(&b, end - 2);
    blob_set(&b, 60, IMAGE_HEADER, 4);
    memcpy(b.data + IMAGE_HEADER, "PE\0\0", 4);
    blob_set(&b, IMAGE_HEADER + 4, machine, 2);
    blob_set(&b, IMAGE_HEADER + 6, 2, 2);
    blob_set(&b, IMAGE_HEADER + 8, 0x5F000001, 4);
    blob_set(&b, IMAGE_HEADER + 12, 0x111, 4);
    blob_set(&b, IMAGE_HEADER + 16, 0x222, 4);
    blob_set(&b, IMAGE_HEADER + 20, end - IMAGE_OPTIONAL, 2);
    blob_set(&b, IMAGE_OPTIONAL, wide ? 0x20B : 0x10B, 2);
    blob_set(&b, IMAGE_OPTIONAL + (wide ? 24 : 28), 0x400000, wide ? 8 : 4);
    blob_set(&b, IMAGE_OPTIONAL + 56, 0x9000, 4);
    blob_set(&b, IMAGE_OPTIONAL + 60, 0x400, 4);
    blob_set(&b, IMAGE_OPTIONAL + (wide ? 108 : 92), PE_DIRECTORIES, 4);
    pe_put_section(&b, IMAGE_TEXT_SIZE, IMAGE_TEXT, IMAGE_TEXT_SIZE,
                   IMAGE_TEXT_AT, 0x60000020);
    pe_put_section(&b, IMAGE_DATA_MEMORY, IMAGE_DATA, IMAGE_DATA_SIZE,
                   IMAGE_DATA_AT, 0x40000040);
    blob_zero(&b, IMAGE_END - b.len);
    return b;
}

static inline void pe_set_directory(struct blob *b, bool wide,
                                    enum pe_directory i, uint32_t rva,
                                    uint32_t size)
{
    blob_set(b, pe_directory_at(wide, i), rva, 4);
    blob_set(b, pe_directory_at(wide, i) + 4, size, 4);
}

/* Words at an RVA of the second section. */
static inline void pe_put_words(struct blob *b, uint32_t rva,
                                const uint32_t *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        blob_set(b, rva - IMAGE_DATA + IMAGE_DATA_AT + 4 * i, words[i], 4);
}

#endif
