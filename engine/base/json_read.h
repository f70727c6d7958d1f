/*
 * json_read - JSON of strangers as a tree of values.
 *
 *     struct json_text *json = json_read("a.cpuprofile", data, size, &whole,
 *                                        &err);
 *     struct json_value root = json_root(json);
 *     const char *name = json_get_text(root, "name");
 *     json_close(json);
 *
 * yajl parses. Bounded: besides a copy of the text a value takes 4 bytes, an
 * array or object 8; nesting ends at 2,048 levels, texts at 2 GiB. (Trees of
 * jansson's objects take 20 to 80 times the text.)
 * Truncated or damaged text is read up to the damage.
 *
 * The getters take what is not there, or of another type, for no value, 0 or
 * "", so that a reader says only what it looks for. Values and their texts
 * live until json_close.
 */
#ifndef TOPFN_JSON_READ_H
#define TOPFN_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"

struct json_text;

/* To be copied. All zeros: there is no value. */
struct json_value {
    const struct json_text *json;
    uint32_t slot;
};

/* To be given back by json_close; NULL on failure. `whole`: how many bytes
 * were read; if what follows them is damaged or missing, `err` is set. */
struct json_text *json_read(const char *name, const uint8_t *data, size_t size,
                            size_t *whole, struct err *err);
void json_close(struct json_text *json); /* NULL is fine */

/* For tests: how many slots of 4 bytes the values take. */
size_t json_slots(const struct json_text *json);

/* The outermost value, an object or an array. */
struct json_value json_root(const struct json_text *json);

bool json_is_object(struct json_value value);
bool json_is_array(struct json_value value);
bool json_is_number(struct json_value value);
bool json_is_boolean(struct json_value value);
bool json_is_true(struct json_value value);
bool json_is_there(struct json_value value);
bool json_is_same(struct json_value a, struct json_value b);

/* Elements of an array; 0 of anything else. */
size_t json_length(struct json_value array);
struct json_value json_element(struct json_value array, size_t i);

/* The last member of that name, which has no escapes in the text. */
struct json_value json_member(struct json_value object, const char *key);

/* The name of member `i` of an object; NULL behind the last. */
const char *json_key_at(struct json_value object, size_t i);

/* NULL if it is no text. */
const char *json_text_of(struct json_value value);
double json_number_of(struct json_value value);

/* A whole number from 0 on, or `none`. */
uint64_t json_whole_of(struct json_value value, uint64_t none);

const char *json_get_text(struct json_value object, const char *key);
double json_get_real(struct json_value object, const char *key);
uint64_t json_get_number(struct json_value object, const char *key,
                         uint64_t none);
uint64_t json_number_at(struct json_value array, size_t i, uint64_t none);

#endif
