/*
 * End of central directory record, the last thing in the archive but for a
 * comment (which makes us leave the archive to libzip if it is longer than
 * what is searched):
 *
 * OFFSET SIZE DESCRIPTION
 *      0    4 50 4B 05 06
 *     10    2 entries in all; 0xFFFF: see the zip64 record
 *     12    4 size of the central directory
 *     16    4 its offset; 0xFFFFFFFF: see the zip64 record
 *
 * Zip64 locator, 20 bytes right before it: 50 4B 06 07, at 8 the offset of
 * the zip64 end record: 50 4B 06 06, at 32 entries (8), at 48 offset (8).
 *
 * Central directory header, 46 bytes and three fields of variable size:
 *
 *      0    4 50 4B 01 02
 *     10    2 method, 0 stored
 *     20    4 packed size
 *     24    4 size
 *     28    2 length of name, 30 of extra, 32 of comment
 *     42    4 offset of the local header
 *     46      name, extra, comment
 *
 * Sizes and offset of 0xFFFFFFFF stand, in this order, in the extra field
 * of type 1 as 8 bytes each.
 *
 * Local header, 30 bytes: 50 4B 03 04, at 26 length of name, 28 of extra.
 */
#include "engine/container/zip_place.h"

#include <stdbool.h>

#include "engine/base/reader.h"

enum {
    END_SIZE = 22,
    LOCATOR_SIZE = 20,
    LARGEST_COMMENT = 65535,
    SIG_LOCAL = 0x04034B50,
    SIG_CENTRAL = 0x02014B50,
    SIG_END = 0x06054B50,
    SIG_END64 = 0x06064B50,
    SIG_LOCATOR = 0x07064B50,
    EXTRA_ZIP64 = 1,
    FARTHEST = 65536, /* the directory is walked once per stored entry */
    ESCAPE16 = 0xFFFF,
};

#define ESCAPE32 0xFFFFFFFFu

/* The last end record whose comment ends with the file. */
static size_t find_end(const uint8_t *data, size_t size)
{
    size_t least = size > END_SIZE + LARGEST_COMMENT
                       ? size - END_SIZE - LARGEST_COMMENT
                       : 0;

    for (size_t at = size - END_SIZE + 1; at-- > least;)
        if (load_u32(data + at) == SIG_END &&
            at + END_SIZE + load_u16(data + at + 20) == size)
            return at;
    return SIZE_MAX;
}

/* Where the central directory is; false if nobody knows. */
static bool directory(const struct reader *file, uint64_t *count,
                      uint64_t *offset)
{
    size_t end = find_end(file->base, file->len);
    const uint8_t *at;
    struct reader r;

    if (end == SIZE_MAX)
        return false;
    at = file->base + end;
    *count = load_u16(at + 10);
    *offset = load_u32(at + 16);
    if (*count != ESCAPE16 && *offset != ESCAPE32)
        return true;
    if (end < LOCATOR_SIZE || load_u32(at - LOCATOR_SIZE) != SIG_LOCATOR)
        return false;
    r = reader_at(file, load_u64(at - LOCATOR_SIZE + 8), "zip64 end record");
    if (reader_u32(&r) != SIG_END64)
        return false;
    reader_skip(&r, 28);
    *count = reader_u64(&r);
    reader_skip(&r, 8);
    *offset = reader_u64(&r);
    return !r.failed;
}

/* The offset that did not fit: behind the sizes that did not either. */
static uint64_t offset64(struct reader *extra, unsigned escaped_sizes)
{
    while (reader_left(extra) >= 4) {
        uint16_t type = reader_u16(extra);
        struct reader field = reader_sub(extra, reader_u16(extra), "extra");

        if (type != EXTRA_ZIP64)
            continue;
        reader_skip(&field, 8 * (size_t)escaped_sizes);
        return field.failed || reader_left(&field) < 8 ? UINT64_MAX
                                                       : reader_u64(&field);
    }
    return UINT64_MAX;
}

/* Reads one central header; the local header's offset, UINT64_MAX for none. */
static uint64_t next_header(struct reader *r, bool *stored)
{
    const uint8_t *at = reader_take(r, 46);
    struct reader extra;
    uint32_t offset;

    if (!at || load_u32(at) != SIG_CENTRAL) {
        r->failed = true;
        return UINT64_MAX;
    }
    *stored = !load_u16(at + 10);
    offset = load_u32(at + 42);
    reader_skip(r, load_u16(at + 28));
    extra = reader_sub(r, load_u16(at + 30), "extra field");
    reader_skip(r, load_u16(at + 32));
    if (offset != ESCAPE32)
        return offset;
    return offset64(&extra, (unsigned)(load_u32(at + 20) == ESCAPE32) +
                                (unsigned)(load_u32(at + 24) == ESCAPE32));
}

const uint8_t *zip_place(const uint8_t *data, size_t size, size_t index,
                         uint64_t n)
{
    struct reader file = reader_of("zip", data, size, 0, NULL), r;
    uint64_t count, offset, local = UINT64_MAX;
    bool stored = false;

    if (index >= FARTHEST || size < END_SIZE ||
        !directory(&file, &count, &offset) || index >= count)
        return NULL;
    r = reader_at(&file, offset, "central directory");
    for (size_t i = 0; i <= index && !r.failed; i++)
        local = next_header(&r, &stored);
    if (r.failed || !stored || local == UINT64_MAX)
        return NULL;
    r = reader_at(&file, local, "local header");
    if (reader_u32(&r) != SIG_LOCAL)
        return NULL;
    reader_skip(&r, 22);
    offset = reader_u16(&r);
    offset += reader_u16(&r);
    reader_skip(&r, (size_t)offset);
    return r.failed || reader_left(&r) < n ? NULL
                                           : reader_take(&r, (size_t)n);
}
