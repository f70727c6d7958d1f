#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/map.h"
#include "engine/base/strings.h"
#include "engine/base/text.h"
#include "engine/base/vec.h"
#include "engine/events/schema.h"
#include "report/events/events.h"

/*
 * Full mode, in two stages: first which providers there are, whose properties
 * then are columns.
 */

/*
 * The providers of the modes full and meta.
 */

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

/* Adds the names of the providers whose events a quick walk finds. */
static void find_walked_providers(struct event_trace *trace,
                                  const struct event_options *options,
                                  const struct event_print *p, struct map *met,
                                  struct strings *names)
{
    struct event_options quick = *options;
    struct event_cursor *c;
    const struct event *e;

    quick.stacks = false;
    quick.numbered = false;
    quick.unordered = true;
    if (p->providers.count)
        quick.providers = p->providers;
    c = event_cursor_new(trace, &quick);
    while ((e = event_next(c)))
        map_add(
            met,
            strings_add(names, e->kind->provider, strlen(e->kind->provider)), 0,
            1);
    event_cursor_free(c);
}

/* Events that bring their own schema are known when they were met. */
static bool are_described(struct event_trace *trace,
                          const struct event_texts *providers)
{
    for (size_t i = 0; i < providers->count; i++) {
        struct event_texts one = {&providers->list[i], 1};
        size_t k = 0;

        event_kinds_describe(trace, providers->list[i]);
        while (k < event_kind_count(trace) &&
               !is_named(&one, event_kind_at(trace, k)))
            k++;
        if (k == event_kind_count(trace) || strpbrk(providers->list[i], "*?"))
            return false;
    }
    return true;
}

static bool *find_providers(struct event_trace *trace,
                            const struct event_options *options,
                            const struct event_print *p)
{
    struct strings *names = strings_new();
    struct map met = {0};
    bool *chosen;

    if (!p->providers.count || !are_described(trace, &p->providers))
        find_walked_providers(trace, options, p, &met, names);
    for (uint32_t i = 1; i < strings_count(names); i++)
        event_kinds_describe(trace, strings_get(names, i));
    chosen = mem_new(event_kind_count(trace) + 1, sizeof(*chosen));
    for (size_t i = 0; i < event_kind_count(trace); i++) {
        const struct event_kind *k = event_kind_at(trace, i);

        chosen[i] =
            p->providers.count
                ? is_named(&p->providers, k)
                : map_get(&met,
                          strings_add(names, k->provider, strlen(k->provider)),
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

/* All events of the providers that were named, or that are met among the first
 * events, by provider and name; to be released. */
static event_kind_list event_kinds_chosen(struct event_trace *trace,
                                          const struct event_options *options,
                                          const struct event_print *p)
{
    bool *chosen = find_providers(trace, options, p);
    size_t n = event_kind_count(trace);
    event_kind_list list = {0};

    for (size_t i = 0; i < n; i++)
        if (chosen[i])
            *vec_add(&list) = event_kind_at(trace, i);
    free(chosen);
    if (list.len)
        qsort(list.data, list.len, sizeof(*list.data), compare_kinds);
    return list;
}

/*
 * Meta mode: the fields of all events of the providers, a row each.
 */

static void put_field(struct event_rows *r, const struct event_kind *k,
                      size_t number, const struct event_field *field)
{
    struct out *type = out_memory();

    if (field)
        event_type_text(type, field);
    event_rows_begin(r);
    event_rows_maybe(r, k->provider);
    event_rows_null(r);
    event_rows_guid(r, k->guid);
    event_rows_maybe(r, k->name);
    event_rows_maybe(r, k->description);
    event_rows_u64(r, k->version);
    event_rows_maybe(r, k->classic ? k->name : NULL);
    event_rows_guid(r, k->class_guid);
    event_rows_u64(r, k->classic ? k->opcode : k->id);
    event_rows_maybe(r, k->type_name);
    event_rows_maybe(r, k->message);
    event_rows_null(r);
    event_rows_u64(r, k->level);
    event_rows_maybe(r, field ? field->name : NULL);
    event_rows_maybe(r, field && field->names ? field->names->name : NULL);
    event_rows_number(r, field, number);
    event_rows_maybe(r, out_text(type, NULL));
    event_rows_end(r);
    out_close(type, NULL);
}

event_column_list event_meta_columns(void)
{
    static const char *const names[] = {"ProviderDescription",
                                        "ProviderClassName",
                                        "ProviderGUID",
                                        "EventName",
                                        "EventDescription",
                                        "EventVersion",
                                        "EventClassName",
                                        "EventGUID",
                                        "EventType",
                                        "EventTypeName",
                                        "EventTypeDescription",
                                        "EventTypeClassName",
                                        "EventTypeLevel",
                                        "FieldName",
                                        "FieldDescription",
                                        "FieldIndex",
                                        "FieldType"};
    event_column_list columns = {0};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        *vec_add(&columns) = (struct event_column){names[i], 0, false};
    return columns;
}

void event_meta_write(struct event_trace *trace,
                      const struct event_options *options,
                      const struct event_print *p, struct out *out)
{
    struct event_rows rows = event_rows_to(out, p->format, p->columns);
    event_column_list columns = event_meta_columns();
    event_kind_list list = event_kinds_chosen(trace, options, p);
    uint64_t n = 0;

    event_rows_heading(&rows, columns.data, columns.len);
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
    event_rows_release(&rows);
    vec_release(&columns);
    vec_release(&list);
}

/* The first twenty are LogParser's. */
enum { COMMON = 30 };

static const char *const common[COMMON] = {
    "TraceName",
    "EventNumber",
    "Timestamp",
    "InstanceID",
    "ParentInstanceID",
    "ParentGUID",
    "ProviderDescription",
    "ProviderGUID",
    "EventName",
    "EventDescription",
    "EventVersion",
    "EventGUID",
    "EventType",
    "EventTypeName",
    "EventTypeDescription",
    "EventTypeLevel",
    "ThreadID",
    "ProcessID",
    "KernelTime",
    "UserTime",
    "ProcessName",
    "ImageName",
    "Ticks",
    "Is32Bit",
    "Opcode",
    "Task",
    "Keywords",
    "ActivityID",
    "RelatedActivityID",
    "Labels",
};

/* The bytes of a payload that no property covers. */
static const char undecoded[] = "Undecoded";

struct full {
    struct event_trace *trace;
    const struct event_print *print;
    struct event_rows rows;
    struct strings *names; /* of properties */
    struct map column_of;  /* name -> column */
    event_column_list columns;
    uint32_t rest; /* the column of what is undecoded */
    /* The values of the event that is being written, by column. */
    struct out **cells;
    bool *bare; /* a number or a truth value */
    bool *filled;
    VEC(uint32_t) touched;
};

static bool is_common(const char *name)
{
    for (size_t i = 0; i < COMMON; i++)
        if (!strcmp(common[i], name))
            return true;
    return !strcmp(name, undecoded) || !strcmp(name, "Stack");
}

/* No two columns are called the same: no object of JSON has a key twice. */
static const char *column_name(struct strings *names, const char *property)
{
    char text[200];
    int n = snprintf(text, sizeof(text), "%s%s",
                     is_common(property) ? "field_" : "", property);

    return strings_get(names, strings_add(names, text, (size_t)n));
}

/* Those that are not hidden, by name. */
static void add_columns(event_column_list *columns, struct strings *names,
                        struct map *column_of, const struct event_schema *s)
{
    for (size_t i = 0; s && i < s->top; i++) {
        const char *name = s->fields[i].name;
        uint32_t id = strings_add(names, name, strlen(name));
        uint32_t fresh = (uint32_t)columns->len;

        if (!s->fields[i].hidden && map_add(column_of, id, 0, fresh) == fresh)
            *vec_add(columns) =
                (struct event_column){column_name(names, name), 0, false};
    }
}

static event_column_list find_columns(struct event_trace *trace,
                                      const struct event_options *options,
                                      const struct event_print *print,
                                      struct strings *names,
                                      struct map *column_of)
{
    event_kind_list list = event_kinds_chosen(trace, options, print);
    event_column_list columns = {0};
    struct map added = {0}; /* schemas, which many kinds may share */

    for (size_t i = 0; i < COMMON; i++)
        *vec_add(&columns) = (struct event_column){common[i], 0, false};
    for (size_t i = 0; i < list.len; i++)
        if (map_add(&added, (uintptr_t)list.data[i]->schema, 0, (uint32_t)i) ==
            i)
            add_columns(&columns, names, column_of, list.data[i]->schema);
    map_release(&added);
    *vec_add(&columns) = (struct event_column){undecoded, 0, false};
    if (options->stacks)
        *vec_add(&columns) = (struct event_column){"Stack", 0, false};
    vec_release(&list);
    return columns;
}

event_column_list event_full_columns(struct event_trace *trace,
                                     const struct event_options *options,
                                     const struct event_print *print,
                                     struct strings *names)
{
    struct map column_of = {0};
    event_column_list columns =
        find_columns(trace, options, print, names, &column_of);

    map_release(&column_of);
    return columns;
}

/* Fields of every record that LogParser's records do not have. */
static void put_more(struct full *f, const struct event *e)
{
    const struct event_process *process =
        event_process_at(f->trace, e->pid, e->time);
    struct event_rows *r = &f->rows;
    struct out *labels = out_memory();
    char keywords[24];

    snprintf(keywords, sizeof(keywords), "0x%llx",
             (unsigned long long)e->keywords);
    event_labels_json(labels, e);
    event_rows_maybe(r, process ? process->name : NULL);
    event_rows_maybe(r, process ? process->path : NULL);
    event_rows_number(r, e->ticks, e->ticks);
    event_rows_bare(r, e->pointer_size == 4 ? "true" : "false");
    event_rows_u64(r, e->opcode);
    event_rows_u64(r, e->kind->task);
    event_rows_text(r, keywords);
    event_rows_guid(r, e->activity);
    event_rows_guid(r, e->related);
    event_rows_maybe(r, out_text(labels, NULL));
    out_close(labels, NULL);
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
    event_rows_number(r, e->parent_guid, e->instance);
    event_rows_number(r, e->parent_guid, e->parent_instance);
    event_rows_guid(r, e->parent_guid);
    event_rows_maybe(r, k->provider);
    event_rows_guid(r, k->guid);
    event_rows_maybe(r, k->name);
    event_rows_maybe(r, k->description);
    event_rows_u64(r, k->version);
    event_rows_guid(r, k->class_guid);
    event_rows_u64(r, k->classic ? k->opcode : k->id);
    event_rows_maybe(r, k->type_name);
    event_rows_maybe(r, k->message);
    event_rows_u64(r, e->level);
    event_rows_number(r, e->tid != EVENT_UNKNOWN, e->tid);
    event_rows_number(r, e->pid != EVENT_UNKNOWN, e->pid);
    event_rows_number(r, e->has_times, e->kernel_time);
    event_rows_number(r, e->has_times, e->user_time);
    put_more(f, e);
}

/* True if JSON and CSV have the value without quotes. */
static bool is_bare(const struct full *f, const struct event_value *v)
{
    if (v->kind == FIELD_BOOL)
        return true;
    return event_value_is_decimal(v) &&
           (f->print->format != FORMAT_JSON || event_value_is_exact(v));
}

/* The cell of a column, to be filled. */
static struct out *take_cell(struct full *f, uint32_t at, bool bare)
{
    f->cells[at] = out_memory();
    f->bare[at] = bare;
    f->filled[at] = true;
    *vec_add(&f->touched) = at;
    return f->cells[at];
}

/* The properties of the event, each into its column. */
static void take_properties(struct full *f, const struct event *e)
{
    struct event_decoder d = event_decode(e);
    struct event_value v;
    struct out *text;

    while (event_next_field(&d, &v)) {
        uint32_t id =
            strings_add(f->names, v.field->name, strlen(v.field->name));
        uint32_t at = map_get(&f->column_of, id, 0);

        if (at == MAP_NONE || f->filled[at] || v.kind == FIELD_NULL)
            continue;
        event_value_text(take_cell(f, at, is_bare(f, &v)), &d, &v);
    }
    text = out_memory();
    event_rest_text(text, e, &d);
    if (*out_text(text, NULL))
        out_str(take_cell(f, f->rest, false), out_text(text, NULL));
    out_close(text, NULL);
}

static int by_column(const void *x, const void *y)
{
    const uint32_t *a = x, *b = y;

    return (*a > *b) - (*a < *b);
}

/* Columns of all kinds of events may be many more than an event fills. */
static void put_properties(struct full *f, const struct event *e, bool stacks)
{
    size_t next = COMMON;
    struct out *stack;

    vec_sort(&f->touched, by_column);
    for (size_t i = 0; i < f->touched.len; i++) {
        uint32_t at = f->touched.data[i];

        event_rows_nulls(&f->rows, at - next);
        if (f->bare[at])
            event_rows_bare(&f->rows, out_text(f->cells[at], NULL));
        else
            event_rows_text(&f->rows, out_text(f->cells[at], NULL));
        next = at + 1;
    }
    event_rows_nulls(&f->rows, f->columns.len - stacks - next);
    if (!stacks)
        return;
    stack = out_memory();
    event_stack_text(stack, e, f->print->labels);
    event_rows_maybe(&f->rows, out_text(stack, NULL));
    out_close(stack, NULL);
}

static void write_rows(struct full *f, const struct event_options *options)
{
    struct event_cursor *c = event_cursor_new(f->trace, options);
    const struct event *e;
    uint64_t n = 0, limit = f->print->limit;

    /* Reads the processes first: two walks at once have their events wait. */
    event_process_at(f->trace, 0, 0);
    while ((!limit || n++ < limit) && (e = event_next(c))) {
        event_rows_begin(&f->rows);
        put_common(f, e);
        take_properties(f, e);
        put_properties(f, e, options->stacks);
        event_rows_end(&f->rows);
        for (size_t i = 0; i < f->touched.len; i++) {
            uint32_t at = f->touched.data[i];

            out_close(f->cells[at], NULL);
            f->filled[at] = false;
        }
        f->touched.len = 0;
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
        .rows = event_rows_to(out, p->format, p->columns),
        .names = strings_new(),
    };

    f.columns = find_columns(trace, options, p, f.names, &f.column_of);
    f.rest = (uint32_t)f.columns.len - 1 - options->stacks;
    f.cells = mem_new(f.columns.len, sizeof(*f.cells));
    f.bare = mem_new(f.columns.len, sizeof(*f.bare));
    f.filled = mem_new(f.columns.len, sizeof(*f.filled));
    event_rows_heading(&f.rows, f.columns.data, f.columns.len);
    write_rows(&f, options);
    free(f.cells);
    free(f.bare);
    free(f.filled);
    event_rows_release(&f.rows);
    vec_release(&f.touched);
    vec_release(&f.columns);
    map_release(&f.column_of);
    strings_free(f.names);
}
