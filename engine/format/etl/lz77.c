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
 *
 * Two loops do the same. One takes tokens with every check, and is what the
 * format says. The other takes whole groups: far from both ends the input holds
 * whatever 32 tokens may need, and the output has room for 32 short matches, so
 * that nothing is checked but distances, and copies may be wider than what is
 * copied. It leaves the rest of a group to the first one after a long match,
 * for which the room must be looked at again.
 */
#include "engine/format/etl/lz77.h"

#include <string.h>

#include "engine/base/reader.h"

enum {
    GROUP = 32,      /* tokens */
    TOKEN_MOST = 10, /* bytes of a match: 2, and 1, 1, 2 and 4 of length */
    SHORT_MOST = 24, /* length of a match without a byte of its own */
    WIDE = 32,       /* what a copy may write */
    GROUP_IN = GROUP * TOKEN_MOST + WIDE,
    GROUP_OUT = GROUP * SHORT_MOST + WIDE,
};

struct decoder {
    const uint8_t *in, *in_end;
    const uint8_t *nibble; /* byte whose high nibble is unused, or NULL */
    uint8_t *out, *out_start, *out_end;
    uint32_t flags; /* of this group, the next one in bit 31 */
    unsigned left;  /* tokens of this group */
    bool damaged;
};

/* The rest of a match length, behind a nibble of 15. 0 with `damaged` set when
 * the input ends or contradicts itself. */
static size_t longest_length(struct decoder *d)
{
    size_t length;

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

/* The same from the nibble on. */
static size_t long_length(struct decoder *d)
{
    size_t length;

    if (d->nibble) {
        length = *d->nibble >> 4;
        d->nibble = NULL;
    } else if (d->in < d->in_end) {
        d->nibble = d->in++;
        length = *d->nibble & 15;
    } else {
        d->damaged = true;
        return 0;
    }
    return length < 15 ? length + 7 : longest_length(d);
}

/* Copies within the output in words, up to 15 bytes past the end. The two
 * places may overlap, which repeats. */
static inline void copy_words(uint8_t *out, size_t distance, size_t length)
{
    /* The multiple of a small distance that is no less than a word. */
    static const uint8_t far_enough[8] = {0, 8, 8, 9, 8, 10, 12, 14};
    const uint8_t *from = out - distance, *end = out + length;

    if (distance >= 16) {
        for (; out < end; out += 16, from += 16)
            memcpy(out, from, 16);
        return;
    }
    if (distance < 8) {
        for (unsigned i = 0; i < 8; i++)
            out[i] = from[i];
        out += 8;
        from = out - far_enough[distance];
    }
    for (; out < end; out += 8, from += 8)
        memcpy(out, from, 8);
}

static void copy_match(struct decoder *d, size_t distance, size_t length)
{
    size_t room = (size_t)(d->out_end - d->out);

    if (length > room)
        length = room;
    if (room - length >= 16) {
        copy_words(d->out, distance, length);
        d->out += length;
        return;
    }
    for (; length; length--, d->out++)
        *d->out = *(d->out - distance);
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

/* One token after the other until an end. */
static void take_tokens(struct decoder *d)
{
    while (d->out < d->out_end) {
        if (!d->left) {
            if (d->in_end - d->in < 4) {
                d->damaged = d->in != d->in_end;
                break;
            }
            d->flags = load_u32(d->in);
            d->in += 4;
            d->left = GROUP;
        }
        if (d->flags >> 31) {
            if (!take_match(d))
                break;
        } else {
            if (d->in == d->in_end)
                break;
            *d->out++ = *d->in++;
        }
        d->flags <<= 1;
        d->left--;
    }
}

/* A match of at most SHORT_MOST bytes; WIDE may be written. */
static inline void copy_short(uint8_t *out, size_t distance, size_t length)
{
    if (distance < 16) {
        copy_words(out, distance, length);
        return;
    }
    memcpy(out, out - distance, 16);
    if (length > 16)
        memcpy(out + 16, out + 16 - distance, 16);
}

/* Literals up to the next match or the group's end: 32 at most. */
static inline void copy_literals(uint8_t *out, const uint8_t *in, unsigned n)
{
    memcpy(out, in, 16);
    if (n > 16)
        memcpy(out + 16, in + 16, 16);
}

/* The tokens of one group; false when what follows is to be taken with care:
 * behind a match that left too little room, and at damage. */
static bool take_group(struct decoder *d)
{
    const uint8_t *in = d->in + 4, *nibble = d->nibble;
    uint8_t *out = d->out, *const start = d->out_start;
    uint64_t flags = (uint64_t)load_u32(d->in) << 32;
    unsigned left = GROUP;
    bool room = true;

    for (;;) {
        /* A bit below the flags ends a run of literals at the group's end. */
        unsigned literals =
            (unsigned)__builtin_clzll(flags | (uint64_t)1 << (63 - left));
        size_t length, distance;

        copy_literals(out, in, literals);
        in += literals;
        out += literals;
        left -= literals;
        if (!left)
            break;
        flags <<= literals + 1;
        left--;
        length = load_u16(in);
        distance = (length >> 3) + 1;
        length &= 7;
        in += 2;
        if (length == 7) {
            length += nibble ? *nibble >> 4 : *in & 15;
            nibble = nibble ? NULL : in++;
        }
        if (distance > (size_t)(out - start)) {
            d->damaged = true;
            break;
        }
        if (length < 7 + 15) {
            copy_short(out, distance, length + 3);
            out += length + 3;
            continue;
        }
        d->in = in;
        d->out = out;
        length = longest_length(d);
        if (d->damaged)
            break;
        copy_match(d, distance, length + 3);
        in = d->in;
        out = d->out;
        room = d->out_end - out >= GROUP_OUT;
        if (!room)
            break;
    }
    d->in = in;
    d->nibble = nibble;
    d->out = out;
    d->flags = (uint32_t)(flags >> 32);
    d->left = left;
    return room && !d->damaged;
}

static void take_groups(struct decoder *d)
{
    while (d->in_end - d->in >= GROUP_IN && d->out_end - d->out >= GROUP_OUT)
        if (!take_group(d))
            break;
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

    take_groups(&d);
    if (!d.damaged)
        take_tokens(&d);
    *damaged = d.damaged;
    return (size_t)(d.out - out);
}
