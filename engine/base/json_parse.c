/*
 * yajl says what it meets: values wait on a stack until their array or object
 * ends; then they are moved to where they stay, and it waits in their place. No
 * recursion. A number that is cut off looks whole: yajl tells of it when it
 * has seen what follows.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#include "engine/base/json_read_impl.h"

enum { DEEPEST = 2048 };

enum { STOP, GO_ON }; /* what yajl asks of what it calls */

struct level {
    size_t first; /* of its values that wait */
    bool is_object;
};

struct parser {
    struct json_text *json;
    yajl_handle yajl;
    size_t used; /* of the text */
    VEC(uint32_t) waiting;
    VEC(struct level) open;
    size_t kept, whole; /* values that count, and where the last one ends */
    const char *refused; /* what yajl would have taken; or NULL */
};

/* What waits by now counts. */
static int keep(struct parser *p)
{
    p->kept = p->waiting.len;
    p->whole = yajl_get_bytes_consumed(p->yajl);
    return GO_ON;
}

/* ---- plain values ---- */

/* `mark` tells a text from a number or word; the room was made before. */
static void add_plain(struct parser *p, const char *mark, const void *text,
                      size_t n)
{
    char *to = p->json->text + p->used;
    size_t marks = strlen(mark);

    *vec_add(&p->waiting) = json_slot_of_text(p->used);
    memcpy(to, mark, marks);
    memcpy(to + marks, text, n);
    to[marks + n] = '\0';
    p->used += marks + n + 1;
}

static int take_plain(struct parser *p, const char *mark, const void *text,
                      size_t n)
{
    if (!p->open.len) {
        p->refused = "neither an object nor an array";
        return STOP;
    }
    add_plain(p, mark, text, n);
    return keep(p);
}

static int take_text(void *p, const unsigned char *text, size_t n)
{
    return take_plain(p, "\"", text, n);
}

static int take_number(void *p, const char *text, size_t n)
{
    return take_plain(p, "", text, n);
}

/* Nobody asks which word it is. */
static int take_null(void *p)
{
    return take_plain(p, "", "", 0);
}

static int take_boolean(void *p, int value)
{
    (void)value;
    return take_null(p);
}

/* It counts with its value. */
static int take_key(void *p, const unsigned char *text, size_t n)
{
    add_plain(p, "\"", text, n);
    return GO_ON;
}

/* ---- arrays and objects ---- */

static int open_level(struct parser *p, bool is_object)
{
    if (p->open.len == DEEPEST) {
        p->refused = "more than 2,048 levels";
        return STOP;
    }
    *vec_add(&p->open) = (struct level){p->waiting.len, is_object};
    return keep(p);
}

static int open_object(void *p)
{
    return open_level(p, true);
}

static int open_array(void *p)
{
    return open_level(p, false);
}

static int compare_keys(const void *x, const void *y, void *json)
{
    const uint32_t *a = x, *b = y;
    int order = strcmp(json_key(json, *a), json_key(json, *b));

    return order ? order : (*a > *b) - (*a < *b);
}

/* Values from `first` on, the last ones first, so that of many of them the
 * memory is not needed twice. */
static void move_values(struct parser *p, size_t first, uint32_t *to)
{
    enum { STEP = 1 << 18 };

    while (p->waiting.len > first) {
        size_t n =
            p->waiting.len - first < STEP ? p->waiting.len - first : STEP;

        p->waiting.len -= n;
        memcpy(to + (p->waiting.len - first), p->waiting.data + p->waiting.len,
               n * sizeof(*to));
        if (n < STEP)
            continue;
        p->waiting.cap = p->waiting.len + 1;
        p->waiting.data =
            mem_resize(p->waiting.data, p->waiting.cap, sizeof(*to));
    }
}

static void close_level(struct parser *p)
{
    struct level level = p->open.data[--p->open.len];
    size_t n = p->waiting.len - level.first, at = p->json->slots.len;

    if (level.is_object && n / 2 > JSON_UNSORTED)
        qsort_r(p->waiting.data + level.first, n / 2, 2 * sizeof(uint32_t),
                compare_keys, p->json);
    vec_reserve(&p->json->slots, n + 1);
    p->json->slots.data[at] = json_slot_of_text(n) | level.is_object;
    move_values(p, level.first, p->json->slots.data + at + 1);
    p->json->slots.len += n + 1;
    *vec_add(&p->waiting) = json_slot_of_list(at);
}

static int end_level(void *parser)
{
    struct parser *p = parser;

    close_level(p);
    return keep(p);
}

/* ---- the text ---- */

static const yajl_callbacks callbacks = {
    .yajl_null = take_null,
    .yajl_boolean = take_boolean,
    .yajl_number = take_number,
    .yajl_string = take_text,
    .yajl_start_map = open_object,
    .yajl_map_key = take_key,
    .yajl_end_map = end_level,
    .yajl_start_array = open_array,
    .yajl_end_array = end_level,
};

static void *get_memory(void *context, size_t size)
{
    (void)context;
    return mem_new(size, 1);
}

static void *change_memory(void *context, void *memory, size_t size)
{
    (void)context;
    return mem_resize(memory, size, 1);
}

static void give_memory(void *context, void *memory)
{
    (void)context;
    free(memory);
}

static yajl_alloc_funcs memory = {get_memory, change_memory, give_memory, NULL};

/* "parse error: trailing garbage\n" */
static void describe(const struct parser *p, yajl_status status,
                     const uint8_t *data, size_t size,
                     struct json_damage *damage)
{
    unsigned char *text;

    damage->at = yajl_get_bytes_consumed(p->yajl);
    if (status == yajl_status_error) {
        text = yajl_get_error(p->yajl, 0, data, size);
        snprintf(damage->what, sizeof(damage->what), "%.*s",
                 (int)strcspn((char *)text, "\n"), (char *)text);
        yajl_free_error(p->yajl, text);
        return;
    }
    snprintf(damage->what, sizeof(damage->what), "%s",
             p->refused ? p->refused : "it is cut off");
}

bool json_parse(struct json_text *json, const uint8_t *data, size_t size,
                size_t *whole, struct json_damage *damage)
{
    struct parser p = {.json = json};
    yajl_status status;
    bool complete;

    /* What is kept of a value is no longer than what stands there: a text
     * has its quotes, others what parts them from the next. */
    json->text = mem_new(size + 1, 1);
    p.yajl = yajl_alloc(&callbacks, &memory, &p);
    status = yajl_parse(p.yajl, data, size);
    complete = status == yajl_status_ok && json->slots.len && !p.open.len;
    if (!complete)
        describe(&p, status, data, size, damage);
    yajl_free(p.yajl);
    *whole = p.whole;
    p.waiting.len = p.kept;
    while (p.open.len)
        close_level(&p);
    if (p.waiting.len)
        json->root = p.waiting.data[0];
    vec_release(&p.waiting);
    vec_release(&p.open);
    return complete;
}
