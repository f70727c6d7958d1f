/* What a manifest that was read says of events. */
#include <stdlib.h>
#include <string.h>

#include "engine/events/manifest_impl.h"

void manifest_free(struct found_manifest *m)
{
    for (size_t i = 0; i < m->templates.len; i++) {
        struct template *t = &m->templates.data[i];

        vec_release(&t->fields);
        vec_release(&t->members);
        vec_release(&t->maps);
        vec_release(&t->member_maps);
        vec_release(&t->counts);
        vec_release(&t->lengths);
    }
    for (size_t i = 0; i < m->maps.len; i++)
        vec_release(&m->maps.data[i].list);
    vec_release(&m->strings);
    vec_release(&m->events);
    vec_release(&m->templates);
    vec_release(&m->maps);
    free(m);
}

/* ---- what an event is ---- */

/* The text behind "$(string.ID)"; other texts as they are. */
static const char *message_of(const struct found_manifest *m,
                              const char *message)
{
    size_t n;

    if (!message)
        return "";
    if (strncmp(message, "$(string.", 9) != 0)
        return message;
    message += 9;
    n = strcspn(message, ")");
    for (size_t i = 0; i < m->strings.len; i++) {
        const struct named *s = &m->strings.data[i];

        if (s->name && s->message && strlen(s->name) == n &&
            !memcmp(s->name, message, n))
            return s->message;
    }
    return "";
}

static const struct event_names *names_of(struct found_manifest *m,
                                          const char *name)
{
    struct arena *arena = &m->trace->arena;
    struct map_element *map = NULL;
    struct event_names *names;
    struct event_name *list;

    for (size_t i = 0; name && i < m->maps.len && !map; i++)
        if (m->maps.data[i].name && !strcmp(m->maps.data[i].name, name))
            map = &m->maps.data[i];
    if (!map || map->names)
        return map ? map->names : NULL;
    names = arena_new(arena, struct event_names, 1);
    list = arena_new(arena, struct event_name, map->list.len);
    for (size_t i = 0; i < map->list.len; i++)
        list[i] = (struct event_name){
            map->list.data[i].value,
            message_of(m, map->list.data[i].message)};
    *names = (struct event_names){map->name, list, map->list.len, map->bits};
    return map->names = names;
}

static const struct template *template_named(const struct found_manifest *m,
                                             const char *name)
{
    for (size_t i = 0; name && i < m->templates.len; i++)
        if (m->templates.data[i].name &&
            !strcmp(m->templates.data[i].name, name))
            return &m->templates.data[i];
    return NULL;
}

/* The number of the field called so; a large one for none. */
static uint32_t field_named(const struct template *t, const char *name)
{
    for (size_t i = 0; i < t->fields.len; i++)
        if (!strcmp(t->fields.data[i].name, name))
            return (uint32_t)i;
    return UINT32_MAX;
}

static const struct event_schema *schema_of(struct found_manifest *m,
                                            const struct template *t)
{
    struct arena *arena = &m->trace->arena;
    struct event_schema *s = arena_new(arena, struct event_schema, 1);
    size_t top = t ? t->fields.len : 0, members = t ? t->members.len : 0;
    struct event_field *all =
        arena_new(arena, struct event_field, top + members);

    for (size_t i = 0; i < top; i++) {
        all[i] = t->fields.data[i];
        all[i].names = names_of(m, t->maps.data[i]);
        if (all[i].type == TYPE_STRUCT)
            all[i].first += (uint32_t)top;
        if (t->counts.data[i])
            all[i].count = field_named(t, t->counts.data[i]);
        if (t->lengths.data[i])
            all[i].length = field_named(t, t->lengths.data[i]);
    }
    for (size_t i = 0; i < members; i++) {
        all[top + i] = t->members.data[i];
        all[top + i].names = names_of(m, t->member_maps.data[i]);
    }
    *s = (struct event_schema){all, top + members, top, SCHEMA_MANIFEST};
    return s;
}

const char *manifest_provider(const struct found_manifest *m,
                              const uint8_t *guid)
{
    return memcmp(m->guid, guid, sizeof(m->guid)) ? NULL : m->provider;
}

bool manifest_event(const struct found_manifest *m, uint32_t event,
                    struct event_id *id)
{
    if (event >= m->events.len)
        return false;
    *id = (struct event_id){
        .id = (uint16_t)m->events.data[event].value,
        .version = (uint8_t)m->events.data[event].version,
    };
    memcpy(id->guid, m->guid, sizeof(id->guid));
    return true;
}

void manifest_describe(struct found_manifest *m, uint32_t event,
                       struct described *out)
{
    const struct event_element *e = &m->events.data[event];

    *out = (struct described){
        .schema = schema_of(m, template_named(m, e->template)),
        .provider = m->provider,
        .name = name_without_prefix(e->task),
        .type_name = name_without_prefix(e->opcode),
        .message = message_of(m, e->message),
    };
    if (!out->name)
        out->name = e->symbol;
    if (!out->type_name)
        out->type_name = "";
}
