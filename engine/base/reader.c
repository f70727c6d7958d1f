#include "engine/base/reader.h"

#include <assert.h>

struct reader reader_of(const char *name, const void *base, size_t len,
                        uint64_t offset, struct err *err)
{
    /* Never NULL: C allows no arithmetic on it, not even + 0. */
    return (struct reader){
        .base = base ? base : (const void *)"",
        .len = len,
        .name = name,
        .offset = offset,
        .err = err,
    };
}

void reader_fail(struct reader *r, enum err_code code, const char *what)
{
    if (r->failed)
        return;
    r->failed = true;
    if (r->err)
        err_set(r->err, code, "%s: offset 0x%llx: %s %s", r->name,
                (unsigned long long)(r->offset + r->pos), what, err_name(code));
}

void reader_align(struct reader *r, size_t align)
{
    assert(align && !(align & (align - 1)));
    reader_skip(r, -r->pos & (align - 1));
}

uint64_t reader_long_uleb(struct reader *r)
{
    uint64_t value = 0;
    uint8_t byte;

    for (unsigned shift = 0; shift < 64; shift += 7) {
        byte = reader_u8(r);
        if (shift == 63 && byte > 1)
            break;
        value |= (uint64_t)(byte & 0x7F) << shift;
        if (!(byte & 0x80))
            return r->failed ? 0 : value;
    }
    reader_fail(r, ERR_CORRUPT, "variable-length number");
    return 0;
}

int64_t reader_sleb(struct reader *r)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;

    do {
        byte = reader_u8(r);
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7F) << shift;
        shift += 7;
    } while ((byte & 0x80) && !r->failed);
    if ((byte & 0x40) && shift < 64)
        value |= ~(uint64_t)0 << shift;
    return (int64_t)value;
}

uint32_t reader_compressed(struct reader *r, unsigned *bits)
{
    uint32_t value = reader_u8(r);
    unsigned length = value < 0x80 ? 1 : value < 0xC0 ? 2 : 4;

    if (bits)
        *bits = 8 * length - (length == 4 ? 3 : length);
    if (value >= 0xE0) {
        reader_fail(r, ERR_CORRUPT, "compressed number");
        return 0;
    }
    value &= length == 1 ? 0x7F : length == 2 ? 0x3F : 0x1F;
    while (--length)
        value = value << 8 | reader_u8(r);
    return r->failed ? 0 : value;
}

struct bytes reader_bytes(struct reader *r, size_t n)
{
    const uint8_t *p = reader_take(r, n);

    return (struct bytes){p, p ? n : 0};
}

struct bytes reader_cstr(struct reader *r)
{
    size_t left = reader_left(r), n;
    const uint8_t *start, *nul;

    if (!left)
        return (struct bytes){NULL, 0};
    start = r->base + r->pos;
    nul = memchr(start, 0, left);
    n = nul ? (size_t)(nul - start) : left;
    r->pos += nul ? n + 1 : n;
    return (struct bytes){start, n};
}

/* True if one of four 16-bit units is 0. */
static bool has_zero_unit(const uint8_t *units)
{
    uint64_t w;

    memcpy(&w, units, sizeof(w));
    return ((w - 0x0001000100010001u) & ~w & 0x8000800080008000u) != 0;
}

struct bytes reader_utf16(struct reader *r)
{
    size_t left = reader_left(r), n = 0;
    const uint8_t *start;

    if (!left)
        return (struct bytes){NULL, 0};
    start = r->base + r->pos;
    while (n + 8 <= left && !has_zero_unit(start + n))
        n += 8;
    while (n + 2 <= left && (start[n] | start[n + 1]))
        n += 2;
    r->pos += n + 2 <= left ? n + 2 : left;
    return (struct bytes){start, n};
}

struct reader reader_sub(struct reader *r, size_t n, const char *what)
{
    uint64_t offset = r->offset + r->pos;
    struct reader sub = reader_of(r->name, r->base, 0, offset, r->err);

    if (r->failed || n > reader_left(r)) {
        reader_fail(r, ERR_TRUNCATED, what);
        sub.failed = true;
        return sub;
    }
    if (n)
        sub.base = r->base + r->pos;
    sub.len = n;
    r->pos += n;
    return sub;
}

struct reader reader_at(const struct reader *r, uint64_t pos, const char *what)
{
    struct reader at = *r;

    if (pos > r->len) {
        reader_fail(&at, ERR_TRUNCATED, what);
        return at;
    }
    at.pos = (size_t)pos;
    return at;
}

uint32_t reader_count(struct reader *r, size_t min_size, const char *what)
{
    uint32_t count = reader_u32(r);

    assert(min_size);
    if (count > reader_left(r) / min_size) {
        reader_fail(r, ERR_TRUNCATED, what);
        return 0;
    }
    return count;
}

int bytes_compare(struct bytes a, struct bytes b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int order = n ? memcmp(a.data, b.data, n) : 0;

    return order ? order : (a.len > b.len) - (a.len < b.len);
}
