/*
 * page_bytes - columns of numbers, packed as text for a page.
 *
 *     struct page_bytes bytes = {0};
 *     page_bytes_number(&bytes, 300);
 *     page_bytes_change(&bytes, -2);
 *     page_bytes_pack(&bytes);
 *     page_bytes_base64(&bytes, out);
 *     page_bytes_release(&bytes);
 *
 * A number is seven bits a byte, lowest first, the eighth says that there are
 * more (LEB128); a change may be negative: 0, -1, 1, -2 are 0, 1, 2, 3. Packed
 * they are a stream of zlib.
 */
#ifndef TOPFN_PAGE_BYTES_H
#define TOPFN_PAGE_BYTES_H

#include "engine/base/out.h"
#include "engine/base/vec.h"

struct page_bytes {
    VEC(uint8_t) bytes;
};

void page_bytes_number(struct page_bytes *b, uint64_t value);
void page_bytes_change(struct page_bytes *b, int64_t value);
void page_bytes_text(struct page_bytes *b, const char *text, size_t n);

/* What is in it now is the compressed form of what was. */
void page_bytes_pack(struct page_bytes *b);

/* The same if that is no longer than `most` as text; else false, and all is as
 * it was. */
bool page_bytes_pack_within(struct page_bytes *b, size_t most);

/* RFC 4648, section 4; and how long that is. */
size_t page_bytes_text_size(const struct page_bytes *b);
void page_bytes_base64(const struct page_bytes *b, struct out *out);
void page_bytes_release(struct page_bytes *b);

#endif
