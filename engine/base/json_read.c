#include "engine/base/json_read.h"

#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/json_mend.h"
#include "engine/base/mem.h"
#include "engine/base/unpacking.h"

enum { MOST_PARTS = 4 };

/* Of the text that this thread reads. jansson asks the same functions for all
 * of its memory, also when no text is read. */
static _Thread_local struct {
    bool on;
    bool over; /* asked for more than there was */
    size_t left;
} budget;

static void *take(size_t size)
{
    void *memory;

    if (budget.on && size > budget.left) {
        budget.over = true;
        return NULL;
    }
    memory = malloc(size);
    if (!memory)
        mem_exhausted(size);
    if (budget.on) {
        size_t used = malloc_usable_size(memory);

        budget.left -= used < budget.left ? used : budget.left;
    }
    return memory;
}

static void give(void *memory)
{
    if (budget.on && memory)
        budget.left += malloc_usable_size(memory);
    free(memory);
}

static void use_budget(void)
{
    json_set_alloc_funcs(take, give);
}

static size_t mark_of_order(const uint8_t *data, size_t size)
{
    return size >= 3 && !memcmp(data, "\xEF\xBB\xBF", 3) ? 3 : 0;
}

int json_begins(const uint8_t *data, size_t size)
{
    size_t i = mark_of_order(data, size);

    while (i < size && data[i] && strchr(" \t\r\n", data[i]))
        i++;
    return i < size && (data[i] == '{' || data[i] == '[');
}

static json_t *load(const char *text, size_t size, json_error_t *error)
{
    json_t *root;

    budget.on = true;
    budget.over = false;
    budget.left = (size_t)unpack_most(size);
    root = json_loadb(text, size, JSON_ALLOW_NUL, error);
    budget.on = false;
    return root;
}

/* What stands before the damage at `*whole`; damage that is noticed late, as
 * a text without an end, was some way before. */
static json_t *load_part(const char *text, size_t *whole)
{
    json_t *root = NULL;

    for (unsigned i = 0; i < MOST_PARTS && !root && *whole; i++) {
        size_t n, used;
        char *part = json_mend(text, *whole, &n, &used);
        json_error_t error;

        if (!part)
            return NULL;
        root = load(part, n, &error);
        if (!root && (budget.over || error.position <= 0))
            used = 0;
        else if (!root && (size_t)error.position < used)
            used = (size_t)error.position;
        *whole = used;
        free(part);
    }
    return root;
}

json_t *json_read(const char *name, const uint8_t *data, size_t size,
                  size_t *whole, struct err *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    size_t mark = mark_of_order(data, size);
    const char *text = (const char *)data + mark;
    json_error_t error;
    json_t *root;

    pthread_once(&once, use_budget);
    root = load(text, size - mark, &error);
    *whole = size;
    if (root)
        return root;
    if (budget.over) {
        err_set(err, ERR_LIMIT, "%s: its values take more than %d times its "
                "size", name, UNPACK_RATIO);
        return NULL;
    }
    err_set(err, ERR_CORRUPT, "%s: offset 0x%x: no JSON: %s", name,
            (unsigned)error.position, error.text);
    *whole = error.position > 0 ? (size_t)error.position : 0;
    root = load_part(text, whole);
    *whole += mark;
    return root;
}

const char *json_get_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

double json_get_real(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static uint64_t whole(const json_t *value, uint64_t none)
{
    json_int_t n = json_integer_value(value);

    return json_is_integer(value) && n >= 0 ? (uint64_t)n : none;
}

uint64_t json_number_at(const json_t *array, size_t i, uint64_t none)
{
    return whole(json_array_get(array, i), none);
}

uint64_t json_get_number(const json_t *object, const char *key, uint64_t none)
{
    return whole(json_object_get(object, key), none);
}
