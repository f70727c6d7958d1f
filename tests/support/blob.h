/*
 * blob - bytes of a file under construction.
 *
 *     struct blob b = {0};
 *     blob_u32(&b, 0x06054B50);
 *     blob_pack(&b, "HI8xQ", 1, 2, 3);
 *     blob_utf16(&b, "C:\\a.exe", 520);
 *     free(b.data);
 */
#ifndef TOPFN_TESTS_BLOB_H
#define TOPFN_TESTS_BLOB_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/vec.h"

struct blob {
    uint8_t *data;
    size_t len, cap;
};

static inline void blob_bytes(struct blob *b, const void *bytes, size_t n)
{
    vec_reserve(b, n);
    if (n)
        memcpy(b->data + b->len, bytes, n);
    b->len += n;
}

static inline void blob_zero(struct blob *b, size_t n)
{
    vec_reserve(b, n);
    if (n)
        memset(b->data + b->len, 0, n);
    b->len += n;
}

static inline void blob_number(struct blob *b, uint64_t value, unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        *vec_add(b) = (uint8_t)(value >> 8 * i);
}

static inline void blob_u8(struct blob *b, uint8_t value)
{
    blob_number(b, value, 1);
}

static inline void blob_u16(struct blob *b, uint16_t value)
{
    blob_number(b, value, 2);
}

static inline void blob_u32(struct blob *b, uint32_t value)
{
    blob_number(b, value, 4);
}

static inline void blob_u64(struct blob *b, uint64_t value)
{
    blob_number(b, value, 8);
}

/* Numbers by the letters of Python's struct: B, H, I and Q have 1, 2, 4 and 8
 * bytes, 20x is as many zeros. */
#define blob_pack(b, format, ...)                                              \
    blob_pack_list(b, format, (const uint64_t[]){__VA_ARGS__})

static inline void blob_pack_list(struct blob *b, const char *format,
                                  const uint64_t *values)
{
    static const char letters[] = "BHIQ";
    char *end;

    for (; *format; format++) {
        const char *letter = strchr(letters, *format);

        if (letter) {
            blob_number(b, *values++, 1u << (letter - letters));
        } else {
            blob_zero(b, strtoul(format, &end, 10));
            format = end; /* the x */
        }
    }
}

/* Overwrites `width` bytes that are there. */
static inline void blob_set(struct blob *b, size_t at, uint64_t value,
                            unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        b->data[at + i] = (uint8_t)(value >> 8 * i);
}

/* ASCII as UTF-16 in a field of `size` bytes; 0: as long as the text. */
static inline void blob_utf16(struct blob *b, const char *text, size_t size)
{
    size_t end = b->len + (size ? size : 2 * strlen(text));

    for (; *text && b->len + 2 <= end; text++)
        blob_u16(b, (uint8_t)*text);
    blob_zero(b, end - b->len);
}

/* Zeros up to a multiple of `align`. */
static inline void blob_align(struct blob *b, size_t align)
{
    blob_zero(b, (align - b->len % align) % align);
}

#endif
