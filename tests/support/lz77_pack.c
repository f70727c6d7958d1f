/*
 * The stream, after MS-XCA 2.3 "Plain LZ77":
 *
 *   u32 flags     used from bit 31 down, then the next u32 where it is needed
 *     0           one literal byte
 *     1           u16: bits 0..2 length - 3, bits 3..15 distance - 1
 *   length - 3 = 7 or more goes on with what is above 7:
 *     half byte   0..14; two matches share one byte, low half first
 *     15, u8      0..254 above 15
 *     15, 255, u16            length - 3 in full
 *     15, 255, u16 0, u32     length - 3 in full, when 16 bits are too few
 */
#include "tests/support/lz77_pack.h"

#include <assert.h>
#include <string.h>

enum {
    MIN_MATCH = 3,
    WINDOW = 8192,
    HASH_BITS = 13
};

struct packer {
    uint8_t *out;
    size_t used;
    size_t flags_at;  /* where the current flag word goes */
    uint32_t flags;   /* newest flag in bit 0 */
    unsigned flag_count;
    size_t half_at;   /* byte whose high half is free, or 0 */
};

size_t lz77_bound(size_t n)
{
    return n + n / 32 * 4 + 16;
}

static void put_u8(struct packer *p, uint32_t v)
{
    p->out[p->used++] = (uint8_t)v;
}

static void put_u16(struct packer *p, uint32_t v)
{
    put_u8(p, v & 0xFF);
    put_u8(p, (v >> 8) & 0xFF);
}

static void put_u32(struct packer *p, uint32_t v)
{
    put_u16(p, v & 0xFFFF);
    put_u16(p, v >> 16);
}

static void store_flags(struct packer *p)
{
    for (unsigned i = 0; i < 4; i++)
        p->out[p->flags_at + i] = (uint8_t)(p->flags >> (8 * i));
}

static void new_flags(struct packer *p)
{
    p->flags_at = p->used;
    p->used += 4;
    p->flags = 0;
    p->flag_count = 0;
}

static void put_flag(struct packer *p, uint32_t flag)
{
    p->flags = p->flags << 1 | flag;
    if (++p->flag_count == 32) {
        store_flags(p);
        new_flags(p);
    }
}

/* Unused flags are ones: a match flag with no bytes behind it is the end. */
static void finish(struct packer *p)
{
    while (p->flag_count < 32) {
        p->flags = p->flags << 1 | 1;
        p->flag_count++;
    }
    store_flags(p);
}

static void put_half(struct packer *p, uint32_t v)
{
    if (p->half_at) {
        p->out[p->half_at] |= (uint8_t)(v << 4);
        p->half_at = 0;
    } else {
        p->half_at = p->used;
        put_u8(p, v);
    }
}

static void put_long_length(struct packer *p, uint32_t rest)
{
    uint32_t above = rest - 7;

    put_half(p, above < 15 ? above : 15);
    if (above < 15)
        return;
    put_u8(p, above - 15 < 255 ? above - 15 : 255);
    if (above - 15 < 255)
        return;
    put_u16(p, rest <= 0xFFFF ? rest : 0);
    if (rest > 0xFFFF)
        put_u32(p, rest);
}

/*
 * The flag of a token stands before its bytes, so a full flag word must be
 * followed by these bytes first: the new word is only reserved after them.
 */
static void put_match(struct packer *p, size_t length, size_t distance)
{
    uint32_t rest = (uint32_t)(length - MIN_MATCH);

    put_u16(p, (uint32_t)(distance - 1) << 3 | (rest < 7 ? rest : 7));
    if (rest >= 7)
        put_long_length(p, rest);
    put_flag(p, 1);
}

static unsigned hash3(const uint8_t *s)
{
    uint32_t v = (uint32_t)s[0] | (uint32_t)s[1] << 8 | (uint32_t)s[2] << 16;

    return (v * 2654435761u) >> (32 - HASH_BITS);
}

static size_t match_length(const uint8_t *a, const uint8_t *b, size_t max)
{
    size_t n = 0;
    uint64_t x, y;

    while (n + 8 <= max) {
        memcpy(&x, a + n, 8);
        memcpy(&y, b + n, 8);
        if (x != y)
            break;
        n += 8;
    }
    while (n < max && a[n] == b[n])
        n++;
    return n;
}

/* One candidate per hash: the latest place with the same three bytes. */
size_t lz77_pack(const uint8_t *data, size_t n, uint8_t *out)
{
    struct packer p = { .out = out };
    uint32_t latest[1u << HASH_BITS]; /* position + 1, 0 is none */
    size_t i = 0;

    assert(n < 0x7FFFFFFF);
    memset(latest, 0, sizeof(latest));
    new_flags(&p);
    while (i < n) {
        size_t length = 0, from = 0;

        if (n - i >= MIN_MATCH) {
            unsigned h = hash3(data + i);
            from = latest[h];
            latest[h] = (uint32_t)i + 1;
            if (from && i - (from - 1) <= WINDOW)
                length = match_length(data + from - 1, data + i, n - i);
        }
        if (length >= MIN_MATCH) {
            put_match(&p, length, i - (from - 1));
            i += length;
        } else {
            put_u8(&p, data[i++]);
            put_flag(&p, 0);
        }
    }
    finish(&p);
    return p.used;
}
