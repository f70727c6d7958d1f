#include "engine/sql/event_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/sql/event_columns.h"

/* ---- which columns ---- */

/* Called as one of those that stand beside the fields. */
static bool is_common(const char *name)
{
    for (size_t i = 0; i <= EVENT_TID; i++)
        if (ascii_same(event_columns[i].name, name))
            return true;
    return false;
}

/* Most events give the very pointer of the schema, so that comes first. */
static size_t find(const struct event_fields *f, const char *field)
{
    for (size_t i = 0; i < f->fields.len; i++)
        if (f->fields.data[i].field == field)
            return i;
    for (size_t i = 0; i < f->fields.len; i++)
        if (ascii_same(f->fields.data[i].field, field))
            return i;
    return f->fields.len;
}

/* Such a field gets a _ behind its name. */
static const char *column_name(struct event_fields *f, const char *name)
{
    size_t n = strlen(name);
    char *text;

    if (!is_common(name))
        return arena_strndup(&f->arena, name, n);
    text = arena_new(&f->arena, char, n + 2);
    memcpy(text, name, n);
    text[n] = '_';
    return text;
}

static const char *type_of(const struct event_field *field)
{
    const char *type = event_column_type(field);

    if (!strcmp(type, "INTEGER") || !strcmp(type, "REAL"))
        return type;
    return "TEXT";
}

enum { MOST_FIELDS = 1000 };

static const char stack_field[] = "Stack";

static void add_kind(struct event_fields *f, const struct event_kind *kind)
{
    const struct event_schema *schema = kind->schema;

    *vec_add(&f->kinds) = kind;
    for (size_t i = 0; schema && i < schema->top; i++) {
        const struct event_field *field = &schema->fields[i];
        const char *name = field->name ? field->name : "";

        if (field->hidden || find(f, name) < f->fields.len ||
            f->fields.len == MOST_FIELDS)
            continue;
        f->has_stack |= !strcmp(name, stack_field);
        *vec_add(&f->fields) = (struct event_field_column){
            column_name(f, name), name, type_of(field)};
    }
}

static bool is_of(const struct event_kind *kind, const char *provider,
                  const char *event)
{
    return (!provider || ascii_same(kind->provider, provider)) &&
           (ascii_same(kind->full_name, event) ||
            ascii_same(kind->name, event));
}

/* The part before the first slash is a provider, or all is the event. */
static void split(struct event_fields *f, const char *name)
{
    const char *slash = strchr(name, '/');

    f->events[0] = arena_strndup(&f->arena, name, strlen(name));
    if (!slash)
        return;
    f->providers[0] = arena_strndup(&f->arena, name, (size_t)(slash - name));
    f->events[1] = arena_strndup(&f->arena, slash + 1, strlen(slash + 1));
}

/* True if a kind fits one of the two readings of the name. */
static bool is_either(const struct event_fields *f,
                      const struct event_kind *kind)
{
    return is_of(kind, NULL, f->events[0]) ||
           (f->events[1] && is_of(kind, f->providers[0], f->events[1]));
}

/* Kinds are known when their first event is met. */
static void meet(struct event_fields *f, struct event_trace *trace)
{
    struct event_options options = {
        .events = {f->events, f->events[1] ? 2 : 1},
        .unordered = true,
        .no_subjects = true,
    };
    struct event_cursor *c = event_cursor_new(trace, &options);
    const struct event *e;

    do
        e = event_next(c);
    while (e && !is_either(f, e->kind));
    event_cursor_free(c);
    if (f->providers[0])
        event_kinds_describe(trace, f->providers[0]);
}

/* All that are known of one reading. */
static void take_kinds(struct event_fields *f, struct event_trace *trace)
{
    for (size_t i = 0; i < event_kind_count(trace); i++)
        if (is_of(event_kind_at(trace, i), f->providers[0], f->events[0]))
            add_kind(f, event_kind_at(trace, i));
}

struct event_fields *event_fields_new(struct event_trace *trace,
                                      const char *name)
{
    struct event_fields *f = mem_new(1, sizeof(*f));
    const char *whole;

    split(f, name);
    meet(f, trace);
    whole = f->events[0];
    if (f->events[1]) {
        f->events[0] = f->events[1];
        take_kinds(f, trace);
    }
    if (!f->kinds.len) {
        f->events[0] = whole;
        f->providers[0] = NULL;
        take_kinds(f, trace);
    }
    if (f->kinds.len) {
        f->values = mem_new(f->fields.len, sizeof(*f->values));
        return f;
    }
    event_fields_free(f);
    return NULL;
}

bool event_fields_has(struct event_fields *f, const struct event_kind *kind)
{
    for (size_t i = 0; i < f->kinds.len; i++)
        if (f->kinds.data[i] == kind)
            return true;
    if (!is_of(kind, f->providers[0], f->events[0]))
        return false;
    *vec_add(&f->kinds) = kind; /* a version that was not met before */
    return true;
}

void event_fields_free(struct event_fields *f)
{
    free(f->values);
    vec_release(&f->fields);
    vec_release(&f->kinds);
    arena_release(&f->arena);
    arena_release(&f->row);
    free(f);
}

bool event_fields_named(const struct event_fields *f, const char *column)
{
    for (size_t i = 0; i < f->fields.len; i++)
        if (ascii_same(f->fields.data[i].name, column))
            return true;
    return false;
}

/* ---- their values ---- */

static struct virtual_value field_value(struct event_fields *f, size_t i,
                                        struct event_decoder *d,
                                        const struct event_value *v)
{
    bool is_number = !strcmp(f->fields.data[i].type, "INTEGER");
    struct out *text;

    if (v->kind == FIELD_NULL)
        return virtual_null();
    if (v->kind == FIELD_DOUBLE)
        return (struct virtual_value){.type = SQLITE_FLOAT, .real = v->d};
    if (is_number && v->kind == FIELD_INT)
        return virtual_number(v->i);
    if (is_number && (v->kind == FIELD_UINT || v->kind == FIELD_BOOL ||
                      v->kind == FIELD_ADDRESS))
        return virtual_number((int64_t)v->u);
    text = out_memory();
    event_value_text(text, d, v);
    return virtual_made(text, &f->row);
}

/* "[0x401000,0x402000]", as a field's text is. */
static void keep_stack(struct event_fields *f, const char *text)
{
    f->stack_count = 0;
    while ((text = strpbrk(text, "0123456789")) &&
           f->stack_count < EVENT_STACK_COLUMNS) {
        char *end;

        f->stack[f->stack_count++] = strtoull(text, &end, 0);
        text = end;
    }
}

/* Names of one event that are alike stand for its first field of that name. */
void event_fields_read(struct event_fields *f, const struct event *event)
{
    struct event_decoder d = event_decode(event);
    struct event_value v;

    for (size_t i = 0; i < f->fields.len; i++)
        f->values[i] = virtual_null();
    arena_reset(&f->row);
    f->stack_count = 0;
    while (event_next_field(&d, &v)) {
        size_t i = find(f, v.field->name ? v.field->name : "");

        if (i >= f->fields.len || f->values[i].type != SQLITE_NULL)
            continue;
        f->values[i] = field_value(f, i, &d, &v);
        if (f->values[i].type == SQLITE_TEXT &&
            !strcmp(f->fields.data[i].field, stack_field))
            keep_stack(f, f->values[i].text);
    }
}

struct virtual_value event_fields_value(struct event_fields *f, size_t i)
{
    size_t frame = i - f->fields.len;
    struct virtual_value v = {.type = SQLITE_TEXT};

    if (i < f->fields.len)
        return f->values[i];
    if (frame >= f->stack_count)
        return virtual_null();
    v.len = (size_t)snprintf(v.own, sizeof(v.own), "0x%llx",
                             (unsigned long long)f->stack[frame]);
    return v;
}
