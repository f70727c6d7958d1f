/*
 * reader - the one way to read untrusted bytes.
 *
 *     struct reader r = reader_of("app.etl", bytes, size, offset, &err);
 *     uint32_t n = reader_count(&r, 8, "entry");
 *     while (n-- && reader_more(&r))
 *         add(reader_u64(&r));
 *     if (r.failed) ...
 *
 * After the first failure every read returns 0 (or an empty slice) and the
 * reason is already in `err`, so a parser reads like its specification and
 * tests `failed` once per record. Little-endian; nothing needs alignment.
 * Slices point into the input and live as long as it does.
 */
#ifndef TOPFN_READER_H
#define TOPFN_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "engine/base/err.h"

struct reader {
    const uint8_t *base;
    size_t len;
    size_t pos;
    const char *name; /* of the file or record, for messages */
    uint64_t offset;  /* of base[0] in the file, for messages */
    struct err *err;  /* may be NULL: then only `failed` tells */
    bool failed;
};

struct bytes {
    const uint8_t *data;
    size_t len;
};

static inline bool bytes_are(struct bytes b, const char *text)
{
    return b.len == strlen(text) && !memcmp(b.data, text, b.len);
}

struct reader reader_of(const char *name, const void *base, size_t len,
                        uint64_t offset, struct err *err);

/* Marks the failure; the message gets the name and the file offset. */
void reader_fail(struct reader *r, enum err_code code, const char *what);

static inline size_t reader_left(const struct reader *r)
{
    return r->failed ? 0 : r->len - r->pos;
}

/* False at the end and after a failure, so no loop spins. */
static inline bool reader_more(const struct reader *r)
{
    return reader_left(r) > 0;
}

/* The one comparison of lengths. The address of the next `n` bytes, which
 * are consumed; NULL after a failure. */
static inline const uint8_t *reader_take(struct reader *r, size_t n)
{
    const uint8_t *at;

    if (r->failed || n > r->len - r->pos) {
        reader_fail(r, ERR_TRUNCATED, "value");
        return NULL;
    }
    at = r->base + r->pos;
    r->pos += n;
    return at;
}

/* Loads from bytes already known to be there; for hot loops that compare
 * lengths once per record. */
static inline uint16_t load_u16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t load_u32(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
           (uint32_t)p[3] << 24;
}

static inline uint64_t load_u64(const uint8_t *p)
{
    return load_u32(p) | (uint64_t)load_u32(p + 4) << 32;
}

static inline void store_u32(uint8_t *p, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        p[i] = (uint8_t)(value >> 8 * i);
}

static inline void store_u64(uint8_t *p, uint64_t value)
{
    store_u32(p, (uint32_t)value);
    store_u32(p + 4, (uint32_t)(value >> 32));
}

/* `swapped`: the file has the other byte order. */
static inline uint64_t load_u64_in(const uint8_t *p, bool swapped)
{
    uint64_t value = load_u64(p);

    return swapped ? __builtin_bswap64(value) : value;
}

/* A pointer of `width` 4 or 8 bytes. */
static inline uint64_t load_ptr(const uint8_t *p, unsigned width)
{
    return width == 8 ? load_u64(p) : load_u32(p);
}

static inline uint8_t reader_u8(struct reader *r)
{
    const uint8_t *p = reader_take(r, 1);

    return p ? *p : 0;
}

static inline uint16_t reader_u16(struct reader *r)
{
    const uint8_t *p = reader_take(r, 2);

    return p ? load_u16(p) : 0;
}

static inline uint32_t reader_u32(struct reader *r)
{
    const uint8_t *p = reader_take(r, 4);

    return p ? load_u32(p) : 0;
}

static inline uint64_t reader_u64(struct reader *r)
{
    const uint8_t *p = reader_take(r, 8);

    return p ? load_u64(p) : 0;
}

static inline uint64_t reader_ptr(struct reader *r, unsigned width)
{
    const uint8_t *p = reader_take(r, width);

    return p ? load_ptr(p, width) : 0;
}

/* The same for files in the byte order of the machine that wrote them:
 * `swapped` if it is not little-endian. */
static inline uint16_t reader_u16_in(struct reader *r, bool swapped)
{
    uint16_t value = reader_u16(r);

    return swapped ? __builtin_bswap16(value) : value;
}

static inline uint32_t reader_u32_in(struct reader *r, bool swapped)
{
    uint32_t value = reader_u32(r);

    return swapped ? __builtin_bswap32(value) : value;
}

static inline uint64_t reader_u64_in(struct reader *r, bool swapped)
{
    const uint8_t *p = reader_take(r, 8);

    return p ? load_u64_in(p, swapped) : 0;
}

/* Consumes `n` bytes. */
static inline void reader_skip(struct reader *r, size_t n)
{
    (void)reader_take(r, n);
}

/* Moves to the next multiple of `align` (a power of two) from base. */
void reader_align(struct reader *r, size_t align);

/* LEB128. More bits than 64 is a failure. Most numbers are one byte. */
uint64_t reader_long_uleb(struct reader *r);

static inline uint64_t reader_uleb(struct reader *r)
{
    if (reader_more(r) && r->base[r->pos] < 0x80)
        return r->base[r->pos++];
    return reader_long_uleb(r);
}

/* The same with a sign; bits beyond 64 are dropped. */
int64_t reader_sleb(struct reader *r);

/* The number of 1, 2 or 4 bytes, big-endian behind its length bits, of .NET
 * metadata (ECMA-335, II.23.2) and of PDB annotations. *bits, which may be
 * NULL, becomes how many bits it had: 7, 14 or 29. */
uint32_t reader_compressed(struct reader *r, unsigned *bits);

struct bytes reader_bytes(struct reader *r, size_t n);

/* Bytewise, as qsort asks; the shorter of two that begin alike is first. */
int bytes_compare(struct bytes a, struct bytes b);

/* Up to a NUL, which is consumed and not part of the slice. With no NUL
 * before the end, everything left: writers cut strings off. */
struct bytes reader_cstr(struct reader *r);

/* The same for UTF-16: `len` counts bytes and is even. An odd last byte is
 * consumed and dropped. */
struct bytes reader_utf16(struct reader *r);

/* The next `n` bytes as a reader that cannot see past them. */
struct reader reader_sub(struct reader *r, size_t n, const char *what);

/* A reader over all bytes, standing at `pos`: for offsets met in a file. */
struct reader reader_at(const struct reader *r, uint64_t pos, const char *what);

/* A u32 count of things of at least `min_size` bytes each; refuses what the
 * remaining bytes could not hold, so memory stays proportional to input. */
uint32_t reader_count(struct reader *r, size_t min_size, const char *what);

#endif
