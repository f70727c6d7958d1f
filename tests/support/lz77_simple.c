#include "tests/support/lz77_simple.h"

#include "engine/base/reader.h"

struct stream {
    const uint8_t *in;
    size_t size, at;
    bool damaged;
};

/* A number of `n` bytes. */
static uint32_t take(struct stream *s, size_t n)
{
    uint32_t value = 0;

    if (s->size - s->at < n) {
        s->damaged = true;
        return 0;
    }
    for (size_t i = 0; i < n; i++)
        value |= (uint32_t)s->in[s->at + i] << 8 * i;
    s->at += n;
    return value;
}

/* Behind half a byte of 15. */
static size_t take_longest(struct stream *s)
{
    size_t length = take(s, 1);

    if (length < 255)
        return length + 22;
    length = take(s, 2);
    if (!length && !s->damaged)
        length = take(s, 4);
    if (length < 22)
        s->damaged = true;
    return length;
}

/* *half: the byte, plus one, whose upper half is not used yet; or 0. */
static size_t take_long(struct stream *s, size_t *half)
{
    unsigned bits;

    if (*half) {
        bits = s->in[*half - 1] >> 4;
        *half = 0;
    } else {
        bits = take(s, 1) & 15;
        *half = s->at;
    }
    return bits < 15 || s->damaged ? bits + 7u : take_longest(s);
}

size_t lz77_simple(const uint8_t *in, size_t in_size, uint8_t *out,
                   size_t out_size, bool *damaged)
{
    struct stream s = {in, in_size, 0, false};
    size_t done = 0, half = 0;
    uint32_t flags = 0;

    for (unsigned token = 0; done < out_size; token++, flags <<= 1) {
        size_t length, distance;

        if (token % 32 == 0) {
            if (s.at == s.size)
                break;
            flags = take(&s, 4);
        }
        if (s.damaged || s.at == s.size)
            break;
        if (!(flags >> 31)) {
            out[done++] = (uint8_t)take(&s, 1);
            continue;
        }
        length = take(&s, 2);
        distance = (length >> 3) + 1;
        length &= 7;
        if (length == 7)
            length = take_long(&s, &half);
        if (distance > done)
            s.damaged = true;
        if (s.damaged)
            break;
        for (length += 3; length && done < out_size; length--, done++)
            out[done] = out[done - distance];
    }
    *damaged = s.damaged;
    return done;
}
