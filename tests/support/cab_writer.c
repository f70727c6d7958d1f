#include "tests/support/cab_writer.h"

#include <zlib.h>

enum { BLOCK = 32768, MSZIP = 1, CAB_SIZE = 8 };

static const char name[] = "a";

/* "CK", then a raw deflate stream. */
static void deflate_block(struct blob *cab, const uint8_t *bytes, size_t n)
{
    z_stream z = {0};
    uint8_t out[BLOCK + 64];

    if (deflateInit2(&z, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        abort();
    z.next_in = (Bytef *)bytes;
    z.avail_in = (uInt)n;
    z.next_out = out;
    z.avail_out = sizeof(out);
    if (deflate(&z, Z_FINISH) != Z_STREAM_END)
        abort();
    blob_pack(cab, "BB", 'C', 'K');
    blob_bytes(cab, out, sizeof(out) - z.avail_out);
    deflateEnd(&z);
}

/* Checksum (0: none), packed size, size, bytes. */
static void put_block(struct blob *cab, const uint8_t *bytes, size_t n,
                      bool packed)
{
    size_t at = cab->len;

    blob_zero(cab, 8);
    if (packed)
        deflate_block(cab, bytes, n);
    else
        blob_bytes(cab, bytes, n);
    blob_set(cab, at + 4, cab->len - at - 8, 2);
    blob_set(cab, at + 6, n, 2);
}

static void put_header(struct blob *cab)
{
    blob_bytes(cab, "MSCF", 4);
    blob_zero(cab, 12); /* with the cabinet's size */
    blob_pack(cab, "II", CAB_FIRST_BLOCK + 8, 0);
    blob_u16(cab, 0x0103); /* version 1.3 */
    blob_u16(cab, 1);      /* folders */
    blob_u16(cab, 1);      /* files */
    blob_zero(cab, 6);
}

void cab_make(struct blob *cab, const void *bytes, size_t n, bool packed)
{
    const uint8_t *from = bytes;
    size_t blocks = (n + BLOCK - 1) / BLOCK;

    put_header(cab);
    blob_pack(cab, "IHHI", CAB_FILE_SIZE + 16 + sizeof(name),
              (uint16_t)blocks, packed ? MSZIP : 0, (uint32_t)n);
    blob_zero(cab, 12); /* place in the folder, folder, times, attributes */
    blob_bytes(cab, name, sizeof(name));
    for (size_t at = 0; at < n; at += BLOCK)
        put_block(cab, from + at, n - at < BLOCK ? n - at : BLOCK, packed);
    blob_set(cab, CAB_SIZE, cab->len, 4);
}
