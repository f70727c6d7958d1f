/*
 * json_slabs - JsonSlabs (.jslb), JSON whose arrays of numbers are kept apart.
 *
 *     if (json_slabs_begin(data, size))
 *         text = json_slabs_text(name, data, size, &n, &err);
 *
 * samply and the Firefox Profiler write such files. All numbers in them are
 * little-endian:
 *
 *     0   8   DC DF 4A 53 4C 42 01 00
 *     8   4   version: 1
 *     12  4   number of slabs
 *     16  4   the slab that is the root, of JSON
 *     20      for each slab: its type, where it begins, its length in bytes
 *
 * An object {"$s": N} in JSON stands for slab N: an array of numbers, or JSON
 * again.
 */
#ifndef TOPFN_JSON_SLABS_H
#define TOPFN_JSON_SLABS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"

bool json_slabs_begin(const uint8_t *data, size_t size);

/* The same as one text of JSON, to be freed; NULL on failure. A slab that
 * several objects stand for is refused, as are slabs that overlap, so that the
 * text is at most 7 times as long as the file. */
char *json_slabs_text(const char *name, const uint8_t *data, size_t size,
                      size_t *len, struct err *err);

#endif
