#include "report/page/page.h"

#include <string.h>
#include <zlib.h>

void page_bytes_number(struct page_bytes *b, uint64_t value)
{
    while (value >= 0x80) {
        *vec_add(&b->bytes) = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *vec_add(&b->bytes) = (uint8_t)value;
}

void page_bytes_change(struct page_bytes *b, int64_t value)
{
    uint64_t twice = (uint64_t)value << 1;

    page_bytes_number(b, value < 0 ? ~twice : twice);
}

void page_bytes_text(struct page_bytes *b, const char *text, size_t n)
{
    if (!n)
        return;
    vec_reserve(&b->bytes, n);
    memcpy(b->bytes.data + b->bytes.len, text, n);
    b->bytes.len += n;
}

static size_t text_size(size_t bytes)
{
    return (bytes + 2) / 3 * 4;
}

size_t page_bytes_text_size(const struct page_bytes *b)
{
    return text_size(b->bytes.len);
}

bool page_bytes_pack_within(struct page_bytes *b, size_t most)
{
    uLong size = compressBound((uLong)b->bytes.len);
    struct page_bytes packed = {.bytes = {0}};
    int outcome;

    if (text_size(size) > most)
        size = (uLong)(most / 4 * 3);
    vec_reserve(&packed.bytes, size + 1); /* zlib has to be given some */
    outcome = compress2(packed.bytes.data, &size, b->bytes.data,
                        (uLong)b->bytes.len, Z_DEFAULT_COMPRESSION);
    if (outcome == Z_MEM_ERROR)
        mem_exhausted(size);
    if (outcome != Z_OK) {
        page_bytes_release(&packed);
        return false;
    }
    packed.bytes.len = size;
    page_bytes_release(b);
    *b = packed;
    return true;
}

void page_bytes_pack(struct page_bytes *b)
{
    page_bytes_pack_within(b, SIZE_MAX);
}

void page_bytes_base64(const struct page_bytes *b, struct out *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "abcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t n = b->bytes.len;

    for (size_t i = 0; i < n; i += 3) {
        const uint8_t *at = b->bytes.data + i;
        size_t have = n - i < 3 ? n - i : 3;
        uint32_t bits = (uint32_t)at[0] << 16;

        if (have > 1)
            bits |= (uint32_t)at[1] << 8;
        if (have > 2)
            bits |= at[2];
        for (unsigned k = 0; k <= have; k++)
            out_bytes(out, &digits[bits >> (18 - 6 * k) & 63], 1);
        out_repeat(out, '=', 3 - have);
    }
}

void page_bytes_release(struct page_bytes *b)
{
    vec_release(&b->bytes);
}
