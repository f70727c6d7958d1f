/*
 * parts - parts of a profile of pprof, made by hand.
 *
 *     struct blob b = {0};
 *     MESSAGE(&b, TYPE, 1, 2, 2, 3);
 *     put_bytes(&b, STRING, "cpu", 3);
 *     free(b.data);
 */
#ifndef TOPFN_TESTS_PPROF_PARTS_H
#define TOPFN_TESTS_PPROF_PARTS_H

#include "tests/support/blob.h"

static inline void put_varint(struct blob *b, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        blob_u8(b, (uint8_t)(value | 0x80));
    blob_u8(b, (uint8_t)value);
}

static inline void put_number(struct blob *b, unsigned field, uint64_t value)
{
    put_varint(b, field << 3);
    put_varint(b, value);
}

static inline void put_bytes(struct blob *b, unsigned field, const void *bytes,
                             size_t size)
{
    put_varint(b, field << 3 | 2);
    put_varint(b, size);
    blob_bytes(b, bytes, size);
}

/* Pairs of a field and its number, up to a field 0. */
static inline void put_message(struct blob *b, unsigned field,
                               const uint64_t *pairs)
{
    struct blob m = {0};

    for (; pairs[0]; pairs += 2)
        put_number(&m, (unsigned)pairs[0], pairs[1]);
    put_bytes(b, field, m.data, m.len);
    free(m.data);
}

#define MESSAGE(b, field, ...)                                                 \
    put_message(b, field, (const uint64_t[]){__VA_ARGS__, 0, 0})

enum { TYPE = 1, SAMPLE, MAPPING, LOCATION, FUNCTION, STRING };

#endif
