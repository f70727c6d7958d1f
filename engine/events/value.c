/*
 * Values as text and as JSON, groups and all.
 */
#include <math.h>

#include "engine/base/json.h"
#include "engine/events/value_text.h"

/* ---- groups as text ---- */

/* Whether members of the level the value stands in are shown with names. */
static bool is_member(const struct event_decoder *d)
{
    return d->depth && !d->levels[d->depth].array;
}

void event_value_text(struct out *out, struct event_decoder *d,
                      const struct event_value *v)
{
    struct event_value inner;
    uint32_t depth = d->depth;
    bool first = true;

    if (v->kind != FIELD_GROUP) {
        event_scalar_text(out, v);
        return;
    }
    if (!event_enter(d, v))
        return;
    out_char(out, v->array ? '[' : '{');
    while (d->depth > depth && event_next_value(d, &inner)) {
        if (inner.kind == FIELD_END) {
            out_char(out, inner.array ? ']' : '}');
            first = false;
            continue;
        }
        if (inner.field->hidden && is_member(d))
            continue;
        out_str(out, first ? "" : ",");
        if (is_member(d))
            out_fmt(out, "%s=", inner.field->name);
        first = false;
        if (inner.kind != FIELD_GROUP) {
            event_scalar_text(out, &inner);
        } else if (event_enter(d, &inner)) {
            out_char(out, inner.array ? '[' : '{');
            first = true;
        }
    }
}

/* ---- JSON ---- */

static void json_scalar_text(struct json *json, const char *key,
                             const struct event_value *v)
{
    struct out *text = out_memory();

    event_scalar_text(text, v);
    json_text(json, key, out_text(text, NULL));
    out_close(text, NULL);
}

bool event_value_is_decimal(const struct event_value *v)
{
    return (v->kind == FIELD_INT || v->kind == FIELD_UINT) &&
           !event_value_is_hex(v) && !v->field->names;
}

bool event_value_is_exact(const struct event_value *v)
{
    const uint64_t most = 1ull << 53;

    if (v->kind == FIELD_INT)
        return v->i <= (int64_t)most && v->i >= -(int64_t)most;
    return v->u <= most;
}

static void json_scalar(struct json *json, const char *key,
                        const struct event_value *v)
{
    if (v->kind == FIELD_NULL)
        json_null(json, key);
    else if (v->kind == FIELD_BOOL)
        json_bool(json, key, v->u != 0);
    else if (v->kind == FIELD_DOUBLE && !isnan(v->d) && !isinf(v->d))
        json_shortest(json, key, v->d, v->width == 4);
    else if (!event_value_is_decimal(v) || !event_value_is_exact(v))
        json_scalar_text(json, key, v);
    else if (v->kind == FIELD_INT)
        json_i64(json, key, v->i);
    else
        json_u64(json, key, v->u);
}

static void open_group(struct json *json, const char *key,
                       const struct event_value *v)
{
    if (v->array)
        json_array(json, key);
    else
        json_object(json, key);
}

static void value_json(struct json *json, const char *key,
                       struct event_decoder *d, const struct event_value *v)
{
    struct event_value inner;
    uint32_t depth = d->depth, open = 1;

    if (v->kind != FIELD_GROUP) {
        json_scalar(json, key, v);
        return;
    }
    open_group(json, key, v);
    if (event_enter(d, v)) {
        while (d->depth > depth && event_next_value(d, &inner)) {
            const char *name = NULL;

            if (inner.kind == FIELD_END) {
                json_end(json);
                open--;
                continue;
            }
            if (is_member(d))
                name = inner.field->name;
            if (name && inner.field->hidden)
                continue;
            if (inner.kind != FIELD_GROUP) {
                json_scalar(json, name, &inner);
            } else if (event_enter(d, &inner)) {
                open_group(json, name, &inner);
                open++;
            }
        }
    }
    while (open--)
        json_end(json);
}

void event_value_json(struct out *out, struct event_decoder *d,
                      const struct event_value *v)
{
    struct json json = json_to(out);

    value_json(&json, NULL, d, v);
}

void event_payload_json(struct out *out, const struct event *e)
{
    struct json json = json_to(out);
    struct event_decoder d = event_decode(e);
    struct event_value v;
    struct bytes rest;

    json_object(&json, NULL);
    while (event_next_field(&d, &v))
        value_json(&json, v.field->name, &d, &v);
    rest = event_rest(&d);
    if (rest.len && (d.stopped || !e->kind->schema)) {
        v = (struct event_value){.kind = FIELD_BYTES, .bytes = rest};
        json_scalar_text(&json, "_rest", &v);
    }
    if (d.stopped)
        json_text(&json, "_stopped", d.stopped);
    json_end(&json);
}
