/*
 * Schemas that a trace brings along.
 *
 * A merged log holds events of the class "event metadata": a
 * TRACE_EVENT_INFO,
 *
 *   0    16    provider
 *   16   16    event
 *   32   16    u16 id, u8 version, u8 channel, u8 level, u8 opcode, u16 task,
 *              u64 keywords
 *   48   4     where it is from: 0 manifest, 1 MOF, 2 WPP, 3 TraceLogging
 *   52   4x12  where texts begin, 0 for none: provider, level, channel,
 *              keywords, task, opcode, event message, provider message, ...,
 *              name of the event
 *   100  4     properties
 *   104  4     those of the event itself
 *   112  24x   properties: u32 flags, u32 name, u16 in type, u16 out type, u32
 *              map, u16 count, u16 length, u32 0; of a struct its first
 *              member and how many stand for the types
 *
 * or an enumeration: provider, then EVENT_MAP_INFO. EventSources write their
 * manifest as events, in parts. (engine/format/etl/format.md, section 6)
 */
#include <stdlib.h>
#include <string.h>

#include "engine/events/trace_impl.h"
#include "engine/events/type_codes.h"

enum {
    EVENT_INFO = 32,
    MAP_INFO = 33,
    TEI_HEADER = 112,
    PROPERTY = 24,
    FROM_MOF = 1,
    TEXT_PROVIDER = 0,
    TEXT_TASK = 4,
    TEXT_OPCODE = 5,
    TEXT_MESSAGE = 6,
    TEXT_EVENT = 10,
    MANIFEST_HEADER = 8,
    MANIFEST_XML = 1,
    MANIFEST_MAGIC = 0x5B,
    LARGEST_MANIFEST = 16 << 20,
    MOST_PARTS = 4096,
};

enum property_flags {
    PROPERTY_STRUCT = 0x1,
    PROPERTY_LENGTH_FIELD = 0x2,
    PROPERTY_COUNT_FIELD = 0x4,
    PROPERTY_FIXED_LENGTH = 0x10,
    PROPERTY_FIXED_COUNT = 0x20,
};

/* ---- TRACE_EVENT_INFO ---- */

/* Spaces at the end of texts are an artefact of message files. */
static const char *text_at(struct arena *arena, struct bytes blob,
                           uint32_t offset)
{
    struct reader whole = reader_of("", blob.data, blob.len, 0, NULL);
    struct reader r = reader_at(&whole, offset, "text");
    struct bytes text;

    if (!offset || r.failed)
        return NULL;
    text = reader_utf16(&r);
    while (text.len >= 2 && text.data[text.len - 2] == ' ' &&
           !text.data[text.len - 1])
        text.len -= 2;
    return arena_utf16(arena, text);
}

/* "win:Start" is Start. */
static const char *without_prefix(const char *name)
{
    return name && !strncmp(name, "win:", 4) ? name + 4 : name;
}

static const char *header_text(struct arena *arena, struct bytes blob,
                               unsigned number)
{
    return text_at(arena, blob, load_u32(blob.data + 52 + (size_t)4 * number));
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
    const char *name = text_at(&t->arena, blob, load_u32(p + 4));

    if (flags & PROPERTY_STRUCT) {
        *f = (struct event_field){
            .type = TYPE_STRUCT, .first = in, .members = out};
        if (in <= number || in > count || out > count - in)
            return false;
    } else {
        const char *map = text_at(&t->arena, blob, load_u32(p + 12));

        *f = field_of_codes(in, manifest_format(out), out == 35);
        set_length(f, flags, load_u16(p + 18));
        if (map)
            f->names = schemas_names(t, blob.data, map);
    }
    set_count(f, flags, load_u16(p + 16));
    f->name = name ? name : "";
    return true;
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
        .provider = header_text(&t->arena, blob, TEXT_PROVIDER),
        .name = without_prefix(header_text(&t->arena, blob, TEXT_TASK)),
        .type_name =
            without_prefix(header_text(&t->arena, blob, TEXT_OPCODE)),
        .message = header_text(&t->arena, blob, TEXT_MESSAGE),
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
        const char *text = text_at(&t->arena, info, reader_u32(&r));

        list[i] = (struct event_name){reader_u32(&r), text ? text : ""};
    }
    memcpy(out->guid, guid, 16);
    out->names = (struct event_names){
        .name = text_at(&t->arena, info, name),
        .list = list,
        .count = count,
        .bits = flags & 2,
    };
    return out->names.name;
}

const struct event_names *schemas_names(const struct event_trace *t,
                                        const uint8_t *guid,
                                        const char *name)
{
    for (size_t i = 0; i < t->names.len; i++)
        if (!memcmp(t->names.data[i]->guid, guid, 16) &&
            !strcmp(t->names.data[i]->names.name, name))
            return &t->names.data[i]->names;
    return NULL;
}

/* ---- what is found ---- */

/* The first one that describes an event stays. */
static void add_found(struct event_trace *t, const struct found_schema *found)
{
    bool fresh;

    event_key(&t->found_keys, &t->arena, &found->id, sizeof(found->id),
              &fresh);
    if (fresh)
        *vec_add(&t->found) = *found;
}

static void take_info(struct event_trace *t, struct bytes blob)
{
    struct found_schema found = {.source = SCHEMA_TRACE_EVENT_INFO};
    bool mof;

    if (blob.len < TEI_HEADER)
        return;
    mof = load_u32(blob.data + 48) == FROM_MOF;
    found.id.classic = mof;
    found.id.id = mof ? blob.data[37] : load_u16(blob.data + 32);
    found.id.version = blob.data[34];
    memcpy(found.id.guid, blob.data + (mof ? 16 : 0), 16);
    found.bytes.data = arena_copy(&t->arena, blob.data, blob.len);
    found.bytes.len = blob.len;
    add_found(t, &found);
}

static void take_map(struct event_trace *t, struct bytes blob)
{
    struct found_names *found = arena_new(&t->arena, struct found_names, 1);

    if (event_map_read(t, blob, found))
        *vec_add(&t->names) = found;
}

void schemas_take_classic(struct event_trace *t, const uint8_t *guid,
                          uint8_t opcode, struct bytes payload)
{
    static const uint8_t metadata[16] = {
        0xc1, 0xf6, 0xcc, 0xbb, 0xd1, 0x6c, 0xc4, 0x48,
        0x80, 0xff, 0x83, 0x94, 0x82, 0xe3, 0x76, 0x71,
    };

    if (memcmp(guid, metadata, sizeof(metadata)) != 0)
        return;
    if (opcode == EVENT_INFO)
        take_info(t, payload);
    else if (opcode == MAP_INFO)
        take_map(t, payload);
}

/* ---- manifests in parts ---- */

static struct manifest_parts *parts_of(struct event_trace *t,
                                       const uint8_t *guid, uint32_t pid,
                                       uint32_t tid)
{
    struct manifest_parts *p;

    for (size_t i = 0; i < t->parts.len; i++) {
        p = &t->parts.data[i];
        if (p->pid == pid && p->tid == tid && !memcmp(p->guid, guid, 16))
            return p;
    }
    if (t->parts.len == MOST_PARTS)
        return NULL;
    p = vec_add(&t->parts);
    *p = (struct manifest_parts){.pid = pid, .tid = tid};
    memcpy(p->guid, guid, 16);
    return p;
}

static void add_manifest(struct event_trace *t, struct manifest_parts *p)
{
    struct found_manifest *m =
        manifest_read(t, p->guid, p->xml, p->size);
    uint32_t number = (uint32_t)t->manifests.len;
    struct found_schema found = {.source = SCHEMA_MANIFEST,
                                 .manifest = number};

    if (!m)
        return;
    *vec_add(&t->manifests) = m;
    for (uint32_t i = 0; manifest_event(m, i, &found.id); i++) {
        found.event = i;
        add_found(t, &found);
    }
}

void schemas_take_manifest(struct event_trace *t, const uint8_t *guid,
                           uint32_t pid, uint32_t tid, struct bytes payload)
{
    const uint8_t *p = payload.data;
    struct manifest_parts *parts;
    uint16_t total, number;
    size_t n;

    if (payload.len < MANIFEST_HEADER || p[0] != MANIFEST_XML ||
        p[3] != MANIFEST_MAGIC)
        return;
    total = load_u16(p + 4);
    number = load_u16(p + 6);
    n = payload.len - MANIFEST_HEADER;
    parts = parts_of(t, guid, pid, tid);
    if (!parts || number >= total)
        return;
    if (!number) {
        parts->size = 0;
        parts->next = 0;
        parts->total = total;
    }
    if (number != parts->next || total != parts->total ||
        parts->size + n > LARGEST_MANIFEST)
        return;
    if (parts->size + n > parts->room)
        parts->xml = mem_grow(parts->xml, &parts->room, parts->size + n, 1);
    memcpy(parts->xml + parts->size, p + MANIFEST_HEADER, n);
    parts->size += n;
    if (++parts->next == total)
        add_manifest(t, parts);
}

/* ---- looking up ---- */

bool schemas_find(struct event_trace *t, const struct event_id *id,
                  struct described *out)
{
    const struct found_schema *found;
    struct event_id key = *id;
    bool fresh;
    uint32_t at = event_key(&t->found_keys, &t->arena, &key, sizeof(key),
                            &fresh);

    if (fresh) {
        /* Asked for, and not there: next time as well. */
        *vec_add(&t->found) = (struct found_schema){.id = key};
        return false;
    }
    found = &t->found.data[at];
    if (found->source == SCHEMA_TRACE_EVENT_INFO)
        return tei_read(t, found->bytes, out);
    if (found->source != SCHEMA_MANIFEST)
        return false;
    manifest_describe(t->manifests.data[found->manifest], found->event, out);
    return true;
}

const char *schemas_provider(struct event_trace *t, const uint8_t *guid)
{
    for (size_t i = 0; i < t->manifests.len; i++) {
        const char *name = manifest_provider(t->manifests.data[i], guid);

        if (name)
            return name;
    }
    for (size_t i = 0; i < t->found.len; i++) {
        const struct found_schema *f = &t->found.data[i];

        if (f->bytes.len && !memcmp(f->id.guid, guid, 16) && !f->id.classic)
            return header_text(&t->arena, f->bytes, TEXT_PROVIDER);
    }
    return NULL;
}

void schemas_release(struct event_trace *t)
{
    for (size_t i = 0; i < t->parts.len; i++)
        free(t->parts.data[i].xml);
    for (size_t i = 0; i < t->manifests.len; i++)
        manifest_free(t->manifests.data[i]);
    vec_release(&t->found);
    map_release(&t->found_keys.ids);
    vec_release(&t->found_keys.list);
    vec_release(&t->names);
    vec_release(&t->parts);
    vec_release(&t->manifests);
}
