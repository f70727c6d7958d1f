/*
 * yajl says what it meets: values wait on a stack until their array or object
 * ends; then they are moved to where they stay, and it waits in their place. No
 * recursion. A number that is cut off looks whole: yajl tells of it when it
 * has seen what follows.
 */
#include "engine/base/json_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#include "engine/base/bisect.h"
#include "engine/base/vec.h"

/*
 * A slot of 32 bits is a value: where its text begins or, with the lowest bit
 * set, where in `slots` an array or object is: how many slots it has, times 2,
 * and 1 for an object; then its elements or, in pairs, keys and members. An
 * object with more than JSON_UNSORTED members has its keys sorted, equal keys
 * in the order of the text.
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

/* The text behind the quote of a key. */
static inline const char *json_key(const struct json_text *json, uint32_t slot)
{
    return json->text + (slot >> 1) + 1;
}

struct json_damage {
    char what[120];
    size_t at;
};

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
    size_t kept, whole;  /* values that count, and where the last one ends */
    const char *refused; /* what yajl would have taken; or NULL */
};

/* The values that wait by now count. */
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

static int take_null(void *p)
{
    return take_plain(p, "", "", 0);
}

static int take_boolean(void *p, int value)
{
    return take_plain(p, "", value ? "t" : "f", 1);
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
    *vec_add(&p->waiting) = (uint32_t)at << 1 | 1;
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
             p->refused ? p->refused : "the text is truncated");
}

/* Reads text up to its end or to the first damage, and says whether it came to
 * the end. `whole`: where what was read ends. */
static bool json_parse(struct json_text *json, const uint8_t *data, size_t size,
                       size_t *whole, struct json_damage *damage)
{
    struct parser p = {.json = json};
    yajl_status status;
    bool complete;

    /* The copy of a value is no longer than what stands there: a text
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

struct json_text *json_read(const char *name, const uint8_t *data, size_t size,
                            size_t *whole, struct err *err)
{
    size_t mark = size >= 3 && !memcmp(data, "\xEF\xBB\xBF", 3) ? 3 : 0;
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
        err_set(err, ERR_CORRUPT, "%s: offset 0x%zx: invalid JSON: %s", name,
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

size_t json_slots(const struct json_text *json)
{
    return json->slots.len;
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

const char *json_key_at(struct json_value object, size_t i)
{
    const uint32_t *slots;
    size_t n = list_of(object, true, &slots) / 2;

    return i < n ? json_key(object.json, slots[2 * i]) : NULL;
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

bool json_is_boolean(struct json_value v)
{
    const char *text = plain(v);

    return *text == 't' || *text == 'f';
}

bool json_is_true(struct json_value v)
{
    return *plain(v) == 't';
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
