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

/* As schema_text.c writes types, and some that it has no word for. */
static const char *const type_words[TYPES] = {
    "null",   "wstr",   "astr",     "ustr",     "i8",      "u8",
    "i16",    "u16",    "i32",      "u32",      "i64",     "u64",
    "f32",    "f64",    "bool8",    "bool32",   "bin",     "guid",
    "ptr",    "filetime", "systemtime", "sid",  "wbemsid", "cwstr",
    "castr",  "custr",  "cwstr_be", "castr_be", "wrest",   "arest",
    "cbin",   "cbin32", "rest",     "wfix",     "afix",    "char16",
    "char8",  "varint", "varuint",  "decimal",  "struct",  "relloc",
    "dataloc", "vustr", "pad64",
};

static const char *const format_words[] = {
    "plain", "hex",   "pid",   "tid",      "port",    "ip4",
    "ip6",   "socket", "error", "win32",   "ntstatus", "hresult",
    "bool",  "time",  "ticks", "str",      "xml",     "json",
    "code",  "unix",  "signed", "dec",
};

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
    if (f->type != TYPE_STRUCT)
        out_str(out, type_words[f->type]);
    if (f->type == TYPE_STRUCT || f->members) {
        out_char(out, '{');
        put_fields(out, s, f->first, f->members);
        out_char(out, '}');
    }
    if (f->format)
        out_fmt(out, ".%s", format_words[f->format]);
    if (f->length || f->length_of_field)
        out_fmt(out, f->length_of_field ? "(#%u)" : "(%u)", f->length);
    out_fmt(out, " %s%s", f->hidden ? "-" : "", f->name);
    put_count(out, f);
    if (f->names)
        out_fmt(out, ":%s", f->names->name);
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
