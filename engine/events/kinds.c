/*
 * Kinds of events: what an event is called and how its payload is laid out is
 * found out once for all events that are alike.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/events/builtin.h"
#include "engine/events/trace_impl.h"
#include "engine/format/etl/guids.h"

/* ---- names, where the schema says less than all of them ---- */

static const char *number_text(struct arena *arena, const char *what,
                               unsigned n)
{
    char text[32];

    snprintf(text, sizeof(text), "%s(%u)", what, n);
    return arena_strndup(arena, text, strlen(text));
}

static const char *guid_text(struct arena *arena, const uint8_t *guid)
{
    char text[40];

    event_guid_text(text, guid);
    return arena_strndup(arena, text + 1, 36);
}

static const char *const standard_opcodes[] = {
    "Info",      "Start", "Stop",   "DCStart", "DCStop",
    "Extension", "Reply", "Resume", "Suspend", "Send",
};

enum { RECEIVE = 240 };

static bool is_set(const char *text)
{
    return text && *text;
}

/* The name of an opcode that nobody names; nettrace files have numbers of their
 * providers' own. */
static const char *opcode_text(struct arena *arena, uint8_t opcode, bool own)
{
    char text[8];

    if (opcode < sizeof(standard_opcodes) / sizeof(standard_opcodes[0]))
        return opcode ? standard_opcodes[opcode] : "";
    if (opcode == RECEIVE)
        return "Receive";
    if (!own)
        return number_text(arena, "Opcode", opcode);
    snprintf(text, sizeof(text), "%u", opcode);
    return arena_strndup(arena, text, strlen(text));
}

const char *kind_full_name(struct arena *arena, const char *name,
                           const char *type)
{
    char text[512];

    if (!*type || !strcmp(type, "Info") || !strcmp(type, "Header"))
        return name;
    if (!*name)
        return type;
    snprintf(text, sizeof(text), "%s/%s", name, type);
    return arena_text(arena, (struct bytes){(uint8_t *)text, strlen(text)});
}

/* A name ends in what its opcode says: "RequestStart" is Request/Start. */
static void split_name(struct event_trace *trace, const struct kind_request *r,
                       struct described *d)
{
    static const char *const ends[] = {"", "Start", "Stop"};
    size_t n = d->name ? strlen(d->name) : 0;
    uint8_t opcode = r->opcode ? r->opcode : d->opcode;

    if (!r->described && !r->tracelogging.len)
        return;
    for (unsigned i = 1; i <= 2; i++) {
        size_t k = strlen(ends[i]);

        if ((opcode && opcode != i) || n <= k ||
            strcmp(d->name + n - k, ends[i]) != 0)
            continue;
        d->name = arena_strndup(&trace->arena, d->name, n - k);
        d->type_name = ends[i];
        return;
    }
}

static void describe_unknown(struct event_trace *trace,
                             const struct kind_request *r, struct described *d)
{
    struct arena *arena = &trace->arena;

    if (!is_set(d->name)) {
        if (r->is_hook)
            d->name = number_text(arena, "Group", r->hook >> 8);
        else if (is_set(r->name))
            d->name = arena_strndup(arena, r->name, strlen(r->name));
        else if (r->classic)
            d->name = number_text(arena, "Opcode", r->opcode);
        else if (!r->tracelogging.len)
            d->name = number_text(arena, "EventID", r->id);
        else
            d->name = "";
        if (!d->type_name && r->classic && !r->is_hook)
            d->type_name = "";
    }
    if (!d->type_name)
        d->type_name =
            r->is_hook ? number_text(arena, "Opcode", r->hook & 0xFF)
                       : opcode_text(arena, r->opcode ? r->opcode : d->opcode,
                                     r->described);
    if (!is_set(d->provider)) {
        if (r->is_hook)
            d->provider = builtin_providers[0].name;
        else if (is_set(r->provider))
            d->provider =
                arena_strndup(arena, r->provider, strlen(r->provider));
        else
            d->provider = r->guid ? guid_text(arena, r->guid) : "";
    }
}

void kind_complete_names(struct event_trace *trace,
                         const struct kind_request *r, struct described *d)
{
    if (!d->name && r->name && *r->name)
        d->name = arena_strndup(&trace->arena, r->name, strlen(r->name));
    if (!d->type_name)
        split_name(trace, r, d);
    describe_unknown(trace, r, d);
}

/*
 * Kinds of events: what an event is called and how its payload is laid out is
 * found out once for all that are alike.
 */

/* ---- making a kind ---- */

enum { MANIFEST_ID = 0xFFFE, MANIFEST_OPCODE = 0xFE };

/* Built-in schemas are better than those of traces, but for events that carry
 * their own schema. */
static void find_schema(struct event_trace *trace, const struct kind_request *r,
                        struct described *d)
{
    struct event_id id = {.id = r->id, .version = r->version};

    *d = (struct described){0};
    if (r->is_hook) {
        builtin_hook(trace, r->hook, r->version, d);
        return;
    }
    if (r->classic) {
        builtin_classic(trace, r->guid, r->opcode, r->version, d);
        return;
    }
    if (r->tracelogging.len) {
        /* A field may have 2 bytes, and takes 64 in memory. */
        if (event_texts_take(trace, 32 * (uint64_t)r->tracelogging.len))
            tracelogging_read(&trace->arena, r->tracelogging, d);
        d->provider = traits_name(&trace->arena, r->traits);
        return;
    }
    if (r->described) {
        struct described builtin = {0};
        bool known = builtin_manifest(trace, NULL, r->provider, r->id,
                                      r->version, &builtin);

        if (!nettrace_fields_read(&trace->arena, r->fields, r->v6, d) ||
            !d->schema || !d->schema->count ||
            !strncmp(r->provider, "Universal.", 10)) {
            if (known)
                *d = builtin;
        } else if (known && builtin.name) {
            d->name = builtin.name;
            d->type_name = builtin.type_name;
        }
        return;
    }
    if (builtin_manifest(trace, r->guid, NULL, r->id, r->version, d))
        return;
    event_survey(trace);
    memcpy(id.guid, r->guid, sizeof(id.guid));
    if (schemas_find(trace, &id, d))
        return;
    d->provider = schemas_provider(trace, r->guid);
    if (!d->provider)
        d->provider = builtin_name(r->guid);
    if (r->id == MANIFEST_ID && r->opcode == MANIFEST_OPCODE) {
        d->name = "ManifestData";
        d->type_name = "";
        d->schema =
            schema_of_text(&trace->arena, "u8 Format, u8 MajorVersion, "
                                          "u8 MinorVersion, u8 Magic, "
                                          "u16 TotalChunks, u16 ChunkNumber, "
                                          "arest Manifest");
    }
}

/* And "...Rundown", "...Private". */
static const char runtime[] = "Microsoft-Windows-DotNETRuntime";

static struct known_kind *make_kind(struct event_trace *trace,
                                    const struct kind_request *r)
{
    struct known_kind *known = arena_new(&trace->arena, struct known_kind, 1);
    struct event_kind *k = &known->kind;
    struct kind_texts texts = event_kind_texts(&trace->arena, r->optional);
    struct described d;

    find_schema(trace, r, &d);
    kind_complete_names(trace, r, &d);
    *k = (struct event_kind){
        .index = mem_next_id(trace->kinds.len),
        .provider = d.provider,
        .name = d.name,
        .type_name = d.type_name,
        .full_name = kind_full_name(&trace->arena, d.name, d.type_name),
        .message = d.message ? d.message : texts.message,
        .description = texts.description,
        .attributes = texts.attributes,
        .id = r->is_hook ? (r->hook & 0xFF) : r->id,
        .task = r->task,
        .version = r->version,
        .opcode = r->is_hook  ? (uint8_t)r->hook
                  : r->opcode ? r->opcode
                              : d.opcode,
        .level = r->level,
        .pointer_size = r->width,
        .classic = r->is_hook || r->classic,
        .keywords = r->keywords,
        .schema = d.schema,
        .omits_null =
            r->described && !strncmp(d.provider, runtime, sizeof(runtime) - 1),
    };
    if (r->guid)
        memcpy(k->classic ? k->class_guid : k->guid, r->guid, 16);
    else if (r->is_hook)
        etl_hook_class(r->hook, k->class_guid);
    if (k->classic)
        guid_parse(k->guid, builtin_providers[0].guid);
    known->subject = r->is_hook ? builtin_subject(d.schema, r->width)
                                : (struct subject){-1, -1};
    *vec_add(&trace->kinds) = known;
    return known;
}

/* ---- finding it again ---- */

static const struct known_kind *hook_kind(struct event_trace *trace,
                                          const struct kind_request *r,
                                          uint32_t key)
{
    uint32_t fresh = mem_next_id(trace->kinds.len);
    uint32_t at = map_add(&trace->hook_kinds, key, 0, fresh);

    return at == fresh ? make_kind(trace, r) : trace->kinds.data[at];
}

const struct known_kind *event_hook_kind(struct event_trace *trace,
                                         uint16_t hook, uint8_t version,
                                         uint8_t width)
{
    uint32_t key = hook | (uint32_t)version << 16 | (uint32_t)width << 24;
    struct recent_hook *recent =
        &trace->recent_hooks[(hook ^ hook >> 8) % RECENT_HOOKS];
    struct kind_request request;

    if (recent->known && recent->key == key)
        return recent->known;
    request = (struct kind_request){
        .is_hook = true, .hook = hook, .version = version, .width = width};
    *recent = (struct recent_hook){key, hook_kind(trace, &request, key)};
    return recent->known;
}

/* Everything that tells one kind from another, as bytes. */
struct fixed_key {
    uint8_t guid[16];
    uint16_t id, task;
    uint8_t version, opcode, width, form;
};

static uint32_t key_of(struct event_trace *trace, const struct kind_request *r,
                       bool *fresh)
{
    struct fixed_key fixed = {
        .id = r->id,
        .task = r->task,
        .version = r->version,
        .opcode = r->opcode,
        .width = r->width,
        .form = (uint8_t)(r->classic | r->described << 1 | r->v6 << 2),
    };
    VEC(uint8_t) key = {0};
    uint32_t at;
    struct bytes parts[] = {
        r->tracelogging,
        r->traits,
        r->fields,
        {(const uint8_t *)r->provider, r->provider ? strlen(r->provider) : 0},
        {(const uint8_t *)r->name, r->name ? strlen(r->name) : 0},
    };

    if (r->guid)
        memcpy(fixed.guid, r->guid, sizeof(fixed.guid));
    if (!r->tracelogging.len && !r->described)
        return event_key(&trace->kind_keys, &trace->arena, &fixed,
                         sizeof(fixed), fresh);
    vec_reserve(&key, sizeof(fixed));
    memcpy(key.data, &fixed, sizeof(fixed));
    key.len = sizeof(fixed);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        uint32_t n = (uint32_t)parts[i].len;

        vec_reserve(&key, sizeof(n) + n);
        memcpy(key.data + key.len, &n, sizeof(n));
        if (n)
            memcpy(key.data + key.len + sizeof(n), parts[i].data, n);
        key.len += sizeof(n) + n;
    }
    at = event_key(&trace->kind_keys, &trace->arena, key.data, key.len, fresh);
    vec_release(&key);
    return at;
}

const struct known_kind *event_kind_of(struct event_trace *trace,
                                       const struct kind_request *r)
{
    bool fresh;
    uint32_t key;

    if (r->is_hook)
        return event_hook_kind(trace, r->hook, r->version, r->width);
    key = key_of(trace, r, &fresh);
    if (fresh)
        map_set(&trace->key_kinds, key, 0, mem_next_id(trace->kinds.len));
    else
        return trace->kinds.data[map_get(&trace->key_kinds, key, 0)];
    return make_kind(trace, r);
}

size_t event_kind_count(const struct event_trace *trace)
{
    return trace->kinds.len;
}

const struct event_kind *event_kind_at(const struct event_trace *trace,
                                       size_t index)
{
    return &trace->kinds.data[index]->kind;
}

/* ---- what is described and perhaps never met ---- */

static void describe_row(void *context, const struct builtin_provider *p,
                         const struct builtin_event *e)
{
    struct event_trace *trace = context;
    uint8_t guid[16], width = (uint8_t)trace->notes->trace.pointer_size;
    struct kind_request request = {
        .guid = guid,
        .id = e->id,
        .opcode = (uint8_t)(p->classic ? e->id : 0),
        .version = e->version,
        .width = width,
        .classic = p->classic,
    };

    if (p == &builtin_providers[0])
        event_hook_kind(trace, e->id, e->version, width);
    else if (p->guid && guid_parse(guid, p->guid))
        event_kind_of(trace, &request);
}

static bool provider_is_called(const struct described *d,
                               const struct event_id *id, const char *provider)
{
    uint8_t guid[16];

    return (d->provider && ascii_same(d->provider, provider)) ||
           (guid_parse(guid, provider) &&
            !memcmp(guid, id->guid, sizeof(guid)));
}

/* Nettrace files describe what they hold; that is met anyway. */
void event_kinds_describe(struct event_trace *trace, const char *provider)
{
    bool said = trace->descriptions.cut;

    builtin_each(provider, describe_row, trace);
    event_survey(trace);
    if (!budget_take(&trace->descriptions, trace->found.len)) {
        if (!said)
            profile_warn(trace->notes,
                         "more providers and schemas than a trace may have: "
                         "some events that did not occur are not described");
        return;
    }
    for (size_t i = 0; i < trace->found.len; i++) {
        struct event_id id = trace->found.data[i].id;
        struct kind_request request = {
            .guid = id.guid,
            .id = id.id,
            .version = id.version,
            .classic = id.classic,
            .width = (uint8_t)trace->notes->trace.pointer_size,
        };
        struct described d;

        if (schemas_at(trace, i, &d) && provider_is_called(&d, &id, provider))
            event_kind_of(trace, &request);
    }
}

/* ---- names for readers that count events ---- */

struct naming {
    struct event_naming face;
    struct event_trace trace;
};

static void describe_event(struct event_naming *face,
                           const struct event_description *d)
{
    struct event_trace *trace = &((struct naming *)face)->trace;

    if (d->manifest)
        schemas_take_manifest(trace, d->guid, d->pid, d->tid, d->payload);
    else
        schemas_take_classic(trace, d->guid, d->opcode, d->payload);
}

static const char *name_event(struct event_naming *face,
                              const struct kind_request *request)
{
    struct event_trace *trace = &((struct naming *)face)->trace;
    struct arena *arena = &trace->arena;
    struct described d;
    const char *name;

    find_schema(trace, request, &d);
    kind_complete_names(trace, request, &d);
    name = kind_full_name(arena, d.name, d.type_name);
    return strcmp(d.provider, builtin_providers[0].name) == 0
               ? name
               : kind_full_name(arena, d.provider, name);
}

struct event_naming *event_naming_new(void)
{
    struct naming *n = mem_new(1, sizeof(*n));

    n->face = (struct event_naming){describe_event, name_event};
    n->trace.notes = profile_new();
    n->trace.texts = budget_of(0, 0, EVENT_TEXTS_FREE);
    n->trace.surveyed = true; /* by the reader */
    n->trace.only_names = true;
    return &n->face;
}

void event_naming_free(struct event_naming *naming)
{
    event_trace_forget(&((struct naming *)naming)->trace);
    free(naming);
}
