/*
 * Kinds of events: what an event is called and how its payload is laid out is
 * found out once for all that are alike.
 */
#include <string.h>

#include "engine/base/text.h"
#include "engine/events/builtin.h"
#include "engine/events/event_labels.h"
#include "engine/events/trace_impl.h"
#include "engine/format/etl/guids.h"

/* ---- making a kind ---- */

enum { MANIFEST_ID = 0xFFFE, MANIFEST_OPCODE = 0xFE };

/* What is built in is known better than what traces say of it, but for
 * events that carry their own schema. */
static void find_schema(struct event_trace *trace,
                        const struct kind_request *r, struct described *d)
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
        .omits_null = r->described && !strncmp(d.provider, runtime,
                                               sizeof(runtime) - 1),
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

static uint32_t key_of(struct event_trace *trace,
                       const struct kind_request *r, bool *fresh)
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

static bool is_called(const struct described *d, const struct event_id *id,
                      const char *provider)
{
    uint8_t guid[16];

    return (d->provider && ascii_same(d->provider, provider)) ||
           (guid_parse(guid, provider) &&
            !memcmp(guid, id->guid, sizeof(guid)));
}

/* Nettrace files describe what they hold; that is met anyway. */
void event_kinds_describe(struct event_trace *trace, const char *provider)
{
    builtin_each(provider, describe_row, trace);
    event_survey(trace);
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

        if (schemas_find(trace, &id, &d) && is_called(&d, &id, provider))
            event_kind_of(trace, &request);
    }
}
