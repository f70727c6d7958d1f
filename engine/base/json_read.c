#include "engine/base/json_read.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/bisect.h"
#include "engine/base/json_read_impl.h"

static size_t mark_of_order(const uint8_t *data, size_t size)
{
    return size >= 3 && !memcmp(data, "\xEF\xBB\xBF", 3) ? 3 : 0;
}

struct json_text *json_read(const char *name, const uint8_t *data, size_t size,
                            size_t *whole, struct err *err)
{
    size_t mark = mark_of_order(data, size);
    struct json_text *json = mem_new(1, sizeof(*json));
    struct json_damage damage = {.at = 0};

    *whole = 0;
    if (size > INT32_MAX) {
        err_set(err, ERR_LIMIT, "%s: JSON of more than 2 GiB", name);
        json_close(json);
        return NULL;
    }
    if (json_parse(json, size ? data + mark : (const uint8_t *)"", size - mark,
                   whole, &damage)) {
        *whole = size;
    } else {
        *whole += mark;
        err_set(err, ERR_CORRUPT, "%s: offset 0x%zx: no JSON: %s", name,
                damage.at + mark, damage.what);
    }
    if (json->slots.len)
        return json;
    json_close(json);
    return NULL;
}

void json_close(struct json_text *json)
{
    if (!json)
        return;
    vec_release(&json->slots);
    free(json->text);
    free(json);
}

struct json_value json_root(const struct json_text *json)
{
    return (struct json_value){json, json->root};
}

/* ---- arrays and objects ---- */

bool json_is_there(struct json_value v)
{
    return v.json != NULL;
}

bool json_is_same(struct json_value a, struct json_value b)
{
    return a.json == b.json && a.slot == b.slot;
}

/* The slots of an array or object; 0 and none of anything else. */
static size_t list_of(struct json_value v, bool is_object,
                      const uint32_t **slots)
{
    const uint32_t *list;

    *slots = NULL;
    if (!v.json || !(v.slot & 1))
        return 0;
    list = v.json->slots.data + (v.slot >> 1);
    if ((*list & JSON_OBJECT) != is_object)
        return 0;
    *slots = list + 1;
    return *list >> 1;
}

bool json_is_object(struct json_value v)
{
    const uint32_t *slots;

    (void)list_of(v, true, &slots);
    return slots != NULL;
}

bool json_is_array(struct json_value v)
{
    const uint32_t *slots;

    (void)list_of(v, false, &slots);
    return slots != NULL;
}

size_t json_length(struct json_value array)
{
    const uint32_t *slots;

    return list_of(array, false, &slots);
}

struct json_value json_element(struct json_value array, size_t i)
{
    const uint32_t *slots;
    size_t n = list_of(array, false, &slots);

    return i < n ? (struct json_value){array.json, slots[i]}
                 : (struct json_value){NULL, 0};
}

struct json_value json_member(struct json_value object, const char *key)
{
    const uint32_t *slots;
    size_t n = list_of(object, true, &slots) / 2, i = n;

    if (n > JSON_UNSORTED)
        BISECT(i, n, strcmp(json_key(object.json, slots[2 * i]), key) <= 0);
    while (i > 0 && strcmp(json_key(object.json, slots[2 * i - 2]), key) != 0)
        i = n > JSON_UNSORTED ? 0 : i - 1;
    return i ? (struct json_value){object.json, slots[2 * i - 1]}
             : (struct json_value){NULL, 0};
}

/* ---- others ---- */

/* The text from the first character on; "" of arrays and objects. */
static const char *plain(struct json_value v)
{
    return v.json && !(v.slot & 1) ? v.json->text + (v.slot >> 1) : "";
}

const char *json_text_of(struct json_value v)
{
    const char *text = plain(v);

    return *text == '"' ? text + 1 : NULL;
}

bool json_is_number(struct json_value v)
{
    const char *text = plain(v);

    return *text == '-' || (*text >= '0' && *text <= '9');
}

double json_number_of(struct json_value v)
{
    return json_is_number(v) ? strtod(plain(v), NULL) : 0;
}

uint64_t json_whole_of(struct json_value v, uint64_t none)
{
    const char *text = plain(v);
    uint64_t n = 0;

    if (*text < '0' || *text > '9')
        return none;
    for (; *text >= '0' && *text <= '9'; text++) {
        uint64_t digit = (uint64_t)(*text - '0');

        if (n > (INT64_MAX - digit) / 10)
            return none;
        n = n * 10 + digit;
    }
    return *text == '.' || (*text | 0x20) == 'e' ? none : n;
}

/* ---- by name and by number ---- */

const char *json_get_text(struct json_value object, const char *key)
{
    const char *text = json_text_of(json_member(object, key));

    return text ? text : "";
}

double json_get_real(struct json_value object, const char *key)
{
    return json_number_of(json_member(object, key));
}

uint64_t json_get_number(struct json_value object, const char *key,
                         uint64_t none)
{
    return json_whole_of(json_member(object, key), none);
}

uint64_t json_number_at(struct json_value array, size_t i, uint64_t none)
{
    return json_whole_of(json_element(array, i), none);
}
