#include "tests/support/payloads.h"

#include <assert.h>
#include <stdio.h>

#include "engine/base/text.h"

size_t payload_of_hex(const char *hex, uint8_t *bytes)
{
    size_t n = 0;
    unsigned byte;

    for (; *hex; hex++)
        if (*hex != ' ') {
            int read = sscanf(hex++, "%2x", &byte);

            assert(read == 1 && n < PAYLOAD_ROOM);
            (void)read;
            bytes[n++] = (uint8_t)byte;
        }
    return n;
}

/* What was written, to be freed; closes it. */
static char *text_of(struct out *out)
{
    size_t n;
    const char *text = out_text(out, &n);
    char *copy = text_copy(text, n);

    out_close(out, NULL);
    return copy;
}

char *decoded_text(struct event_decoder *d)
{
    struct out *out = out_memory();
    struct event_value v;
    const char *before = "";

    while (event_next_field(d, &v)) {
        out_fmt(out, "%s%s=", before, v.field->name);
        event_value_text(out, d, &v);
        before = " ";
    }
    if (d->stopped)
        out_fmt(out, "%s! %s at %zu, %zu bytes left", before, d->stopped,
                d->stopped_at, event_rest(d).len);
    return text_of(out);
}

static void put_count(struct out *out, const struct event_field *f)
{
    switch (f->counting) {
    case COUNT_ONE:
        break;
    case COUNT_FIXED:
        out_fmt(out, "[%u]", f->count);
        break;
    case COUNT_FIELD:
        out_fmt(out, "[#%u]", f->count);
        break;
    case COUNT_PREFIX:
        out_str(out, "[u16]");
        break;
    case COUNT_PREFIX_32:
        out_str(out, "[u32]");
        break;
    default:
        out_str(out, "[]");
    }
}

static void put_fields(struct out *out, const struct event_schema *s,
                       size_t first, size_t count);

static void put_field(struct out *out, const struct event_schema *s,
                      const struct event_field *f)
{
    static const char *const located[] = {"relloc ", "dataloc "};
    struct event_field one = *f;

    one.counting = COUNT_ONE;
    if (f->type == TYPE_RELLOC || f->type == TYPE_DATALOC)
        out_str(out, located[f->type == TYPE_DATALOC]);
    if (f->members) {
        /* Members stand behind their struct: this ends. */
        assert(f->first > (size_t)(f - s->fields));
        out_char(out, '{');
        put_fields(out, s, f->first, f->members);
        out_char(out, '}');
    } else {
        event_type_text(out, &one);
    }
    if (f->format)
        out_fmt(out, ".%u", f->format);
    if (f->names)
        out_fmt(out, ":%s", f->names->name);
    if (f->length || f->length_of_field)
        out_fmt(out, f->length_of_field ? "(#%u)" : "(%u)", f->length);
    out_fmt(out, " %s%s", f->hidden ? "-" : "", f->name);
    put_count(out, f);
}

static void put_fields(struct out *out, const struct event_schema *s,
                       size_t first, size_t count)
{
    assert(first + count <= s->count);
    for (size_t i = 0; i < count; i++) {
        out_str(out, i ? ", " : "");
        put_field(out, s, &s->fields[first + i]);
    }
}

char *schema_text(const struct event_schema *schema)
{
    struct out *out = out_memory();

    put_fields(out, schema, 0, schema->top);
    return text_of(out);
}
