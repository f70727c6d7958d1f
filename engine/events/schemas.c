/*
 * Schemas that a trace brings along.
 *
 * A merged log holds events of the class "event metadata": a TRACE_EVENT_INFO,
 * which describes an event, or an EVENT_MAP_INFO, which is an enumeration; both
 * are read in schema_event_info.c. EventSources write their manifest as events,
 * in parts, which manifest.c reads when they are complete.
 * (engine/format/etl/format.md, section 6)
 */
#include <stdlib.h>
#include <string.h>

#include "engine/base/hash.h"
#include "engine/base/text.h"
#include "engine/events/trace_impl.h"
#include "engine/format/etl/guids.h"

/* ---- what the arena of a trace keeps: keys, texts, fields ---- */

static void hash_bytes(const uint8_t *p, size_t n, uint64_t *a, uint32_t *b)
{
    uint64_t h = n;
    size_t i = 0;

    for (; i + 8 <= n; i += 8)
        h = hash_pair(h, load_u64(p + i));
    for (; i < n; i++)
        h = hash_pair(h, p[i]);
    *a = h;
    *b = (uint32_t)hash_pair(h, n);
}

uint32_t event_key(struct event_keys *keys, struct arena *arena,
                   const void *key, size_t size, bool *fresh)
{
    uint32_t next = mem_next_id(keys->list.len), at, b;
    uint64_t a;

    hash_bytes(key, size, &a, &b);
    /* Two keys with one hash stand behind each other. */
    for (;; b++) {
        at = map_add(&keys->ids, a, b, next);
        *fresh = at == next;
        if (*fresh)
            break;
        if (keys->list.data[at].len == size &&
            !memcmp(keys->list.data[at].data, key, size))
            return at;
    }
    *vec_add(&keys->list) = (struct bytes){arena_copy(arena, key, size), size};
    return at;
}

const char *arena_text(struct arena *arena, struct bytes utf8)
{
    char *text = arena_new(arena, char, utf8.len * 3 + 1);
    size_t n = 0, used;

    for (size_t i = 0; i < utf8.len && utf8.data[i]; i += used) {
        used = utf8_sequence(utf8.data + i, utf8.len - i);
        if (used) {
            memcpy(text + n, utf8.data + i, used);
            n += used;
        } else {
            n += utf8_of(0xFFFD, text + n);
            used = 1;
        }
    }
    return text;
}

const char *arena_utf16(struct arena *arena, struct bytes utf16)
{
    size_t units = utf16.len / 2, n = 0, used;
    char *text = arena_new(arena, char, units * 3 + 1);

    for (size_t i = 0; i < units; i += used) {
        uint32_t c = utf16_code_point(utf16.data + 2 * i, units - i, &used);

        if (!c)
            break;
        n += utf8_of(c, text + n);
    }
    return text;
}

const struct event_field *event_fields_copy(struct arena *arena,
                                            const struct event_field *fields,
                                            size_t count)
{
    struct event_field *copy = arena_new(arena, struct event_field, count);

    if (count)
        memcpy(copy, fields, count * sizeof(*copy));
    return copy;
}

const char *name_without_prefix(const char *name)
{
    return name && !strncmp(name, "win:", 4) ? name + 4 : name;
}

/* ---- enumerations ---- */

enum {
    EVENT_INFO = 32,
    MAP_INFO = 33,
    MANIFEST_HEADER = 8,
    MANIFEST_XML = 1,
    MANIFEST_MAGIC = 0x5B,
    LARGEST_MANIFEST = 16 << 20,
    MOST_PARTS = 4096,
};

const struct event_names *schemas_names(const struct event_trace *t,
                                        const uint8_t *guid, const char *name)
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

    event_key(&t->found_keys, &t->arena, &found->id, sizeof(found->id), &fresh);
    if (fresh)
        *vec_add(&t->found) = *found;
}

static void take_info(struct event_trace *t, struct bytes blob)
{
    struct found_schema found = {.source = SCHEMA_TRACE_EVENT_INFO};

    if (!tei_id(blob, &found.id))
        return;
    found.bytes.data = arena_copy(&t->arena, blob.data, blob.len);
    found.bytes.len = blob.len;
    add_found(t, &found);
}

void schemas_take_classic(struct event_trace *t, const uint8_t *guid,
                          uint8_t opcode, struct bytes payload)
{
    if (!etl_is_event_metadata(guid))
        return;
    if (opcode == EVENT_INFO)
        take_info(t, payload);
    else if (opcode == MAP_INFO) {
        struct found_names *found = arena_new(&t->arena, struct found_names, 1);

        if (event_map_read(t, payload, found))
            *vec_add(&t->names) = found;
    }
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
    uint32_t number = (uint32_t)t->manifests.len;
    struct found_schema found = {.source = SCHEMA_MANIFEST, .manifest = number};
    struct found_manifest *m;
    uint64_t print = hash_memory(p->guid, sizeof(p->guid));

    print = hash_pair(print, hash_memory(p->xml, p->size));
    if (map_get(&t->manifest_prints, print, 0) != MAP_NONE)
        return; /* of another process, mostly */
    map_set(&t->manifest_prints, print, 0, number);
    m = manifest_read(t, p->guid, p->xml, p->size);
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
    uint32_t at =
        event_key(&t->found_keys, &t->arena, &key, sizeof(key), &fresh);

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
            return tei_provider(&t->arena, f->bytes);
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
    map_release(&t->manifest_prints);
}
