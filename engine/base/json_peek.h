/*
 * json_peek - which members the beginning of a JSON text has, and where.
 *
 *     if (json_peek(data, size, "shared.frames"))
 *         it is perhaps a file of speedscope
 *
 * For probes: a key counts at its own level only, so that a word in some
 * string or in some inner object never decides what a file is. Nothing is
 * parsed, damage is not noticed, and a text that is cut off is searched as far
 * as it goes. A byte order mark may stand before the text.
 */
#ifndef TOPFN_JSON_PEEK_H
#define TOPFN_JSON_PEEK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JSON_PEEKED = 1 << 20 }; /* how much of a text is searched */

/* The first byte of the value at a path: "a.b" is member b of member a, "[]"
 * is the first element of an array: "nodes[].callFrame". NULL if there is no
 * such value. Keys are compared as they stand, without escapes. */
const uint8_t *json_peek(const uint8_t *data, size_t size, const char *path);

/* True if that value begins with `first`: '{', '[' or '"'. */
bool json_peek_is(const uint8_t *data, size_t size, const char *path,
                  char first);

/* True if that value is a string that has `word` in it. */
bool json_peek_holds(const uint8_t *data, size_t size, const char *path,
                     const char *word);

#endif
