/*
 * inflate - the packed parts of an ELF file, unpacked with a bound.
 *
 *     struct bytes plain = inflate_xz(packed.data, packed.len, &err);
 *     ...
 *     inflate_free(plain);
 *
 * A stranger's few bytes may claim to be gigabytes: no output is larger than
 * base/unpacking.h allows for its input or INFLATE_MOST. A failure is an empty
 * slice with the reason in `err`, without a name of what was packed.
 */
#ifndef TOPFN_INFLATE_H
#define TOPFN_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/base/reader.h"

enum { INFLATE_MOST = 1 << 30 };

/* Tells whether `n` packed bytes may come to `size`; else says so. */
bool inflate_allows(size_t n, uint64_t size, struct err *err);

/* `size` is what the section header promised; less or more is an error. */
struct bytes inflate_zlib(const uint8_t *packed, size_t n, uint64_t size,
                          struct err *err);
struct bytes inflate_zstd(const uint8_t *packed, size_t n, uint64_t size,
                          struct err *err);

/* A whole .xz stream, which does not say its size up front. */
struct bytes inflate_xz(const uint8_t *packed, size_t n, struct err *err);

void inflate_free(struct bytes plain);

#endif
