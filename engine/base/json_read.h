/*
 * json_read - JSON of strangers as a tree of values (jansson).
 *
 *     json_t *root = json_read("a.cpuprofile", data, size, &whole, &err);
 *     const char *name = json_string_value(json_object_get(root, "name"));
 *     json_decref(root);
 *
 * Bounded: nesting by jansson (2,048 levels), memory by UNPACK_FREE and
 * UNPACK_RATIO times the text (unpacking.h), beyond which it is refused. Of
 * text that is cut off or damaged what stands before that is read.
 *
 * The getters below take what is not there, or of another type, for 0 or "",
 * so that a reader says only what it looks for.
 */
#ifndef TOPFN_JSON_READ_H
#define TOPFN_JSON_READ_H

#include <jansson.h>
#include <stdint.h>

#include "engine/base/err.h"

/* To be given back by json_decref; NULL on failure. `whole`: how many bytes
 * were read; if what follows them is damaged or missing, `err` is set. */
json_t *json_read(const char *name, const uint8_t *data, size_t size,
                  size_t *whole, struct err *err);

const char *json_get_text(const json_t *object, const char *key);
double json_get_real(const json_t *object, const char *key);

/* The element of an array, or of a member that is one; `none` where there is
 * no whole number from 0 on. */
uint64_t json_number_at(const json_t *array, size_t i, uint64_t none);
uint64_t json_get_number(const json_t *object, const char *key, uint64_t none);

/* Whether a text looks like the beginning of an object or array of JSON; a
 * mark of byte order may stand before it. */
int json_begins(const uint8_t *data, size_t size);

#endif
