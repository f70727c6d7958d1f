/*
 * XPRESS with Huffman codes (format.md, section 5). Symbol 256 may mark the
 * end; as the size is known, it need not be told apart.
 */
#include "engine/container/xpress.h"

#include <string.h>

#include "engine/base/reader.h"

enum {
    SYMBOLS = 512,
    LONGEST_CODE = 15,
    CODES = 1 << LONGEST_CODE,
    TABLE_SIZE = 256,
    LEAST_MATCH = 3,
};

struct decoder {
    const uint8_t *in;
    size_t pos, size;
    uint32_t bits; /* next bit on top */
    int spare;     /* bits beyond the 16 that are always there */
    int phantom;   /* bits that are not in the input: read ahead of its end */
    uint16_t codes[CODES]; /* symbol << 4 | length; 0: no such code */
};

static uint32_t next_word(struct decoder *d)
{
    uint32_t word = 0;

    if (d->size - d->pos >= 2) {
        word = load_u16(d->in + d->pos);
        d->pos += 2;
    } else {
        d->phantom += 16;
    }
    return word;
}

/* Drops `n` (at most 15) bits. False when they were not in the input. */
static bool drop_bits(struct decoder *d, int n)
{
    d->bits <<= n;
    d->spare -= n;
    if (d->spare < 0) {
        d->bits |= next_word(d) << -d->spare;
        d->spare += 16;
    }
    return d->spare + 16 >= d->phantom;
}

/* False when there are more codes than fit. */
static bool build_codes(struct decoder *d)
{
    size_t at = 0;

    memset(d->codes, 0, sizeof(d->codes));
    for (unsigned length = 1; length <= LONGEST_CODE; length++) {
        size_t n = (size_t)CODES >> length;

        for (unsigned symbol = 0; symbol < SYMBOLS; symbol++) {
            if ((symbol & 1 ? d->in[symbol / 2] >> 4
                            : d->in[symbol / 2] & 15) != length)
                continue;
            if (n > CODES - at)
                return false;
            for (size_t i = 0; i < n; i++)
                d->codes[at++] = (uint16_t)(symbol << 4 | length);
        }
    }
    return true;
}

/* The rest of a length whose 4 bits were all ones. */
static bool long_length(struct decoder *d, size_t *length)
{
    struct reader r = reader_of("block", d->in, d->size, 0, NULL);
    uint32_t n;

    r.pos = d->pos;
    n = reader_u8(&r);
    if (n == 255) {
        n = reader_u16(&r);
        if (!n)
            n = reader_u32(&r);
        if (n < 15)
            return false;
        n -= 15;
    }
    d->pos = r.pos;
    *length = (size_t)n + 15;
    return !r.failed;
}

static bool copy_match(struct decoder *d, unsigned symbol, uint8_t *out,
                       size_t *at, size_t size)
{
    int extra = (int)(symbol >> 4) & 15;
    size_t length = symbol & 15, distance = (size_t)1 << extra;

    if (length == 15 && !long_length(d, &length))
        return false;
    length += LEAST_MATCH;
    if (extra)
        distance += d->bits >> (32 - extra);
    if (!drop_bits(d, extra) || distance > *at || length > size - *at)
        return false;
    for (; length; length--, ++*at)
        out[*at] = out[*at - distance];
    return true;
}

static bool decode(struct decoder *d, uint8_t *out, size_t size)
{
    size_t at = 0;

    d->pos = TABLE_SIZE;
    d->bits = next_word(d) << 16;
    d->bits |= next_word(d);
    d->spare = 16;
    while (at < size) {
        uint16_t code = d->codes[d->bits >> (32 - LONGEST_CODE)];
        unsigned symbol = code >> 4;

        if (!code || !drop_bits(d, code & 15))
            return false;
        if (symbol < 256)
            out[at++] = (uint8_t)symbol;
        else if (!copy_match(d, symbol, out, &at, size))
            return false;
    }
    return true;
}

bool xpress_huffman(const uint8_t *packed, size_t packed_size, uint8_t *out,
                    size_t size)
{
    struct decoder d = {.in = packed, .size = packed_size};

    if (packed_size < TABLE_SIZE || size > XPRESS_BLOCK)
        return false;
    return build_codes(&d) && decode(&d, out, size);
}
