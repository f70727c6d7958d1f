/*
 * Full mode, in two stages: first which providers there are, whose properties
 * then are columns; and meta mode, which ends after the first.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/base/map.h"
#include "engine/base/strings.h"
#include "engine/base/text.h"
#include "engine/base/vec.h"
#include "report/event_modes.h"
#include "report/event_rows.h"

/* ---- providers ---- */

static bool is_named(const struct event_texts *texts,
                     const struct event_kind *k)
{
    uint8_t guid[16];

    for (size_t i = 0; i < texts->count; i++)
        if (glob_match(texts->list[i], k->provider) ||
            (guid_parse(guid, texts->list[i]) &&
             (!memcmp(guid, k->guid, sizeof(guid)) ||
              !memcmp(guid, k->class_guid, sizeof(guid)))))
            return true;
    return false;
}

/* Reads as many events as are to tell. */
static void meet_providers(struct event_trace *trace,
                           const struct event_options *options,
                           const struct event_print *p, struct map *met,
                           struct strings *names)
{
    struct event_options quick = *options;
    struct event_cursor *c;
    const struct event *e;

    quick.stacks = false;
    quick.numbered = false;
    quick.unordered |= !p->detect;
    c = event_cursor_new(trace, &quick);
    for (uint64_t n = 0; (!p->detect || n < p->detect) && (e = event_next(c));
         n++)
        map_add(met,
                strings_add(names, e->kind->provider,
                            strlen(e->kind->provider)),
                0, 1);
    event_cursor_free(c);
}

bool *event_providers_find(struct event_trace *trace,
                           const struct event_options *options,
                           const struct event_print *p)
{
    struct strings *names = strings_new();
    struct map met = {0};
    bool *chosen;

    if (p->providers.count)
        for (size_t i = 0; i < p->providers.count; i++)
            event_kinds_describe(trace, p->providers.list[i]);
    else
        meet_providers(trace, options, p, &met, names);
    for (uint32_t i = 1; i < strings_count(names); i++)
        event_kinds_describe(trace, strings_get(names, i));
    chosen = mem_new(event_kind_count(trace) + 1, sizeof(*chosen));
    for (size_t i = 0; i < event_kind_count(trace); i++) {
        const struct event_kind *k = event_kind_at(trace, i);

        chosen[i] = p->providers.count
                        ? is_named(&p->providers, k)
                        : map_get(&met,
                                  strings_add(names, k->provider,
                                              strlen(k->provider)),
                                  0) != MAP_NONE;
    }
    map_release(&met);
    strings_free(names);
    return chosen;
}

/* Kinds by provider and name, so that their order does not depend on which
 * was met first. */
static int compare_kinds(const void *a, const void *b)
{
    const struct event_kind *x = *(const struct event_kind *const *)a;
    const struct event_kind *y = *(const struct event_kind *const *)b;
    int order = strcmp(x->provider, y->provider);

    if (!order)
        order = (x->id > y->id) - (x->id < y->id);
    if (!order)
        order = strcmp(x->full_name, y->full_name);
    if (!order)
        order = (x->version > y->version) - (x->version < y->version);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

typedef VEC(const struct event_kind *) kinds;

static kinds chosen_kinds(struct event_trace *trace,
                          const struct event_options *options,
                          const struct event_print *p)
{
    bool *chosen = event_providers_find(trace, options, p);
    size_t n = event_kind_count(trace);
    kinds list = {0};

    for (size_t i = 0; i < n; i++)
        if (chosen[i])
            *vec_add(&list) = event_kind_at(trace, i);
    free(chosen);
    if (list.len)
        qsort(list.data, list.len, sizeof(*list.data), compare_kinds);
    return list;
}

/* ---- full ---- */

enum { COMMON = 20 };

static const char *const common[COMMON] = {
    "TraceName",          "EventNumber",
    "Timestamp",          "InstanceID",
    "ParentInstanceID",   "ParentGUID",
    "ProviderDescription", "ProviderGUID",
    "EventName",          "EventDescription",
    "EventVersion",       "EventGUID",
    "EventType",          "EventTypeName",
    "EventTypeDescription", "EventTypeLevel",
    "ThreadID",           "ProcessID",
    "KernelTime",         "UserTime",
};

struct full {
    struct event_trace *trace;
    const struct event_print *print;
    struct event_rows rows;
    struct strings *names; /* of properties */
    struct map column_of;  /* name -> column */
    VEC(struct event_column) columns;
    /* Of the event that is being written: its values by column. */
    struct out **cells;
    bool *bare; /* a number or a truth value */
    bool *filled;
    VEC(uint32_t) touched;
};

static void add_columns(struct full *f, const struct event_schema *s)
{
    for (size_t i = 0; s && i < s->top; i++) {
        const char *name = s->fields[i].name;
        uint32_t id = strings_add(f->names, name, strlen(name));
        uint32_t fresh = (uint32_t)f->columns.len;

        if (!s->fields[i].hidden && map_add(&f->column_of, id, 0, fresh) ==
                                        fresh)
            *vec_add(&f->columns) =
                (struct event_column){strings_get(f->names, id), 0, false};
    }
}

static void find_columns(struct full *f, const struct event_options *options)
{
    kinds list = chosen_kinds(f->trace, options, f->print);

    for (size_t i = 0; i < COMMON; i++)
        *vec_add(&f->columns) = (struct event_column){common[i], 0, false};
    for (size_t i = 0; i < list.len; i++)
        add_columns(f, list.data[i]->schema);
    if (options->stacks)
        *vec_add(&f->columns) = (struct event_column){"Stack", 0, false};
    vec_release(&list);
}

static void put_guid(struct event_rows *r, const uint8_t *guid)
{
    static const uint8_t none[16];
    char text[40];

    if (!guid || !memcmp(guid, none, sizeof(none))) {
        event_rows_null(r);
        return;
    }
    event_guid_text(text, guid);
    event_rows_text(r, text);
}

static void put_text(struct event_rows *r, const char *text)
{
    if (text && *text)
        event_rows_text(r, text);
    else
        event_rows_null(r);
}

static void put_number(struct event_rows *r, bool known, uint64_t n)
{
    if (known)
        event_rows_u64(r, n);
    else
        event_rows_null(r);
}

static void put_common(struct full *f, const struct event *e)
{
    struct event_rows *r = &f->rows;
    const struct event_kind *k = e->kind;
    char stamp[EVENT_TIME_SIZE];

    event_stamp_text(stamp, f->trace, e->time);
    event_rows_text(r, event_trace_file(f->trace, e->file));
    event_rows_u64(r, e->number);
    event_rows_text(r, stamp);
    put_number(r, e->parent_guid, e->instance);
    put_number(r, e->parent_guid, e->parent_instance);
    put_guid(r, e->parent_guid);
    put_text(r, k->provider);
    put_guid(r, k->guid);
    put_text(r, k->name);
    event_rows_null(r); /* descriptions are of event types */
    event_rows_u64(r, k->version);
    put_guid(r, k->class_guid);
    event_rows_u64(r, k->classic ? k->opcode : k->id);
    put_text(r, k->type_name);
    put_text(r, k->message);
    event_rows_u64(r, e->level);
    put_number(r, e->tid != EVENT_UNKNOWN, e->tid);
    put_number(r, e->pid != EVENT_UNKNOWN, e->pid);
    put_number(r, e->has_times, e->kernel_time);
    put_number(r, e->has_times, e->user_time);
}

static bool is_bare(const struct event_value *v)
{
    if (v->field->names || v->format == SHOW_HEX)
        return false;
    return v->kind == FIELD_INT || v->kind == FIELD_UINT ||
           v->kind == FIELD_BOOL;
}

/* The properties of the event, each into its column. */
static void take_properties(struct full *f, const struct event *e)
{
    struct event_decoder d = event_decode(e);
    struct event_value v;

    while (event_next_field(&d, &v)) {
        uint32_t id =
            strings_add(f->names, v.field->name, strlen(v.field->name));
        uint32_t at = map_get(&f->column_of, id, 0);

        if (at == MAP_NONE || f->filled[at] || v.kind == FIELD_NULL)
            continue;
        f->cells[at] = out_memory();
        event_value_text(f->cells[at], &d, &v);
        f->bare[at] = is_bare(&v);
        f->filled[at] = true;
        *vec_add(&f->touched) = at;
    }
}

static void put_properties(struct full *f, const struct event *e, bool stacks)
{
    size_t last = f->columns.len - stacks;
    struct out *stack;

    for (size_t i = COMMON; i < last; i++) {
        if (!f->filled[i])
            event_rows_null(&f->rows);
        else if (f->bare[i])
            event_rows_bare(&f->rows, out_text(f->cells[i], NULL));
        else
            event_rows_text(&f->rows, out_text(f->cells[i], NULL));
    }
    if (!stacks)
        return;
    stack = out_memory();
    event_stack_text(stack, e, f->print->frames);
    put_text(&f->rows, out_text(stack, NULL));
    out_close(stack, NULL);
}

static void forget_properties(struct full *f)
{
    for (size_t i = 0; i < f->touched.len; i++) {
        uint32_t at = f->touched.data[i];

        out_close(f->cells[at], NULL);
        f->filled[at] = false;
    }
    f->touched.len = 0;
}

static void write_rows(struct full *f, const struct event_options *options)
{
    struct event_cursor *c = event_cursor_new(f->trace, options);
    const struct event *e;
    uint64_t n = 0, limit = f->print->limit;

    while ((!limit || n++ < limit) && (e = event_next(c))) {
        event_rows_begin(&f->rows);
        put_common(f, e);
        take_properties(f, e);
        put_properties(f, e, options->stacks);
        event_rows_end(&f->rows);
        forget_properties(f);
    }
    event_cursor_free(c);
}

void event_full_write(struct event_trace *trace,
                      const struct event_options *options,
                      const struct event_print *p, struct out *out)
{
    struct full f = {
        .trace = trace,
        .print = p,
        .rows = event_rows_to(out, p->format),
        .names = strings_new(),
    };

    find_columns(&f, options);
    f.cells = mem_new(f.columns.len, sizeof(*f.cells));
    f.bare = mem_new(f.columns.len, sizeof(*f.bare));
    f.filled = mem_new(f.columns.len, sizeof(*f.filled));
    event_rows_heading(&f.rows, f.columns.data, f.columns.len);
    write_rows(&f, options);
    free(f.cells);
    free(f.bare);
    free(f.filled);
    vec_release(&f.touched);
    vec_release(&f.columns);
    map_release(&f.column_of);
    strings_free(f.names);
}

/* ---- meta ---- */

static void put_field(struct event_rows *r, const struct event_kind *k,
                      size_t number, const struct event_field *field)
{
    struct out *type = out_memory();

    if (field)
        event_type_text(type, field);
    event_rows_begin(r);
    put_text(r, k->provider);
    event_rows_null(r);
    put_guid(r, k->guid);
    put_text(r, k->name);
    event_rows_null(r);
    event_rows_u64(r, k->version);
    put_text(r, k->classic ? k->name : NULL);
    put_guid(r, k->class_guid);
    event_rows_u64(r, k->classic ? k->opcode : k->id);
    put_text(r, k->type_name);
    put_text(r, k->message);
    event_rows_null(r);
    event_rows_u64(r, k->level);
    put_text(r, field ? field->name : NULL);
    put_text(r, field && field->names ? field->names->name : NULL);
    put_number(r, field, number);
    put_text(r, out_text(type, NULL));
    event_rows_end(r);
    out_close(type, NULL);
}

void event_meta_write(struct event_trace *trace,
                      const struct event_options *options,
                      const struct event_print *p, struct out *out)
{
    static const struct event_column columns[] = {
        {"ProviderDescription", 0, false}, {"ProviderClassName", 0, false},
        {"ProviderGUID", 0, false},        {"EventName", 0, false},
        {"EventDescription", 0, false},    {"EventVersion", 0, false},
        {"EventClassName", 0, false},      {"EventGUID", 0, false},
        {"EventType", 0, false},           {"EventTypeName", 0, false},
        {"EventTypeDescription", 0, false}, {"EventTypeClassName", 0, false},
        {"EventTypeLevel", 0, false},      {"FieldName", 0, false},
        {"FieldDescription", 0, false},    {"FieldIndex", 0, false},
        {"FieldType", 0, false},
    };
    struct event_rows rows = event_rows_to(out, p->format);
    kinds list = chosen_kinds(trace, options, p);
    uint64_t n = 0;

    event_rows_heading(&rows, columns, sizeof(columns) / sizeof(columns[0]));
    for (size_t i = 0; i < list.len; i++) {
        const struct event_kind *k = list.data[i];
        size_t count = k->schema ? k->schema->top : 0, shown = 0;

        for (size_t j = 0; j < count && (!p->limit || n < p->limit); j++)
            if (!k->schema->fields[j].hidden) {
                put_field(&rows, k, ++shown, &k->schema->fields[j]);
                n++;
            }
        if (!shown && (!p->limit || n++ < p->limit))
            put_field(&rows, k, 0, NULL);
    }
    vec_release(&list);
}
