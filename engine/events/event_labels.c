#include "engine/events/event_labels.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/json.h"
#include "engine/base/text.h"
#include "engine/format/nettrace/nettrace.h"

enum { LONGEST_KEY = 200, TRACE_ID = 16, SPAN_ID = 8 };

/* A key as a C string; NULs and what is behind them are left out. */
static const char *key_text(char text[LONGEST_KEY + 1], struct bytes key)
{
    size_t n = key.len < LONGEST_KEY ? key.len : LONGEST_KEY;

    memcpy(text, key.len ? (const void *)key.data : "", n);
    text[n] = '\0';
    return text;
}

static void put_text(struct json *json, struct bytes key, struct bytes value)
{
    char name[LONGEST_KEY + 1];
    char *text = text_copy(value.data, value.len);

    json_text(json, key_text(name, key), text);
    free(text);
}

static void put_hex(struct json *json, const char *key, const uint8_t *bytes,
                    size_t n)
{
    char text[2 * TRACE_ID + 1];

    for (size_t i = 0; i < n; i++) {
        text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
    }
    text[2 * n] = '\0';
    json_text(json, key, text);
}

/* A span id reads as its bytes in the order of their weight. */
static void put_span(struct json *json, uint64_t number)
{
    uint8_t bytes[SPAN_ID];

    for (size_t i = 0; i < SPAN_ID; i++)
        bytes[i] = (uint8_t)(number >> (8 * (SPAN_ID - 1 - i)));
    put_hex(json, "SpanId", bytes, SPAN_ID);
}

static void put_label(struct json *json, const struct nt_label *l)
{
    char name[LONGEST_KEY + 1];

    switch (l->kind) {
    case NT_LABEL_TRACE:
        put_hex(json, "TraceId", l->id, TRACE_ID);
        break;
    case NT_LABEL_SPAN:
        put_span(json, l->number);
        break;
    case NT_LABEL_TEXT:
        put_text(json, l->key, l->value);
        break;
    case NT_LABEL_NUMBER:
        json_i64(json, key_text(name, l->key),
                 (int64_t)(l->number >> 1) ^ -(int64_t)(l->number & 1));
        break;
    }
}

static bool is_shown(const struct nt_label *l)
{
    return l->kind >= NT_LABEL_TRACE && l->kind <= NT_LABEL_NUMBER;
}

void event_labels_json(struct out *out, const struct event *e)
{
    struct reader r = reader_of("", e->labels, e->labels_size, 0, NULL);
    struct json json = json_to(out);
    struct nt_label l;
    bool any = false;

    while (reader_more(&r)) {
        nt_read_label(&r, &l);
        if (r.failed || !is_shown(&l))
            continue;
        if (!any)
            json_object(&json, NULL);
        any = true;
        put_label(&json, &l);
    }
    if (any)
        json_end(&json);
}

static const char *kept(struct arena *arena, struct bytes text)
{
    return arena_strndup(arena, text.len ? (const char *)text.data : "",
                         text.len);
}

struct kind_texts event_kind_texts(struct arena *arena, struct bytes optional)
{
    struct reader r = reader_of("", optional.data, optional.len, 0, NULL);
    struct kind_texts texts = {"", "", ""};
    struct nt_optional o;
    struct out *attributes = out_memory();
    struct json json = json_to(attributes);
    bool any = false;

    while (reader_more(&r) && nt_read_optional(&r, &o)) {
        if (o.kind == NT_OPTIONAL_MESSAGE)
            texts.message = kept(arena, o.value);
        if (o.kind == NT_OPTIONAL_DESCRIPTION)
            texts.description = kept(arena, o.value);
        if (o.kind != NT_OPTIONAL_PAIR)
            continue;
        if (!any)
            json_object(&json, NULL);
        any = true;
        put_text(&json, o.key, o.value);
    }
    if (any) {
        size_t n;
        const char *text;

        json_end(&json);
        text = out_text(attributes, &n);
        texts.attributes = arena_strndup(arena, text, n);
    }
    out_close(attributes, NULL);
    return texts;
}
