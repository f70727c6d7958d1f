/*
 * What json_parse.c makes of a text, and json_read.c looks up in it.
 */
#ifndef TOPFN_JSON_READ_IMPL_H
#define TOPFN_JSON_READ_IMPL_H

#include "engine/base/json_read.h"
#include "engine/base/vec.h"

/*
 * A slot of 32 bits is a value: where its text begins or, with the lowest bit
 * set, where in `slots` an array or object is: how many slots it has, times 2,
 * and 1 for an object; then its elements or, in pairs, keys and members. Of
 * more than JSON_UNSORTED members the keys are sorted, equal ones as they
 * stood.
 */
struct json_text {
    char *text; /* of plain values, each ends with a NUL; a text begins with
                   a quote */
    VEC(uint32_t) slots;
    uint32_t root;
};

enum { JSON_UNSORTED = 8, JSON_OBJECT = 1 };

static inline uint32_t json_slot_of_text(size_t at)
{
    return (uint32_t)at << 1;
}

static inline uint32_t json_slot_of_list(size_t at)
{
    return (uint32_t)at << 1 | 1;
}

/* The text behind the quote of a key. */
static inline const char *json_key(const struct json_text *json, uint32_t slot)
{
    return json->text + (slot >> 1) + 1;
}

struct json_damage {
    char what[120];
    size_t at;
};

/* Reads text up to its end or to the first damage, and says whether it came to
 * the end. `whole`: where what was read ends. */
bool json_parse(struct json_text *json, const uint8_t *data, size_t size,
                size_t *whole, struct json_damage *damage);

#endif
