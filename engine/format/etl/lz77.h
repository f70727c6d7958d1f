/*
 * lz77 - plain LZ77 ("XPRESS"), as in compressed ETL buffers.
 *
 * [MS-XCA] section 2.4; the bit stream is described in lz77.c.
 */
#ifndef TOPFN_LZ77_H
#define TOPFN_LZ77_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decodes until `out` is full or the input ends, and returns the number of
 * bytes written. *damaged says that the input broke off inside a token or
 * contradicted itself; what was written before that is good. */
size_t lz77_decode(const uint8_t *in, size_t in_size, uint8_t *out,
                   size_t out_size, bool *damaged);

#endif
