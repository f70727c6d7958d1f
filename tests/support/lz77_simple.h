/*
 * lz77_simple: plain LZ77 of MS-XCA decoded byte by byte, by the rules of
 * engine/format/etl/format.md, section 1.3, and nothing else: what the
 * engine's decoder must do on any input.
 */
#ifndef TESTS_SUPPORT_LZ77_SIMPLE_H
#define TESTS_SUPPORT_LZ77_SIMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As lz77_decode. */
size_t lz77_simple(const uint8_t *in, size_t in_size, uint8_t *out,
                   size_t out_size, bool *damaged);

#endif
