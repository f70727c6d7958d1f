/* Numbers, arrays and hash tables (format.md, section 3). */
#include "symbols/managed/r2r/native.h"

/* Bytes of a number and its value, with the bits of the length cut off. */
static unsigned raw_number(struct reader *r, uint32_t *raw)
{
    uint8_t first = reader_u8(r);
    unsigned bytes = 1;

    while (bytes < 5 && first >> (bytes - 1) & 1)
        bytes++;
    if (bytes == 5) {
        if (first & 0x10)
            reader_fail(r, ERR_CORRUPT, "number");
        *raw = reader_u32(r);
        return bytes;
    }
    *raw = first;
    for (unsigned i = 1; i < bytes; i++)
        *raw |= (uint32_t)reader_u8(r) << 8 * i;
    *raw >>= bytes;
    return bytes;
}

uint32_t native_unsigned(struct reader *r)
{
    uint32_t raw;

    raw_number(r, &raw);
    return r->failed ? 0 : raw;
}

int32_t native_signed(struct reader *r)
{
    uint32_t raw, sign;
    unsigned bytes = raw_number(r, &raw);

    sign = 1u << (bytes == 5 ? 31 : 7 * bytes - 1);
    return r->failed ? 0 : (int32_t)((raw ^ sign) - sign);
}

static uint32_t load_width(const uint8_t *at, unsigned width)
{
    return width == 4 ? load_u32(at) : width == 2 ? load_u16(at) : *at;
}

/* Number `i` of an index whose bytes are known to be there. */
static uint32_t index_at(const struct reader *all, size_t base, unsigned width,
                         uint32_t i)
{
    return load_width(all->base + base + (size_t)i * width, width);
}

/* ---- arrays ---- */

enum { BLOCK = 16, INDEX_WIDTHS = 3 };

struct native_array native_array_of(struct reader section)
{
    struct native_array a = {.all = section};
    uint32_t head = native_unsigned(&section), blocks;

    a.count = head >> 2;
    a.width = 1u << (head & 3);
    a.base = section.pos;
    blocks = a.count / BLOCK + (a.count % BLOCK > 0);
    if (section.failed || (head & 3) == INDEX_WIDTHS ||
        blocks > reader_left(&section) / a.width)
        a.count = 0;
    return a;
}

bool native_array_at(const struct native_array *a, uint32_t i,
                     struct reader *data)
{
    uint64_t at = a->base + index_at(&a->all, a->base, a->width, i / BLOCK);

    for (uint32_t bit = BLOCK / 2; bit; bit /= 2) {
        struct reader r = reader_at(&a->all, at, "block");
        uint32_t node = native_unsigned(&r);

        if (r.failed)
            return false;
        if (!(node & 3)) {
            *data = r;
            return node >> 2 == i % BLOCK;
        }
        if (!(node & (i & bit ? 2 : 1)))
            return false;
        at = i & bit ? at + (node >> 2) : r.pos;
    }
    *data = reader_at(&a->all, at, "element");
    return reader_more(data);
}

/* ---- hash tables ---- */

struct native_hash native_hash_of(struct reader all)
{
    struct native_hash h = {.all = all};
    uint8_t head = reader_u8(&all);

    h.base = all.pos;
    h.width = 1u << (head & 3);
    h.left = reader_left(&all) / 2;
    if (all.failed || (head & 3) == INDEX_WIDTHS || head >> 2 > 30)
        return h;
    h.buckets = 1u << (head >> 2);
    if (h.buckets >= reader_left(&all) / h.width)
        h.buckets = 0;
    return h;
}

static bool next_bucket(struct native_hash *h)
{
    if (h->bucket == h->buckets)
        return false;
    h->at = h->base + index_at(&h->all, h->base, h->width, h->bucket);
    h->bucket++;
    h->end = h->base + index_at(&h->all, h->base, h->width, h->bucket);
    return true;
}

bool native_hash_next(struct native_hash *h, struct reader *data)
{
    struct reader r;
    int64_t target;

    while (h->at >= h->end)
        if (!next_bucket(h))
            return false;
    if (!h->left--)
        return false;
    r = reader_at(&h->all, h->at, "entry");
    reader_skip(&r, 1);
    target = (int64_t)r.pos + native_signed(&r);
    if (r.failed)
        return false;
    h->at = r.pos;
    *data =
        reader_at(&h->all, target < 0 ? UINT64_MAX : (uint64_t)target, "entry");
    return true;
}
