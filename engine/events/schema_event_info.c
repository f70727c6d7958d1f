/*
 * Schemas and enumerations that were embedded when a log was merged.
 * (engine/format/etl/format.md, section 6)
 */
#include <string.h>

#include "engine/events/trace_impl.h"

enum {
    TEI_HEADER = 112,
    PROPERTY = 24,
    FROM_MOF = 1,
    TEXT_PROVIDER = 0,
    TEXT_TASK = 4,
    TEXT_OPCODE = 5,
    TEXT_MESSAGE = 6,
    TEXT_EVENT = 10,
};

enum property_flags {
    PROPERTY_STRUCT = 0x1,
    PROPERTY_LENGTH_FIELD = 0x2,
    PROPERTY_COUNT_FIELD = 0x4,
    PROPERTY_FIXED_LENGTH = 0x10,
    PROPERTY_FIXED_COUNT = 0x20,
};

/* Spaces at the end of texts are an artefact of message files. Thousands of
 * fields may name one long text, so all are taken from the trace's budget. */
static const char *text_at(struct event_trace *t, struct bytes blob,
                           uint32_t offset)
{
    struct reader whole = reader_of("", blob.data, blob.len, 0, NULL);
    struct reader r = reader_at(&whole, offset, "text");
    struct bytes text;

    if (!offset || r.failed)
        return NULL;
    text = reader_utf16(&r);
    if (!event_texts_take(t, text.len))
        return NULL;
    while (text.len >= 2 && text.data[text.len - 2] == ' ' &&
           !text.data[text.len - 1])
        text.len -= 2;
    return arena_utf16(&t->arena, text);
}

static const char *header_text(struct event_trace *t, struct bytes blob,
                               unsigned number)
{
    return text_at(t, blob, load_u32(blob.data + 52 + (size_t)4 * number));
}

static void set_length(struct event_field *f, uint32_t flags, uint16_t length)
{
    bool given = flags & PROPERTY_LENGTH_FIELD || length;

    f->length = length;
    f->length_of_field = flags & PROPERTY_LENGTH_FIELD;
    if (f->type == TYPE_UTF16Z && given)
        f->type = TYPE_UTF16_FIXED;
    else if ((f->type == TYPE_ANSIZ || f->type == TYPE_UTF8Z) && given)
        f->type = TYPE_ANSI_FIXED;
    else if (f->type == TYPE_BINARY && !given && f->format == SHOW_IPV6)
        f->length = 16;
    else if (f->type == TYPE_BINARY && !given)
        f->type = TYPE_BINARY_REST;
}

static void set_count(struct event_field *f, uint32_t flags, uint16_t count)
{
    f->count = count;
    if (flags & PROPERTY_COUNT_FIELD)
        f->counting = COUNT_FIELD;
    else if (flags & PROPERTY_FIXED_COUNT || count > 1)
        f->counting = COUNT_FIXED;
}

/* False: a struct that begins before itself, or ends behind all. */
static bool read_property(struct event_trace *t, struct bytes blob,
                          uint32_t number, uint32_t count,
                          struct event_field *f)
{
    const uint8_t *p = blob.data + TEI_HEADER + (size_t)number * PROPERTY;
    uint32_t flags = load_u32(p);
    uint16_t in = load_u16(p + 8), out = load_u16(p + 10);
    const char *name = text_at(t, blob, load_u32(p + 4));

    if (flags & PROPERTY_STRUCT) {
        *f = (struct event_field){
            .type = TYPE_STRUCT, .first = in, .members = out};
        if (in <= number || in > count || out > count - in)
            return false;
    } else {
        const char *map = text_at(t, blob, load_u32(p + 12));

        *f = field_of_codes(in, manifest_format(out), out == 35);
        set_length(f, flags, load_u16(p + 18));
        if (map)
            f->names = schemas_names(t, blob.data, map);
    }
    set_count(f, flags, load_u16(p + 16));
    f->name = name ? name : "";
    return true;
}

bool tei_id(struct bytes blob, struct event_id *id)
{
    bool mof;

    if (blob.len < TEI_HEADER)
        return false;
    mof = load_u32(blob.data + 48) == FROM_MOF;
    *id = (struct event_id){
        .classic = mof,
        .id = mof ? blob.data[37] : load_u16(blob.data + 32),
        .version = blob.data[34],
    };
    memcpy(id->guid, blob.data + (mof ? 16 : 0), sizeof(id->guid));
    return true;
}

const char *tei_provider(struct event_trace *t, struct bytes blob)
{
    return header_text(t, blob, TEXT_PROVIDER);
}

bool tei_read(struct event_trace *t, struct bytes blob, struct described *out)
{
    struct event_schema *s = arena_new(&t->arena, struct event_schema, 1);
    uint32_t count, top;
    struct event_field *fields;

    *out = (struct described){0};
    if (blob.len < TEI_HEADER)
        return false;
    count = load_u32(blob.data + 100);
    top = load_u32(blob.data + 104);
    if (count > (blob.len - TEI_HEADER) / PROPERTY || top > count)
        return false;
    fields = arena_new(&t->arena, struct event_field, count);
    for (uint32_t i = 0; i < count; i++)
        if (!read_property(t, blob, i, count, &fields[i]))
            return false;
    *s = (struct event_schema){fields, count, top, SCHEMA_TRACE_EVENT_INFO};
    *out = (struct described){
        .schema = s,
        .provider = header_text(t, blob, TEXT_PROVIDER),
        .name = name_without_prefix(header_text(t, blob, TEXT_TASK)),
        .type_name = name_without_prefix(header_text(t, blob, TEXT_OPCODE)),
        .message = header_text(t, blob, TEXT_MESSAGE),
    };
    return true;
}

/* ---- enumerations ---- */

bool event_map_read(struct event_trace *t, struct bytes blob,
                    struct found_names *out)
{
    struct reader r = reader_of("", blob.data, blob.len, 0, NULL);
    const uint8_t *guid = reader_take(&r, 16);
    struct bytes info = {r.base + r.pos, reader_left(&r)};
    struct event_name *list;
    uint32_t name, flags, count;

    name = reader_u32(&r);
    flags = reader_u32(&r);
    count = reader_u32(&r);
    reader_skip(&r, 4);
    if (r.failed || count > reader_left(&r) / 8)
        return false;
    list = arena_new(&t->arena, struct event_name, count);
    for (uint32_t i = 0; i < count; i++) {
        const char *text = text_at(t, info, reader_u32(&r));

        list[i] = (struct event_name){reader_u32(&r), text ? text : ""};
    }
    memcpy(out->guid, guid, 16);
    out->names = (struct event_names){
        .name = text_at(t, info, name),
        .count = count,
        .bits = flags & 2,
    };
    event_names_finish(&out->names, list);
    return out->names.name;
}
