/*
 * record - a row as SQLite keeps it.
 *
 *     struct record r = {0};
 *     record_begin(&r);
 *     record_integer(&r, 5); record_bytes(&r, RECORD_TEXT, "a", 1); ...
 *     struct bytes row = record_end(&r);     // until the next record_begin
 *     record_release(&r);
 *
 * The sizes and types of all values, then the values, big-endian and as short
 * as they can be: https://www.sqlite.org/fileformat2.html section 2.1.
 */
#ifndef TOPFN_RECORD_H
#define TOPFN_RECORD_H

#include "engine/base/reader.h"
#include "engine/base/vec.h"

enum {
    RECORD_VALUES = 20, /* of one row; so the header's size is one byte */
    VARINT_BYTES = 5,   /* of the longest we write, below 2^32 */
};

/* What is added to twice the size to be the type of such a value. */
enum record_type { RECORD_BLOB = 12, RECORD_TEXT = 13 };

struct record {
    VEC(uint8_t) bytes; /* values, behind room for the longest header */
    uint8_t types[RECORD_VALUES * VARINT_BYTES];
    size_t types_len;
};

/* SQLite's: big-endian, seven bits a byte; both return how many bytes. */
static inline size_t varint_size(uint32_t value)
{
    return (38 - (unsigned)__builtin_clz(value | 1)) / 7;
}

static inline size_t varint_put(uint8_t *at, uint32_t value)
{
    size_t n = varint_size(value);

    at[n - 1] = value & 0x7F;
    for (size_t i = n - 1; i--;)
        at[i] = (uint8_t)((value >>= 7) | 0x80);
    return n;
}

void record_begin(struct record *r);
void record_null(struct record *r);
void record_integer(struct record *r, int64_t value);
void record_bytes(struct record *r, enum record_type type, const void *data,
                  size_t n);
struct bytes record_end(struct record *r);
void record_release(struct record *r);

#endif
