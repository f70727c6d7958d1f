#include "engine/events/builtin.h"

#include <string.h>
#include <strings.h>

#include "engine/base/text.h"
#include "engine/events/events.h"
#include "engine/events/trace_impl.h"

/* A provider that goes by GUID or name, as all but the kernel do. */
static const struct builtin_provider *provider_at(size_t i)
{
    return i + 1 < builtin_provider_count ? &builtin_providers[i + 1] : NULL;
}

/* The last row of the id that is not newer than the version; else its first
 * one. */
static const struct builtin_event *find_event(const struct builtin_provider *p,
                                              uint16_t id, uint8_t version)
{
    const struct builtin_event *found = NULL;

    for (size_t i = 0; i < p->count; i++) {
        const struct builtin_event *e = &p->events[i];

        if (e->id != id && e->id != BUILTIN_ANY_ID)
            continue;
        if (!found || e->version <= version)
            found = e;
    }
    return found;
}

/* An older version than any that is known has a name and no fields. */
static void describe_builtin(struct event_trace *trace,
                             const struct builtin_provider *p,
                             const struct builtin_event *e, uint8_t version,
                             struct described *out)
{
    *out = (struct described){
        .provider = p->name,
        .name = e->name,
        .type_name = e->type_name,
        .message = "",
    };
    if (e->fields && e->version <= version && !trace->only_names)
        out->schema = schema_of_text(&trace->arena, e->fields);
}

bool builtin_hook(struct event_trace *trace, uint16_t hook, uint8_t version,
                  struct described *out)
{
    const struct builtin_event *e =
        find_event(&builtin_providers[0], hook, version);

    if (e)
        describe_builtin(trace, &builtin_providers[0], e, version, out);
    return e;
}

/* The provider of a GUID, or where it has none, of a name. */
static const struct builtin_event *find_builtin(
    const uint8_t *guid, const char *name, bool classic, uint16_t id,
    uint8_t version, const struct builtin_provider **provider)
{
    char text[40] = "";

    if (guid) {
        event_guid_text(text, guid);
        text[37] = '\0';
    }
    for (size_t i = 0; (*provider = provider_at(i)); i++) {
        const struct builtin_provider *p = *provider;
        const struct builtin_event *e;

        if (p->classic != classic ||
            !((guid && p->guid && !strcmp(p->guid, text + 1)) ||
              (name && !classic && !strcmp(p->name, name))))
            continue;
        e = find_event(p, id, version);
        if (e)
            return e;
    }
    return NULL;
}

/* The name of all events of a class, for an event that has no row. */
static bool describe_class(const uint8_t *guid, struct described *out)
{
    const struct builtin_provider *p;
    char text[40];

    event_guid_text(text, guid);
    text[37] = '\0';
    for (size_t i = 0; (p = provider_at(i)); i++) {
        if (!p->classic || strcmp(p->guid, text + 1) != 0)
            continue;
        *out = (struct described){.provider = p->name,
                                  .name = p->events[0].name};
        return true;
    }
    return false;
}

bool builtin_classic(struct event_trace *trace, const uint8_t *guid,
                     uint8_t opcode, uint8_t version, struct described *out)
{
    const struct builtin_provider *p;
    const struct builtin_event *e =
        find_builtin(guid, NULL, true, opcode, version, &p);

    if (!e)
        return describe_class(guid, out);
    describe_builtin(trace, p, e, version, out);
    return true;
}

bool builtin_manifest(struct event_trace *trace, const uint8_t *guid,
                      const char *provider, uint16_t id, uint8_t version,
                      struct described *out)
{
    const struct builtin_provider *p;
    const struct builtin_event *e =
        find_builtin(guid, provider, false, id, version, &p);

    if (e)
        describe_builtin(trace, p, e, version, out);
    return e;
}

const char *builtin_name(const uint8_t *guid)
{
    char text[40];

    event_guid_text(text, guid);
    text[37] = '\0';
    for (size_t i = 0; provider_at(i); i++)
        if (provider_at(i)->guid && !strcmp(provider_at(i)->guid, text + 1))
            return provider_at(i)->name;
    return NULL;
}

/* Every kind of event that a provider has here. */
void builtin_each(const char *provider,
                  void (*each)(void *context, const struct builtin_provider *p,
                               const struct builtin_event *e),
                  void *context)
{
    for (size_t i = 0; i < builtin_provider_count; i++) {
        const struct builtin_provider *p = &builtin_providers[i];

        if (ascii_same(p->name, provider) ||
            (p->guid && ascii_same(p->guid, provider)))
            for (size_t j = 0; j < p->count; j++)
                each(context, p, &p->events[j]);
    }
}

/* ---- whom a kernel event is about ---- */

/* The offset of the first field of this format, by the sizes before it. */
static int offset_of(const struct event_schema *s, uint8_t format,
                     unsigned width)
{
    int at = 0;

    for (size_t i = 0; i < s->top; i++) {
        if (s->fields[i].format == format)
            return at;
        switch (s->fields[i].type) {
        case TYPE_U8:
        case TYPE_I8:
            at += 1;
            break;
        case TYPE_U16:
            at += 2;
            break;
        case TYPE_U32:
        case TYPE_I32:
            at += 4;
            break;
        case TYPE_U64:
        case TYPE_I64:
            at += 8;
            break;
        case TYPE_POINTER:
            at += (int)width;
            break;
        default:
            return -1;
        }
    }
    return -1;
}

struct subject builtin_subject(const struct event_schema *schema,
                               unsigned width)
{
    if (!schema)
        return (struct subject){-1, -1};
    return (struct subject){offset_of(schema, SHOW_PID, width),
                            offset_of(schema, SHOW_TID, width)};
}

/* ---- by name ---- */

/* The rest of a text behind a beginning, whatever its case; NULL: it begins
 * otherwise. */
static const char *behind(const char *text, const char *beginning)
{
    size_t n = strlen(beginning);

    return text && !strncasecmp(text, beginning, n) ? text + n : NULL;
}

static bool builtin_is_called(const char *text, const struct builtin_event *e)
{
    const char *type = behind(text, e->name);

    if (!type || !e->type_name || !*e->type_name)
        return type && !*type;
    return *type == '/' && ascii_same(type + 1, e->type_name);
}

static const struct builtin_event *find_name(const struct builtin_provider *p,
                                             const char *name)
{
    const char *own = behind(behind(name, p->name), "/");

    for (size_t i = 0; !p->classic && i < p->count; i++) {
        const struct builtin_event *e = &p->events[i];

        if (e->id != BUILTIN_ANY_ID && e->name &&
            (builtin_is_called(name, e) || builtin_is_called(own, e)))
            return e;
    }
    return NULL;
}

char *event_id_of_name(const char *name)
{
    const struct builtin_provider *p;
    struct out *ids = out_memory();
    const char *text;
    char *copy;
    size_t n;

    for (size_t i = 0; (p = provider_at(i)); i++) {
        const struct builtin_event *e = find_name(p, name);

        if (e)
            out_fmt(ids, "%s%s/%u", *out_text(ids, NULL) ? "\n" : "", p->name,
                    e->id);
    }
    text = out_text(ids, &n);
    copy = n ? text_copy(text, n) : NULL;
    out_close(ids, NULL);
    return copy;
}
