/*
 * xpress - XPRESS-Huffman decompression (MS-XCA 2.1 and 2.2).
 *
 * One block, of at most 64 KiB unpacked: 256 bytes of code lengths and a
 * stream of bits. Blocks do not refer to each other.
 */
#ifndef TOPFN_XPRESS_H
#define TOPFN_XPRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { XPRESS_BLOCK = 65536 };

/* Unpacks exactly `size` bytes (at most XPRESS_BLOCK) to `out`. False when
 * the block is damaged; `out` then holds anything. */
bool xpress_huffman(const uint8_t *packed, size_t packed_size, uint8_t *out,
                    size_t size);

#endif
