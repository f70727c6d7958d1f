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
#include "engine/base/keysort.h"
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

void event_names_finish(struct event_names *names, struct event_name *list)
{
    enum { MOST_BITS = 256 };
    size_t n = names->count;
    struct keyed *order;
    struct event_name *copy;

    names->list = list;
    if (names->bits) {
        names->count = n < MOST_BITS ? n : MOST_BITS;
        return;
    }
    order = mem_new(n, sizeof(*order));
    copy = mem_new(n, sizeof(*copy));
    for (uint32_t i = 0; i < n; i++) {
        order[i] = (struct keyed){list[i].value, i};
        copy[i] = list[i];
    }
    keysort(order, n);
    for (size_t i = 0; i < n; i++)
        list[i] = copy[order[i].value];
    free(order);
    free(copy);
}

bool event_texts_take(struct event_trace *t, uint64_t bytes)
{
    bool said = t->texts.cut;

    if (budget_take(&t->texts, bytes))
        return true;
    if (!said)
        profile_warn(t->notes,
                     "texts of embedded schemas come to more than a trace of "
                     "this size may have: the rest is left out");
    return false;
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

/* The key of an enumeration: the provider's GUID and its name. */
static uint32_t names_key(struct event_trace *t, const uint8_t *guid,
                          const char *name, bool *fresh)
{
    size_t n = strlen(name);
    uint8_t *key = mem_new(16 + n, 1);
    uint32_t at;

    memcpy(key, guid, 16);
    memcpy(key + 16, name, n);
    at = event_key(&t->names_keys, &t->arena, key, 16 + n, fresh);
    free(key);
    return at;
}

const struct event_names *schemas_names(struct event_trace *t,
                                        const uint8_t *guid, const char *name)
{
    bool fresh;
    uint32_t at = names_key(t, guid, name, &fresh);

    if (fresh)
        *vec_add(&t->names) = NULL;
    return t->names.data[at] ? &t->names.data[at]->names : NULL;
}

/* ---- what is found ---- */

static struct found_provider *provider_of(struct event_trace *t,
                                          const uint8_t *guid)
{
    bool fresh;
    uint32_t at = event_key(&t->provider_keys, &t->arena, guid, 16, &fresh);

    if (fresh)
        *vec_add(&t->providers) = (struct found_provider){.name = NULL};
    return &t->providers.data[at];
}

/* The first one that describes an event stays. */
static bool add_found(struct event_trace *t, const struct found_schema *found)
{
    bool fresh;

    event_key(&t->found_keys, &t->arena, &found->id, sizeof(found->id), &fresh);
    if (fresh)
        *vec_add(&t->found) = *found;
    return fresh;
}

static void take_info(struct event_trace *t, struct bytes blob)
{
    struct found_schema found = {.source = SCHEMA_TRACE_EVENT_INFO};

    if (!tei_id(blob, &found.id))
        return;
    found.bytes.data = arena_copy(&t->arena, blob.data, blob.len);
    found.bytes.len = blob.len;
    if (add_found(t, &found) && !found.id.classic) {
        struct found_provider *p = provider_of(t, found.id.guid);

        if (!p->info.len)
            p->info = found.bytes;
    }
}

static void take_map(struct event_trace *t, struct bytes blob)
{
    struct found_names *found = arena_new(&t->arena, struct found_names, 1);
    bool fresh;
    uint32_t at;

    if (!event_map_read(t, blob, found))
        return;
    at = names_key(t, found->guid, found->names.name, &fresh);
    if (fresh)
        *vec_add(&t->names) = found;
    else if (!t->names.data[at])
        t->names.data[at] = found;
}

void schemas_take_classic(struct event_trace *t, const uint8_t *guid,
                          uint8_t opcode, struct bytes payload)
{
    if (!etl_is_event_metadata(guid))
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
    uint32_t number = (uint32_t)t->manifests.len;
    struct found_schema found = {.source = SCHEMA_MANIFEST, .manifest = number};
    struct found_manifest *m;
    struct found_provider *provider;
    uint64_t print = hash_memory(p->guid, sizeof(p->guid));

    print = hash_pair(print, hash_memory(p->xml, p->size));
    if (map_get(&t->manifest_prints, print, 0) != MAP_NONE)
        return; /* of another process, mostly */
    map_set(&t->manifest_prints, print, 0, number);
    m = manifest_read(t, p->guid, p->xml, p->size);
    if (!m)
        return;
    *vec_add(&t->manifests) = m;
    provider = provider_of(t, p->guid);
    if (!provider->manifest)
        provider->manifest = manifest_provider(m);
    for (uint32_t i = 0; manifest_event(m, i, &found.id); i++) {
        found.event = i;
        (void)add_found(t, &found);
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

/* Once, as kinds of events that differ in little may have one schema. */
static void read_found(struct event_trace *t, struct found_schema *found)
{
    struct described *d = arena_new(&t->arena, struct described, 1);
    bool good = found->source == SCHEMA_MANIFEST;

    found->read = true;
    if (good)
        manifest_describe(t->manifests.data[found->manifest], found->event, d);
    else if (found->source == SCHEMA_TRACE_EVENT_INFO)
        good = tei_read(t, found->bytes, d);
    found->described = good ? d : NULL;
}

bool schemas_at(struct event_trace *t, size_t i, struct described *out)
{
    struct found_schema *found = &t->found.data[i];

    if (!found->read)
        read_found(t, found);
    if (found->described)
        *out = *found->described;
    return found->described;
}

bool schemas_find(struct event_trace *t, const struct event_id *id,
                  struct described *out)
{
    struct event_id key = *id;
    bool fresh;
    uint32_t at =
        event_key(&t->found_keys, &t->arena, &key, sizeof(key), &fresh);

    if (fresh) {
        /* Asked for, and not there: next time as well. */
        *vec_add(&t->found) = (struct found_schema){.id = key};
        return false;
    }
    return schemas_at(t, at, out);
}

const char *schemas_provider(struct event_trace *t, const uint8_t *guid)
{
    struct found_provider *p = provider_of(t, guid);

    if (p->manifest)
        return p->manifest;
    if (!p->name && p->info.len)
        p->name = tei_provider(t, p->info);
    return p->name;
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
    map_release(&t->names_keys.ids);
    vec_release(&t->names_keys.list);
    vec_release(&t->providers);
    map_release(&t->provider_keys.ids);
    vec_release(&t->provider_keys.list);
    vec_release(&t->parts);
    vec_release(&t->manifests);
    map_release(&t->manifest_prints);
}
