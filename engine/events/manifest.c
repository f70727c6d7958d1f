/*
 * The manifest of an EventSource: XML with the provider's events, templates,
 * enumerations and texts. These of its many elements matter:
 *
 *   provider name
 *   task name value message; opcode name value
 *   event value version task opcode template symbol level keywords
 *   template tid
 *     data name inType outType map count length
 *     struct name count, with data elements
 *   valueMap, bitMap name
 *     map value message
 *   string id value
 *
 * Messages are "$(string.ID)". Templates may stand behind the events that
 * name them, texts behind everything.
 */
#include <expat.h>
#include <stdlib.h>
#include <string.h>

#include "engine/events/trace_impl.h"

struct named {
    const char *name;
    const char *message;
    uint32_t value;
};

struct template
{
    const char *name;
    VEC(struct event_field) fields;
    VEC(struct event_field) members; /* of structs; `first` counts from 0 */
    VEC(const char *) maps;          /* by field, then by member; or NULL */
    VEC(const char *) member_maps;
    /* Names of fields that counts and lengths refer to, likewise. */
    VEC(const char *) counts;
    VEC(const char *) lengths;
    /* Made when first asked for: thousands of events may share it. */
    const struct event_schema *schema;
};

struct map_element {
    const char *name;
    bool bits;
    VEC(struct named) list;
    const struct event_names *names; /* made when first asked for */
};

struct event_element {
    uint32_t value, version;
    const char *task, *opcode, *template, *symbol, *message;
};

/* Finds the first element of a kind by its name. */
struct name_index {
    struct strings *names;
    VEC(uint32_t) first; /* by id of `names`: index, and 1; 0: none */
};

struct found_manifest {
    struct event_trace *trace;
    uint8_t guid[16];
    const char *provider;
    VEC(struct named) strings; /* message is the text */
    VEC(struct event_element) events;
    VEC(struct template) templates;
    VEC(struct map_element) maps;
    struct name_index texts, layouts, enumerations; /* of the lists above */
};

struct parser {
    struct found_manifest *m;
    XML_Parser expat;
    bool in_template, in_struct, in_map, failed;
    size_t left; /* elements that are still taken */
};

enum {
    MOST_FIELDS = 4096,
    /* An element may have 7 bytes, and takes up to 240 in memory. Those of
     * real manifests have 40 and more. */
    ELEMENTS_FREE = 1 << 14,
    ELEMENT_BYTES = 64,
};

/* ---- elements by their names ---- */

static void index_name(struct name_index *x, const char *name, size_t number)
{
    uint32_t id;

    if (!name)
        return;
    if (!x->names)
        x->names = strings_new();
    id = strings_add(x->names, name, strlen(name));
    while (x->first.len <= id)
        *vec_add(&x->first) = 0;
    if (!x->first.data[id])
        x->first.data[id] = (uint32_t)number + 1;
}

/* NO_ID: none is called so. */
static uint32_t named_so(struct name_index *x, const char *name, size_t n)
{
    uint32_t id = x->names ? strings_add(x->names, name, n) : 0;

    return id < x->first.len ? x->first.data[id] - 1 : NO_ID;
}

static void index_release(struct name_index *x)
{
    strings_free(x->names);
    vec_release(&x->first);
}

static const char *attribute_of(const char *const *attributes, const char *name)
{
    for (; attributes[0]; attributes += 2)
        if (!strcmp(attributes[0], name))
            return attributes[1];
    return NULL;
}

static const char *copied(struct parser *p, const char *const *attributes,
                          const char *name)
{
    const char *text = attribute_of(attributes, name);

    return text ? arena_strndup(&p->m->trace->arena, text, strlen(text)) : NULL;
}

static uint32_t number_attribute(const char *const *attributes,
                                 const char *name)
{
    const char *text = attribute_of(attributes, name);

    return text ? (uint32_t)strtoul(text, NULL, 0) : 0;
}

static bool is_digits(const char *text)
{
    return *text >= '0' && *text <= '9';
}

/* ---- elements ---- */

static struct template *last_template(struct parser *p)
{
    return &p->m->templates.data[p->m->templates.len - 1];
}

/* A number, or the name of the field that holds it. */
static const char *read_count(struct parser *p, struct event_field *f,
                              const char *const *attributes)
{
    const char *count = copied(p, attributes, "count");

    if (!count)
        return NULL;
    f->counting = is_digits(count) ? COUNT_FIXED : COUNT_FIELD;
    f->count = (uint32_t)strtoul(count, NULL, 0);
    return is_digits(count) ? NULL : count;
}

static const char *read_length(struct parser *p, struct event_field *f,
                               const char *const *attributes)
{
    const char *length = copied(p, attributes, "length");

    if (!length) {
        if (f->type == TYPE_BINARY)
            f->type = TYPE_BINARY_REST;
        return NULL;
    }
    f->length_of_field = !is_digits(length);
    f->length = (uint32_t)strtoul(length, NULL, 0);
    if (f->type == TYPE_UTF16Z)
        f->type = TYPE_UTF16_FIXED;
    else if (f->type == TYPE_ANSIZ || f->type == TYPE_UTF8Z)
        f->type = TYPE_ANSI_FIXED;
    return is_digits(length) ? NULL : length;
}

static void add_field(struct parser *p, const struct event_field *f,
                      const char *map, const char *count, const char *length)
{
    struct template *t = last_template(p);

    if (p->in_struct) {
        *vec_add(&t->members) = *f;
        *vec_add(&t->member_maps) = map;
        t->fields.data[t->fields.len - 1].members++;
        return;
    }
    *vec_add(&t->fields) = *f;
    *vec_add(&t->maps) = map;
    *vec_add(&t->counts) = count;
    *vec_add(&t->lengths) = length;
}

static void read_data(struct parser *p, const char *const *attributes)
{
    const char *in = attribute_of(attributes, "inType");
    const char *out = attribute_of(attributes, "outType");
    unsigned out_code = out ? out_type_named(out) : 0;
    struct event_field f = field_of_codes(
        in ? in_type_named(in) : 0, manifest_format(out_code), out_code == 35);
    const char *name = copied(p, attributes, "name"), *count, *length;

    if (!p->in_template ||
        last_template(p)->fields.len + last_template(p)->members.len >=
            MOST_FIELDS)
        return;
    f.name = name ? name : "";
    count = read_count(p, &f, attributes);
    length = read_length(p, &f, attributes);
    /* A count of a member could be a member or a field of the event. */
    if (p->in_struct && (count || length))
        p->failed = true;
    add_field(p, &f, copied(p, attributes, "map"), count, length);
}

static void begin_struct(struct parser *p, const char *const *attributes)
{
    struct event_field f = {.type = TYPE_STRUCT};
    const char *name = copied(p, attributes, "name"), *count;

    if (!p->in_template || p->in_struct) {
        p->failed = true;
        return;
    }
    f.name = name ? name : "";
    f.first = (uint32_t)last_template(p)->members.len;
    count = read_count(p, &f, attributes);
    add_field(p, &f, NULL, count, NULL);
    p->in_struct = true;
}

static struct named read_named(struct parser *p, const char *const *attributes,
                               const char *name, const char *message)
{
    return (struct named){copied(p, attributes, name),
                          copied(p, attributes, message),
                          number_attribute(attributes, "value")};
}

static void begin_map(struct parser *p, const char *const *attributes,
                      bool bits)
{
    struct map_element *m = vec_add(&p->m->maps);

    *m = (struct map_element){.bits = bits};
    m->name = copied(p, attributes, "name");
    index_name(&p->m->enumerations, m->name, p->m->maps.len - 1);
    p->in_map = true;
}

static void XMLCALL begin_element(void *context, const char *element,
                                  const char **attributes)
{
    struct parser *p = context;
    struct found_manifest *m = p->m;
    const char *const *a = (const char *const *)attributes;

    if (!p->left)
        return;
    p->left--;
    if (!strcmp(element, "provider")) {
        m->provider = copied(p, a, "name");
    } else if (!strcmp(element, "string")) {
        struct named text = read_named(p, a, "id", "value");

        if (text.name && text.message)
            index_name(&m->texts, text.name, m->strings.len);
        *vec_add(&m->strings) = text;
    } else if (!strcmp(element, "event")) {
        *vec_add(&p->m->events) = (struct event_element){
            .value = number_attribute(a, "value"),
            .version = number_attribute(a, "version"),
            .task = copied(p, a, "task"),
            .opcode = copied(p, a, "opcode"),
            .template = copied(p, a, "template"),
            .symbol = copied(p, a, "symbol"),
            .message = copied(p, a, "message"),
        };
    } else if (!strcmp(element, "template")) {
        struct template *t = vec_add(&m->templates);

        memset(t, 0, sizeof(*t));
        t->name = copied(p, a, "tid");
        index_name(&m->layouts, t->name, m->templates.len - 1);
        p->in_template = true;
    } else if (!strcmp(element, "data")) {
        read_data(p, a);
    } else if (!strcmp(element, "struct")) {
        begin_struct(p, a);
    } else if (!strcmp(element, "valueMap") || !strcmp(element, "bitMap")) {
        begin_map(p, a, *element == 'b');
    } else if (!strcmp(element, "map") && p->in_map) {
        *vec_add(&m->maps.data[m->maps.len - 1].list) =
            read_named(p, a, "symbol", "message");
    }
}

static void XMLCALL end_element(void *context, const char *element)
{
    struct parser *p = context;

    if (!strcmp(element, "template"))
        p->in_template = p->in_struct = false;
    else if (!strcmp(element, "struct"))
        p->in_struct = false;
    else if (!strcmp(element, "valueMap") || !strcmp(element, "bitMap"))
        p->in_map = false;
}

static void XMLCALL refuse_doctype(void *context, const char *name,
                                   const char *system, const char *public,
                                   int internal)
{
    struct parser *p = context;

    (void)name;
    (void)system;
    (void)public;
    (void)internal;
    XML_StopParser(p->expat, XML_FALSE);
}

struct found_manifest *manifest_read(struct event_trace *trace,
                                     const uint8_t *guid, const uint8_t *xml,
                                     size_t size)
{
    struct found_manifest *m = mem_new(1, sizeof(*m));
    struct parser p = {
        .m = m,
        .expat = XML_ParserCreate(NULL),
        .left = ELEMENTS_FREE + size / ELEMENT_BYTES,
    };
    bool read;

    if (!p.expat)
        mem_exhausted(size);
    m->trace = trace;
    memcpy(m->guid, guid, sizeof(m->guid));
    XML_SetUserData(p.expat, &p);
    XML_SetElementHandler(p.expat, begin_element, end_element);
    XML_SetStartDoctypeDeclHandler(p.expat, refuse_doctype);
    read = size <= INT32_MAX &&
           XML_Parse(p.expat, (const char *)xml, (int)size, 1) == XML_STATUS_OK;
    XML_ParserFree(p.expat);
    if (!p.left)
        profile_warn(trace->notes, "a manifest has more elements than its size "
                                   "lets one expect: the rest is left out");
    if (read && !p.failed)
        return m;
    manifest_free(m);
    return NULL;
}

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
    index_release(&m->texts);
    index_release(&m->layouts);
    index_release(&m->enumerations);
    vec_release(&m->strings);
    vec_release(&m->events);
    vec_release(&m->templates);
    vec_release(&m->maps);
    free(m);
}

/* ---- what an event is ---- */

/* The text behind "$(string.ID)"; other texts as they are. */
static const char *message_of(struct found_manifest *m, const char *message)
{
    uint32_t at;
    size_t n;

    if (!message)
        return "";
    if (strncmp(message, "$(string.", 9) != 0)
        return message;
    message += 9;
    n = strcspn(message, ")");
    at = named_so(&m->texts, message, n);
    return at != NO_ID ? m->strings.data[at].message : "";
}

static const struct event_names *names_of(struct found_manifest *m,
                                          const char *name)
{
    struct arena *arena = &m->trace->arena;
    uint32_t at = name ? named_so(&m->enumerations, name, strlen(name)) : NO_ID;
    struct map_element *map;
    struct event_names *names;
    struct event_name *list;

    if (at == NO_ID)
        return NULL;
    map = &m->maps.data[at];
    if (map->names)
        return map->names;
    names = arena_new(arena, struct event_names, 1);
    list = arena_new(arena, struct event_name, map->list.len);
    for (size_t i = 0; i < map->list.len; i++)
        list[i] = (struct event_name){map->list.data[i].value,
                                      message_of(m, map->list.data[i].message)};
    *names = (struct event_names){
        .name = map->name, .count = map->list.len, .bits = map->bits};
    event_names_finish(names, list);
    return map->names = names;
}

/* The number of the field called so; a large one for none. */
static uint32_t field_named(struct name_index *fields, const char *name)
{
    return named_so(fields, name, strlen(name));
}

static const struct event_schema *make_schema(struct found_manifest *m,
                                              const struct template *t)
{
    struct arena *arena = &m->trace->arena;
    struct event_schema *s = arena_new(arena, struct event_schema, 1);
    size_t top = t->fields.len, members = t->members.len;
    struct event_field *all =
        arena_new(arena, struct event_field, top + members);
    struct name_index fields = {0};

    for (size_t i = 0; i < top; i++)
        index_name(&fields, t->fields.data[i].name, i);
    for (size_t i = 0; i < top; i++) {
        all[i] = t->fields.data[i];
        all[i].names = names_of(m, t->maps.data[i]);
        if (all[i].type == TYPE_STRUCT)
            all[i].first += (uint32_t)top;
        if (t->counts.data[i])
            all[i].count = field_named(&fields, t->counts.data[i]);
        if (t->lengths.data[i])
            all[i].length = field_named(&fields, t->lengths.data[i]);
    }
    for (size_t i = 0; i < members; i++) {
        all[top + i] = t->members.data[i];
        all[top + i].names = names_of(m, t->member_maps.data[i]);
    }
    *s = (struct event_schema){all, top + members, top, SCHEMA_MANIFEST};
    index_release(&fields);
    return s;
}

/* The schema of the template of this name; one without fields if there is
 * none. */
static const struct event_schema *schema_named(struct found_manifest *m,
                                               const char *name)
{
    static const struct template without_fields = {.name = NULL};
    uint32_t at = name ? named_so(&m->layouts, name, strlen(name)) : NO_ID;
    struct template *t;

    if (at == NO_ID)
        return make_schema(m, &without_fields);
    t = &m->templates.data[at];
    if (!t->schema)
        t->schema = make_schema(m, t);
    return t->schema;
}

const char *manifest_provider(const struct found_manifest *m)
{
    return m->provider;
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
        .schema = schema_named(m, e->template),
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
