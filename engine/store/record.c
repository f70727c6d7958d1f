#include "engine/store/record.h"

#include <assert.h>

/* A header's size, then its types. */
enum { HEADER_MOST = 1 + RECORD_VALUES * VARINT_BYTES };

enum { TYPE_NULL, TYPE_ZERO = 8, TYPE_ONE };

/* Room for as many numbers as there can be, whatever else there is. */
static void reserve(struct record *r, size_t n)
{
    vec_reserve(&r->bytes, n + RECORD_VALUES * sizeof(uint64_t));
}

void record_begin(struct record *r)
{
    r->types_len = 0;
    r->bytes.len = 0;
    reserve(r, HEADER_MOST);
    r->bytes.len = HEADER_MOST;
}

static void add_type(struct record *r, uint32_t type)
{
    assert(r->types_len + VARINT_BYTES <= sizeof(r->types));
    r->types_len += varint_put(r->types + r->types_len, type);
}

static inline void add_short_type(struct record *r, uint8_t type)
{
    assert(r->types_len < sizeof(r->types));
    r->types[r->types_len++] = type;
}

void record_null(struct record *r)
{
    add_short_type(r, TYPE_NULL);
}

/* Type and size of a number, by the bytes that it needs. */
static const struct {
    uint8_t type, size;
} integers[] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4},
                {5, 6}, {5, 6}, {6, 8}, {6, 8}};

void record_integer(struct record *r, int64_t value)
{
    uint64_t bits = (uint64_t)value;
    unsigned needed, size;

    if (bits <= 1) {
        add_short_type(r, bits ? TYPE_ONE : TYPE_ZERO);
        return;
    }
    needed = 65 - (unsigned)__builtin_clzll(value < 0 ? ~bits | 1 : bits);
    needed = (needed + 7) / 8;
    size = integers[needed].size;
    add_short_type(r, integers[needed].type);
    /* Whole words are stored, of which the first bytes count. */
    store_u64(r->bytes.data + r->bytes.len,
              __builtin_bswap64(bits << (64 - 8 * size)));
    r->bytes.len += size;
}

void record_bytes(struct record *r, enum record_type type, const void *data,
                  size_t n)
{
    add_type(r, (uint32_t)(2 * n) + type);
    reserve(r, n);
    if (n)
        memcpy(r->bytes.data + r->bytes.len, data, n);
    r->bytes.len += n;
}

struct bytes record_end(struct record *r)
{
    size_t from = HEADER_MOST - r->types_len - 1;
    uint8_t *at = r->bytes.data + from;

    *at = (uint8_t)(r->types_len + 1);
    memcpy(at + 1, r->types, r->types_len);
    return (struct bytes){at, r->bytes.len - from};
}

void record_release(struct record *r)
{
    vec_release(&r->bytes);
}
