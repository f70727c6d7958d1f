/*
 * Plain LZ77: groups of a 32-bit flag word and 32 tokens (format.md, section
 * 1.3). The output may end inside a match.
 *
 * Two loops do the same. One takes tokens with every check, and is what the
 * format says. The other takes whole groups, far from both ends: the input
 * holds what 32 tokens need and the output has room for them as long as all
 * matches are short, so that copies may be wider than what is copied and only
 * distances are checked. Any other match is taken as the first loop takes it,
 * and then the room is looked at again. Without it `top` of a packed log of
 * 4 MB takes 13 % more time.
 */
#include "engine/format/etl/lz77.h"

#include <string.h>

#include "engine/base/reader.h"

enum {
    GROUP = 32,     /* tokens */
    SHORT_MOST = 9, /* length of a match of two bytes */
    WIDE = 32,      /* what a copy may read or write behind its place */
    GROUP_IN = 4 + 2 * GROUP + WIDE,
    GROUP_OUT = SHORT_MOST * GROUP + WIDE,
};

struct decoder {
    const uint8_t *in, *in_end;
    const uint8_t *nibble; /* byte whose high nibble is unused, or NULL */
    uint8_t *out, *out_start, *out_end;
    uint32_t flags; /* of this group, the next one in bit 0 */
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

/* The same from the nibble on. The halves take turns, far apart: which one it
 * is is chosen without a branch. */
static size_t long_length(struct decoder *d)
{
    bool second = d->nibble;
    const uint8_t *nibble = second ? d->nibble : d->in;
    size_t length;

    if (nibble == d->in_end) {
        d->damaged = true;
        return 0;
    }
    length = *nibble >> (second ? 4 : 0) & 15;
    d->in += !second;
    d->nibble = second ? NULL : nibble;
    return length < 15 ? length + 7 : longest_length(d);
}

/* Copies within the output in words, less than WIDE bytes past the end. The
 * two places may overlap, which repeats. */
static inline void copy_words(uint8_t *out, size_t distance, size_t length)
{
    /* The multiple of a small distance that is no less than a word. */
    static const uint8_t far_enough[8] = {0, 8, 8, 9, 8, 10, 12, 14};
    const uint8_t *from = out - distance, *end = out + length;

    if (distance >= 16) {
        for (; out < end; out += 32, from += 32) {
            memcpy(out, from, 16);
            memcpy(out + 16, from + 16, 16);
        }
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

static inline void copy_match(struct decoder *d, size_t distance, size_t length)
{
    size_t room = (size_t)(d->out_end - d->out);

    if (length > room)
        length = room;
    if (room - length >= WIDE) {
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

/* The flags of a group turned round, the first in bit 0: the lowest bit set
 * is found faster than the highest. */
static inline uint32_t load_flags(const uint8_t *in)
{
    uint32_t flags = load_u32(in);

    flags = (flags >> 1 & 0x55555555) | (flags & 0x55555555) << 1;
    flags = (flags >> 2 & 0x33333333) | (flags & 0x33333333) << 2;
    flags = (flags >> 4 & 0x0F0F0F0F) | (flags & 0x0F0F0F0F) << 4;
    return __builtin_bswap32(flags);
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
            d->flags = load_flags(d->in);
            d->in += 4;
            d->left = GROUP;
        }
        if (d->flags & 1) {
            if (!take_match(d))
                break;
        } else {
            if (d->in == d->in_end)
                break;
            *d->out++ = *d->in++;
        }
        d->flags >>= 1;
        d->left--;
    }
}

static inline bool has_room(const struct decoder *d)
{
    return d->in_end - d->in >= GROUP_IN && d->out_end - d->out >= GROUP_OUT;
}

/* Copies a match of at most SHORT_MOST bytes. If source and target overlap in a
 * word, only the first `distance` bytes of it are right yet. */
static inline void copy_short(uint8_t *out, size_t distance, size_t length)
{
    uint8_t word[16];

    if (distance < length) {
        copy_words(out, distance, length);
        return;
    }
    memcpy(word, out - distance, 16);
    memcpy(out, word, 16);
}

/* The tokens of one group; false when what follows is to be taken with care:
 * behind a match that left too little room, and at damage. A bit behind the
 * flags ends the last run of literals. */
static bool take_group(struct decoder *d)
{
    uint64_t flags = load_flags(d->in) | (uint64_t)1 << GROUP;
    const uint8_t *in = d->in + 4;
    uint8_t *out = d->out, *const start = d->out_start;

    for (;;) {
        size_t literals = (size_t)__builtin_ctzll(flags), length, distance;

        /* Literals up to the next match or the group's end. */
        memcpy(out, in, 16);
        if (literals > 16)
            memcpy(out + 16, in + 16, 16);
        in += literals;
        out += literals;
        flags >>= literals;
        if (flags == 1)
            break;
        flags >>= 1;
        length = load_u16(in);
        distance = (length >> 3) + 1;
        length = (length & 7) + 3;
        if (length <= SHORT_MOST && distance <= (size_t)(out - start)) {
            copy_short(out, distance, length);
            in += 2;
            out += length;
            continue;
        }
        d->in = in;
        d->out = out;
        if (!take_match(d) || !has_room(d)) {
            d->flags = (uint32_t)flags;
            d->left = 63 - (unsigned)__builtin_clzll(flags);
            return false;
        }
        in = d->in;
        out = d->out;
    }
    d->in = in;
    d->out = out;
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

    while (has_room(&d) && take_group(&d))
        ;
    if (!d.damaged)
        take_tokens(&d);
    *damaged = d.damaged;
    return (size_t)(d.out - out);
}
