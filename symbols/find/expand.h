/*
 * expand - the one file in a cabinet, as symbol stores keep it: app.pd_.
 *
 *     if (expand_probe(data, size) &&
 *         !expand_cab(data, size, EXPAND_MOST, &out, &n, &err)) {
 *         use(out, n);
 *         free(out);
 *     }
 *
 * Everything stays in memory; the name in the cabinet is not looked at. A
 * cabinet with more than one file is of another kind and refused. Messages
 * begin with "cabinet": the caller knows the file's name.
 */
#ifndef TOPFN_EXPAND_H
#define TOPFN_EXPAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"

/* The bytes that the blocks of a cabinet can hold. */
#define EXPAND_MOST ((size_t)2 << 30)

bool expand_probe(const uint8_t *data, size_t size);

/* `*out` is for free(). ERR_LIMIT: larger than `limit` or than
 * base/unpacking.h allows. After an error there is no output, whole or in part.
 */
enum err_code expand_cab(const uint8_t *data, size_t size, size_t limit,
                         uint8_t **out, size_t *out_size, struct err *err);

#endif
