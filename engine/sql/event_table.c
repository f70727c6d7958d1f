/*
 * The events of a trace as virtual tables of SQLite. Conditions on time,
 * provider, event, process and thread go down to the reader, which passes over
 * buffers that hold none such; only columns that are asked for are decoded.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "engine/sql/event_columns.h"
#include "engine/sql/event_fields.h"
#include "engine/sql/query_impl.h"
#include "engine/sql/virtual_table.h"
#include "engine/store/sql.h"

struct event_table {
    struct virtual_table base;
    struct event_fields *fields; /* NULL: all events */
};

struct event_rows {
    struct virtual_cursor base;
    struct event_cursor *cursor;
    const struct event *event; /* of the row */
    bool decoded;              /* its fields */
    /* The lists of the cursor's options. */
    VEC(const char *) providers, events;
    VEC(uint32_t) pids, tids;
    struct arena texts;
    struct arena row; /* texts of its values */
};

static struct event_table *event_table_of(const struct event_rows *r)
{
    return (struct event_table *)r->base.base.pVtab;
}

/* ---- tables ---- */

static void declare_column(struct out *columns, bool first, const char *before,
                           const char *name, const char *type, bool hidden)
{
    char *quoted = store_sql_text("%s\"%w%w\" %s%s", first ? "" : ", ", before,
                                  name, type, hidden ? " HIDDEN" : "");

    out_str(columns, quoted);
    sqlite3_free(quoted);
}

/* A table of one event hides the columns that tell which event it is, and
 * renames a common column that has the name of a field. */
static const char *declare_event_table(struct virtual_table *base,
                                       const char *module, const char *name,
                                       struct out *columns)
{
    struct event_table *table = (struct event_table *)base;
    struct event_fields *fields = NULL;

    if (!strcmp(module, "topfn_event")) {
        if (!place_open_events(base->q, base->place))
            return base->q->trace_err.message;
        table->fields = fields = event_fields_new(base->place->trace, name);
        if (!fields)
            return "no such event";
    }
    for (int i = 0; i < EVENT_COLUMNS; i++) {
        const struct event_column *c = &event_columns[i];
        bool taken = fields && event_fields_named(fields, c->name);

        declare_column(columns, i == 0, taken ? "event_" : "", c->name, c->type,
                       c->hidden || (fields && i > EVENT_TID));
    }
    for (size_t i = 0; fields && i < fields->fields.len; i++)
        declare_column(columns, false, "", fields->fields.data[i].name,
                       fields->fields.data[i].type, false);
    for (int i = 1; fields && fields->has_stack && i <= EVENT_STACK_COLUMNS;
         i++)
        out_fmt(columns, ", \"Stack%d\" TEXT HIDDEN", i);
    return NULL;
}

static void release_event_table(struct virtual_table *base)
{
    struct event_fields *fields = ((struct event_table *)base)->fields;

    if (fields)
        event_fields_free(fields);
}

/* ---- plans ---- */

enum {
    PLAN_ORDERED = 1, /* by time; otherwise as they are stored */
    PLAN_NUMBERED = 8,
    PLAN_SUBJECTS = 16, /* processes are asked for */
};

/* The reader compares texts as they are and without case, which lets through
 * what either collation does. */
static enum virtual_push event_push(const struct virtual_table *table,
                                    int column)
{
    (void)table;
    switch (column) {
    case EVENT_TIME:
        return PUSH_RANGE;
    case EVENT_PID:
    case EVENT_TID:
    case EVENT_PROCESS_ID:
    case EVENT_THREAD_ID:
        return PUSH_NUMBER;
    case EVENT_PROVIDER:
    case EVENT_PROVIDER_NAME:
    case EVENT_PROVIDER_GUID:
    case EVENT_EVENT:
    case EVENT_NAME:
        return PUSH_NOCASE;
    default:
        return PUSH_NOTHING;
    }
}

static const char *event_column_name(const struct virtual_table *table,
                                     int column)
{
    (void)table;
    return event_columns[column].name;
}

static bool is_of_kind(const struct virtual_table *table, int column)
{
    (void)table;
    return column < EVENT_COLUMNS && event_columns[column].of_kind;
}

static uint32_t kind_of_row(const struct virtual_cursor *cursor)
{
    return ((const struct event_rows *)cursor)->event->kind->index;
}

static struct virtual_value value_of_kind(const struct virtual_table *table,
                                          uint32_t kind, int column)
{
    return event_kind_value(event_kind_at(table->place->trace, kind), column);
}

/* A statement that shows times expects them in order. Plans are made before
 * the profile is read (query_next), so they tell whether it needs the stacks of
 * events; SQLite does not tell its authorizer of columns in USING. */
static int event_order(const struct virtual_table *table,
                       sqlite3_index_info *info)
{
    bool by_time = info->nOrderBy == 1 &&
                   info->aOrderBy[0].iColumn == EVENT_TIME &&
                   !info->aOrderBy[0].desc;
    bool shows_time = !info->nOrderBy && (virtual_uses(info, EVENT_TIME) ||
                                          virtual_uses(info, EVENT_TIMESTAMP));
    int flags = by_time || shows_time ? PLAN_ORDERED : 0;

    info->orderByConsumed = by_time;
    if (virtual_uses(info, EVENT_STACK) || virtual_uses(info, EVENT_FUNCTION)) {
        table->place->wants_event_stacks = true;
        table->place->wants_frames = true;
    }
    if (virtual_uses(info, EVENT_NUMBER))
        flags |= PLAN_ORDERED | PLAN_NUMBERED;
    if (virtual_uses(info, EVENT_PID) || virtual_uses(info, EVENT_PROCESS_ID) ||
        virtual_uses(info, EVENT_PROCESS_NAME) ||
        virtual_uses(info, EVENT_IMAGE_NAME))
        flags |= PLAN_SUBJECTS;
    return flags;
}

/* ---- conditions ---- */

enum { SLACK_NS = 1000 }; /* seconds as a double may be off by it */

/* A time beyond the range of nanoseconds becomes its end. */
static int64_t nanoseconds(double seconds, double slack)
{
    double ns = seconds * 1e9 + slack;

    if (!(ns > -9e18))
        return INT64_MIN;
    return ns < 9e18 ? (int64_t)floor(ns) : INT64_MAX;
}

static void limit_time(struct event_options *o, char op, sqlite3_value *value)
{
    int type = sqlite3_value_type(value);
    double at = sqlite3_value_double(value);

    if (type != SQLITE_INTEGER && type != SQLITE_FLOAT)
        return;
    if (op != '<' && nanoseconds(at, -SLACK_NS) > o->from)
        o->from = nanoseconds(at, -SLACK_NS);
    if (op != '>' && nanoseconds(at, SLACK_NS) < o->to)
        o->to = nanoseconds(at, SLACK_NS);
    o->timed = true;
}

static uint32_t number_of(sqlite3_value *value)
{
    int64_t number = sqlite3_value_int64(value);
    int type = sqlite3_value_numeric_type(value);

    return (type == SQLITE_INTEGER || type == SQLITE_FLOAT) && number >= 0 &&
                   number < UINT32_MAX
               ? (uint32_t)number
               : EVENT_UNKNOWN; /* which no event is found by */
}

static void add_value(struct event_rows *r, int column, sqlite3_value *value)
{
    const char *text = (const char *)sqlite3_value_text(value);

    switch (column) {
    case EVENT_PID:
    case EVENT_PROCESS_ID:
        *vec_add(&r->pids) = number_of(value);
        break;
    case EVENT_TID:
    case EVENT_THREAD_ID:
        *vec_add(&r->tids) = number_of(value);
        break;
    case EVENT_EVENT:
    case EVENT_NAME:
        *vec_add(&r->events) =
            arena_strndup(&r->texts, text ? text : "", text ? strlen(text) : 0);
        break;
    default:
        *vec_add(&r->providers) =
            arena_strndup(&r->texts, text ? text : "", text ? strlen(text) : 0);
    }
}

/* The list that a condition on this column fills. */
static bool has_values(const struct event_rows *r, int column)
{
    switch (column) {
    case EVENT_PID:
    case EVENT_PROCESS_ID:
        return r->pids.len;
    case EVENT_TID:
    case EVENT_THREAD_ID:
        return r->tids.len;
    case EVENT_EVENT:
    case EVENT_NAME:
        return r->events.len;
    default:
        return r->providers.len;
    }
}

/* The reader takes the first of two conditions on one thing. */
static void add_values(struct event_rows *r, const struct virtual_condition *c)
{
    sqlite3_value *value;

    if (has_values(r, c->column))
        return;
    if (!c->is_list) {
        add_value(r, c->column, c->value);
        return;
    }
    for (int result = sqlite3_vtab_in_first(c->value, &value); !result && value;
         result = sqlite3_vtab_in_next(c->value, &value))
        add_value(r, c->column, value);
}

/* The reader knows no empty name: a list that has one lets everything pass. */
static struct event_texts texts_of(const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!*list[i])
            return (struct event_texts){NULL, 0};
    return (struct event_texts){list, n};
}

static struct event_options options_of(struct event_rows *r, int flags,
                                       const struct virtual_condition *list,
                                       size_t count)
{
    const struct event_fields *f = event_table_of(r)->fields;
    struct event_options o = {
        .from = INT64_MIN,
        .to = INT64_MAX,
        .unordered = !(flags & PLAN_ORDERED),
        .numbered = flags & PLAN_NUMBERED,
        .no_subjects = !(flags & PLAN_SUBJECTS),
        .is_over = query_is_over,
        .context = event_table_of(r)->base.q,
    };

    for (size_t i = 0; i < count; i++)
        if (list[i].column == EVENT_TIME)
            limit_time(&o, list[i].op, list[i].value);
        else
            add_values(r, &list[i]);
    o.providers = texts_of(r->providers.data, r->providers.len);
    o.events = texts_of(r->events.data, r->events.len);
    o.pids = (struct event_numbers){r->pids.data, r->pids.len};
    o.tids = (struct event_numbers){r->tids.data, r->tids.len};
    /* A typed table is about the events of its name, whatever the
     * conditions. */
    if (f)
        o.events = (struct event_texts){f->events, 1};
    if (f && !o.providers.count && f->providers[0])
        o.providers = (struct event_texts){f->providers, 1};
    return o;
}

/* ---- walks ---- */

static void end_events(struct virtual_cursor *base)
{
    struct event_rows *r = (struct event_rows *)base;
    struct query *q = event_table_of(r)->base.q;
    struct event_effort effort;

    if (!r->cursor)
        return;
    effort = event_cursor_effort(r->cursor);
    q->effort.buffers += effort.buffers;
    q->effort.skipped += effort.buffers_skipped;
    event_cursor_free(r->cursor);
    r->cursor = NULL;
    vec_release(&r->providers);
    vec_release(&r->events);
    vec_release(&r->pids);
    vec_release(&r->tids);
    arena_release(&r->texts);
    arena_release(&r->row);
}

/* A walk that the clock ended looks like one that came to the end. */
static int next_event(struct virtual_cursor *base)
{
    struct event_rows *r = (struct event_rows *)base;
    struct event_fields *f = event_table_of(r)->fields;

    do
        r->event = event_next(r->cursor);
    while (r->event && f && !event_fields_has(f, r->event->kind));
    r->decoded = false;
    arena_reset(&r->row);
    base->at_end = !r->event;
    return base->at_end && query_is_over(event_table_of(r)->base.q)
               ? SQLITE_INTERRUPT
               : SQLITE_OK;
}

static int begin_events(struct virtual_cursor *base, int flags,
                        const struct virtual_condition *conditions,
                        size_t count)
{
    struct event_rows *r = (struct event_rows *)base;
    struct virtual_table *table = &event_table_of(r)->base;
    struct event_options options;

    if (!place_open_events(table->q, table->place))
        return virtual_events_failed(table);
    options = options_of(r, flags, conditions, count);
    r->cursor = event_cursor_new(table->place->trace, &options);
    return next_event(base);
}

/* The innermost function that has a name; NO_ID: none has. */
static uint32_t named_function(const struct profile *p, uint32_t stack)
{
    for (; stack; stack = p->stacks.data[stack].parent) {
        uint32_t location = p->stacks.data[stack].location;

        for (uint32_t i = p->frame_start.data[location];
             i < p->frame_start.data[location + 1]; i++) {
            uint32_t function = p->frames.data[i].function;

            if (p->functions.data[function].cause == CAUSE_NONE)
                return function;
        }
    }
    return NO_ID;
}

static struct virtual_value stack_value(struct place *place, uint32_t stack,
                                        int column)
{
    uint32_t function = NO_ID;

    if (column == EVENT_STACK)
        return virtual_unless(stack, 0);
    function = named_function(place->profile, stack);
    return function == NO_ID
               ? virtual_null()
               : frame_function_value(&place->texts, FRAME_LABEL, function);
}

static struct virtual_value event_row_value(struct virtual_cursor *base,
                                            int column)
{
    struct event_rows *r = (struct event_rows *)base;
    struct event_fields *f = event_table_of(r)->fields;
    struct place *place = event_table_of(r)->base.place;

    if (column == EVENT_STACK || column == EVENT_FUNCTION)
        return stack_value(place,
                           place->profile ? profile_event_stack(place->profile,
                                                                r->event->place)
                                          : 0,
                           column);
    if (column < EVENT_COLUMNS)
        return event_value(place->trace, r->event, column, &r->row);
    if (!r->decoded)
        event_fields_read(f, r->event);
    r->decoded = true;
    return event_fields_value(f, (size_t)(column - EVENT_COLUMNS));
}

static sqlite3_int64 event_row_id(const struct virtual_cursor *base)
{
    return (sqlite3_int64)((const struct event_rows *)base)->event->place;
}

const struct virtual_kind event_table_kind = {
    .cursor_size = sizeof(struct event_rows),
    .takes_lists = true,
    .table_size = sizeof(struct event_table),
    .declare = declare_event_table,
    .release = release_event_table,
    .push = event_push,
    .name = event_column_name,
    .is_of_group = is_of_kind,
    .group = kind_of_row,
    .group_value = value_of_kind,
    .order = event_order,
    .begin = begin_events,
    .next = next_event,
    .end = end_events,
    .value = event_row_value,
    .id = event_row_id,
};

/* ---- all of them ---- */

static bool make_event_table_in(struct query *q, const struct place *place,
                                const char *name)
{
    return place->has_tables &&
           !query_run(q, store_sql_text("CREATE VIRTUAL TABLE %s.\"%w\" USING "
                                        "topfn_event",
                                        place->name, name));
}

/* A name without a schema means the first trace that has such an event. A
 * schema may also be the beginning of a provider's name: then the traces before
 * it may have the event, too. */
bool event_tables_make(struct query *q, const char *message)
{
    static const char missing[] = "no such table: ";
    const char *name = message + sizeof(missing) - 1;
    size_t place = 0, n = 0;
    bool made = false;
    char *copy;

    if (strncmp(message, missing, sizeof(missing) - 1) != 0 ||
        !strchr(message, '/'))
        return false;
    /* The message goes with the next statement. */
    name = copy = store_sql_text("%s", name);
    for (; place < q->place_count; place++) {
        n = strlen(q->places[place].name);
        if (!sqlite3_strnicmp(name, q->places[place].name, (int)n) &&
            name[n] == '.')
            break;
    }
    if (place < q->place_count)
        name += n + 1;
    for (size_t i = 0; i < place && (place < q->place_count || !made); i++)
        made = make_event_table_in(q, &q->places[i], name);
    if (place < q->place_count)
        made = make_event_table_in(q, &q->places[place], name);
    sqlite3_free(copy);
    return made;
}
