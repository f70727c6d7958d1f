/*
 * lz77_pack: a compressor for the "plain LZ77" format of MS-XCA, the one a
 * compressed ETL buffer holds (COMPRESSION_FORMAT_XPRESS).
 *
 *     size_t room = lz77_bound(n);
 *     uint8_t *out = malloc(room);
 *     size_t used = lz77_pack(data, n, out);
 *
 * The stream has no header: the reader must know n.  Memory belongs to the
 * caller; nothing is kept between calls.
 */
#ifndef TESTS_SUPPORT_LZ77_PACK_H
#define TESTS_SUPPORT_LZ77_PACK_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that lz77_pack may write for n bytes of input. */
size_t lz77_bound(size_t n);

/* Packs n bytes (below 2 GiB) and returns the bytes written to out. */
size_t lz77_pack(const uint8_t *data, size_t n, uint8_t *out);

#endif
