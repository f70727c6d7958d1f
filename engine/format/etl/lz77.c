/*
 * The stream is a sequence of groups: a 32-bit flag word, then 32 tokens,
 * one per flag from bit 31 down.
 *
 *   flag 0   one literal byte
 *   flag 1   a match: 16 bits, (distance - 1) << 3 | length
 *
 * A length of 7 is extended by a nibble. Two matches share a byte: the first
 * reads it and takes the low nibble, the second takes the high nibble of
 * that same byte, wherever the stream has got to. A nibble of 15 is extended
 * by a byte, a byte of 255 by 16 bits, 16 bits of 0 by 32 bits. Every match
 * is 3 longer than its number. The output may end inside a match.
 */
#include "engine/format/etl/lz77.h"

#include <string.h>

#include "engine/base/reader.h"

struct decoder {
    const uint8_t *in, *in_end;
    const uint8_t *nibble; /* byte whose high nibble is unused, or NULL */
    uint8_t *out, *out_start, *out_end;
    bool damaged;
};

/* The rest of a match length, from the nibble on. 0 with `damaged` set when
 * the input ends or contradicts itself. */
static size_t long_length(struct decoder *d)
{
    size_t length;

    if (d->nibble) {
        length = *d->nibble >> 4;
        d->nibble = NULL;
    } else {
        if (d->in == d->in_end)
            goto damaged;
        d->nibble = d->in++;
        length = *d->nibble & 15;
    }
    if (length < 15)
        return length + 7;
    if (d->in == d->in_end)
        goto damaged;
    length = *d->in++;
    if (length < 255)
        return length + 15 + 7;
    if (d->in_end - d->in < 2)
        goto damaged;
    length = load_u16(d->in);
    d->in += 2;
    if (!length) {
        if (d->in_end - d->in < 4)
            goto damaged;
        length = load_u32(d->in);
        d->in += 4;
    }
    if (length < 15 + 7)
        goto damaged;
    return length;
damaged:
    d->damaged = true;
    return 0;
}

/* Copies within the output; the two places may overlap, which repeats. */
static void copy_match(struct decoder *d, size_t distance, size_t length)
{
    const uint8_t *from = d->out - distance;
    size_t room = (size_t)(d->out_end - d->out);

    if (length > room)
        length = room;
    if (distance >= 8 && room >= length + 8) {
        /* Whole words, up to 7 bytes past the end: room was checked. */
        uint8_t *end = d->out + length;

        for (; d->out < end; d->out += 8, from += 8)
            memcpy(d->out, from, 8);
        d->out = end;
        return;
    }
    while (length--)
        *d->out++ = *from++;
}

/* False when the stream ends here. */
static bool take_match(struct decoder *d)
{
    size_t length, distance;

    if (d->in_end - d->in < 2) {
        d->damaged = d->in != d->in_end;
        return false;
    }
    length = load_u16(d->in);
    d->in += 2;
    distance = (length >> 3) + 1;
    length &= 7;
    if (length == 7) {
        length = long_length(d);
        if (d->damaged)
            return false;
    }
    if (distance > (size_t)(d->out - d->out_start)) {
        d->damaged = true;
        return false;
    }
    copy_match(d, distance, length + 3);
    return true;
}

size_t lz77_decode(const uint8_t *in, size_t in_size, uint8_t *out,
                   size_t out_size, bool *damaged)
{
    struct decoder d = {
        .in = in,
        .in_end = in + in_size,
        .out = out,
        .out_start = out,
        .out_end = out + out_size,
    };
    uint32_t flags = 0;
    unsigned left = 0;

    while (d.out < d.out_end) {
        if (!left) {
            if (d.in_end - d.in < 4) {
                d.damaged = d.in != d.in_end;
                break;
            }
            flags = load_u32(d.in);
            d.in += 4;
            left = 32;
        }
        if (flags >> 31) {
            if (!take_match(&d))
                break;
        } else {
            if (d.in == d.in_end)
                break;
            *d.out++ = *d.in++;
        }
        flags <<= 1;
        left--;
    }
    *damaged = d.damaged;
    return (size_t)(d.out - out);
}
