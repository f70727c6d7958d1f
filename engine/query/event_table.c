#include "engine/query/event_table.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "engine/query/event_columns.h"
#include "engine/query/event_fields.h"
#include "engine/query/event_groups.h"
#include "engine/query/event_plan.h"
#include "engine/query/event_values.h"

enum { LOOK_EVERY = 1 << 16 /* events, at the clock */ };

struct trace_place {
    const char *schema;
    const struct query_source *source;
    struct event_trace *trace; /* NULL: not opened yet */
};

struct event_tables {
    sqlite3 *db;
    int (*is_late)(void *);
    void *context;
    VEC(struct trace_place) places;
    struct query_effort effort;
    struct err err;
};

struct event_table {
    sqlite3_vtab base;
    struct event_tables *all;
    size_t place;
    struct event_fields *fields; /* NULL: all events */
};

struct event_rows {
    sqlite3_vtab_cursor base;
    struct event_filter filter;
    struct event_cursor *cursor;
    const struct event *event; /* NULL: behind the last */
    bool decoded;              /* its fields */
    bool grouped; /* the plan is: rows come from these */
    struct event_groups groups;
};

/* ---- traces ---- */

static struct event_trace *open_trace(struct event_tables *t, size_t place)
{
    struct trace_place *p = &t->places.data[place];

    if (!p->trace)
        p->trace = event_trace_open(p->source->paths, p->source->path_count,
                                    &t->err);
    return p->trace;
}

static int fail(struct event_tables *t, sqlite3_vtab *table)
{
    sqlite3_free(table->zErrMsg);
    table->zErrMsg = sqlite3_mprintf("%s", t->err.message);
    return SQLITE_ERROR;
}

/* ---- tables ---- */

static void declare_column(struct out *sql, const char *before,
                           const char *name, const char *type, bool hidden)
{
    char *quoted = sqlite3_mprintf("\"%w%w\" %s%s", before, name, type,
                                   hidden ? " HIDDEN" : "");

    out_str(sql, quoted);
    sqlite3_free(quoted);
}

/* Of a table of one event, what tells which event it is is not shown. */
static bool is_shown(size_t column, bool typed)
{
    return !event_columns[column].hidden && (!typed || column <= EVENT_TID);
}

static int declare(sqlite3 *db, const struct event_fields *f)
{
    struct out *sql = out_memory();
    int result;

    out_str(sql, "CREATE TABLE x(");
    for (size_t i = 0; i < EVENT_COLUMNS; i++) {
        const char *name = event_columns[i].name;

        /* What is not shown makes room for a field of its name. */
        out_str(sql, i ? ", " : "");
        declare_column(sql, f && event_fields_named(f, name) ? "event_" : "",
                       name, event_columns[i].type, !is_shown(i, f != NULL));
    }
    for (size_t i = 0; f && i < f->fields.len; i++) {
        out_str(sql, ", ");
        declare_column(sql, "", f->fields.data[i].name,
                       f->fields.data[i].type, false);
    }
    out_char(sql, ')');
    result = sqlite3_declare_vtab(db, out_text(sql, NULL));
    out_close(sql, NULL);
    return result;
}

static size_t place_of(const struct event_tables *t, const char *schema)
{
    size_t i = 0;

    while (i < t->places.len && sqlite3_stricmp(t->places.data[i].schema,
                                                schema))
        i++;
    return i;
}

static int explain(char **message, const char *text)
{
    *message = sqlite3_mprintf("%s", text);
    return SQLITE_ERROR;
}

/* argv: module, schema, table. */
static int create(sqlite3 *db, void *aux, int argc, const char *const *argv,
                  sqlite3_vtab **made, char **message)
{
    struct event_tables *t = aux;
    struct event_table *table;
    struct event_fields *fields = NULL;
    size_t place = place_of(t, argv[1]);
    int result;

    (void)argc;
    if (place == t->places.len)
        return explain(message, "not a trace");
    if (strcmp(argv[0], "topfn_event") == 0) {
        if (!open_trace(t, place))
            return explain(message, t->err.message);
        fields = event_fields_new(t->places.data[place].trace, argv[2]);
        if (!fields)
            return explain(message, "no such event");
    }
    result = declare(db, fields);
    if (result) {
        if (fields)
            event_fields_free(fields);
        return result;
    }
    table = mem_new(1, sizeof(*table));
    table->all = t;
    table->place = place;
    table->fields = fields;
    *made = &table->base;
    return SQLITE_OK;
}

/* Another function than that of xCreate, or the table would be there by the
 * name of its module. */
static int connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
                   sqlite3_vtab **made, char **message)
{
    return create(db, aux, argc, argv, made, message);
}

static int disconnect(sqlite3_vtab *base)
{
    struct event_table *table = (struct event_table *)base;

    if (table->fields)
        event_fields_free(table->fields);
    free(table);
    return SQLITE_OK;
}

static int best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
    (void)base;
    return event_plan(info);
}

/* ---- rows ---- */

static int open_rows(sqlite3_vtab *base, sqlite3_vtab_cursor **made)
{
    struct event_rows *r = mem_new(1, sizeof(*r));

    (void)base;
    *made = &r->base;
    return SQLITE_OK;
}

static struct event_table *table_of(const struct event_rows *r)
{
    return (struct event_table *)r->base.pVtab;
}

static void end_walk(struct event_rows *r)
{
    struct event_effort effort;

    if (!r->cursor)
        return;
    effort = event_cursor_effort(r->cursor);
    table_of(r)->all->effort.buffers += effort.buffers;
    table_of(r)->all->effort.skipped += effort.buffers_skipped;
    event_cursor_free(r->cursor);
    event_filter_release(&r->filter);
    event_groups_release(&r->groups);
    r->cursor = NULL;
    r->event = NULL;
}

static int close_rows(sqlite3_vtab_cursor *base)
{
    struct event_rows *r = (struct event_rows *)base;

    end_walk(r);
    free(r);
    return SQLITE_OK;
}

static int next(struct event_rows *r)
{
    struct event_fields *f = table_of(r)->fields;

    do
        r->event = event_next(r->cursor);
    while (r->event && f && !event_fields_has(f, r->event->kind));
    r->decoded = false;
    return SQLITE_OK;
}

/* All events are walked before the first row. */
static int group(struct event_rows *r, bool distinct)
{
    struct event_tables *t = table_of(r)->all;
    const struct event *e;

    for (uint64_t n = 1; (e = event_next(r->cursor)); n++) {
        event_groups_count(&r->groups, e->kind);
        if (n % LOOK_EVERY == 0 && t->is_late(t->context))
            return SQLITE_INTERRUPT;
    }
    event_groups_sort(&r->groups, r->filter.order, r->filter.orders, distinct);
    return SQLITE_OK;
}

/* A typed table is about the events of its name, whatever the conditions. */
static void narrow(struct event_filter *f, const struct event_fields *fields)
{
    if (!fields)
        return;
    f->options.events.list = fields->events;
    f->options.events.count = 1;
    if (!f->options.providers.count && fields->providers[0]) {
        f->options.providers.list = fields->providers;
        f->options.providers.count = 1;
    }
}

static int filter(sqlite3_vtab_cursor *base, int flags, const char *plan,
                  int argc, sqlite3_value **argv)
{
    struct event_rows *r = (struct event_rows *)base;
    struct event_table *table = table_of(r);

    (void)argc;
    end_walk(r);
    if (!open_trace(table->all, table->place))
        return fail(table->all, &table->base);
    event_filter_init(&r->filter, flags, plan, argv);
    narrow(&r->filter, table->fields);
    r->cursor = event_cursor_new(table->all->places.data[table->place].trace,
                                 &r->filter.options);
    r->grouped = flags & PLAN_GROUPED;
    return r->grouped ? group(r, flags & PLAN_DISTINCT) : next(r);
}

static int next_row(sqlite3_vtab_cursor *base)
{
    struct event_rows *r = (struct event_rows *)base;

    if (!r->grouped)
        return next(r);
    event_groups_next(&r->groups);
    return SQLITE_OK;
}

static int is_end(sqlite3_vtab_cursor *base)
{
    const struct event_rows *r = (const struct event_rows *)base;

    return r->grouped ? !event_groups_kind(&r->groups) : !r->event;
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *context, int i)
{
    struct event_rows *r = (struct event_rows *)base;
    struct event_fields *f = table_of(r)->fields;

    if (r->grouped) {
        kind_result(event_groups_kind(&r->groups), i, context);
        return SQLITE_OK;
    }
    if (i < EVENT_COLUMNS) {
        event_result(table_of(r)->all->places.data[table_of(r)->place].trace,
                     r->event, i, context);
        return SQLITE_OK;
    }
    if (!r->decoded)
        event_fields_read(f, r->event);
    r->decoded = true;
    event_fields_result(f, (size_t)i - EVENT_COLUMNS, context);
    return SQLITE_OK;
}

static int row_id(sqlite3_vtab_cursor *base, sqlite3_int64 *id)
{
    const struct event_rows *r = (const struct event_rows *)base;

    /* That of a group is of nothing; no plan that groups asks for it. */
    *id = r->grouped ? 0 : (sqlite3_int64)r->event->place;
    return SQLITE_OK;
}

static const sqlite3_module module = {
    .iVersion = 2,
    .xCreate = create,
    .xConnect = connect,
    .xBestIndex = best_index,
    .xDisconnect = disconnect,
    .xDestroy = disconnect,
    .xOpen = open_rows,
    .xClose = close_rows,
    .xFilter = filter,
    .xNext = next_row,
    .xEof = is_end,
    .xColumn = column,
    .xRowid = row_id,
};

/* ---- all of them ---- */

struct event_tables *event_tables_new(sqlite3 *db, int (*is_late)(void *),
                                      void *context)
{
    struct event_tables *t = mem_new(1, sizeof(*t));

    t->db = db;
    t->is_late = is_late;
    t->context = context;
    sqlite3_create_module(db, "topfn_events", &module, t);
    sqlite3_create_module(db, "topfn_event", &module, t);
    return t;
}

void event_tables_free(struct event_tables *t)
{
    for (size_t i = 0; i < t->places.len; i++)
        if (t->places.data[i].trace)
            event_trace_close(t->places.data[i].trace);
    vec_release(&t->places);
    free(t);
}

static int run(struct event_tables *t, char *sql)
{
    int result = sqlite3_exec(t->db, sql, NULL, NULL, NULL);

    sqlite3_free(sql);
    return result;
}

int event_tables_add(struct event_tables *t, const char *schema,
                     const struct query_source *source)
{
    *vec_add(&t->places) = (struct trace_place){schema, source, NULL};
    return run(t, sqlite3_mprintf("CREATE VIRTUAL TABLE %s.events"
                                  " USING topfn_events",
                                  schema));
}

/* The place a missing table is of, and its name there. */
static size_t split(const struct event_tables *t, const char **name)
{
    for (size_t i = 0; i < t->places.len; i++) {
        const char *schema = t->places.data[i].schema;
        size_t n = strlen(schema);

        if (!sqlite3_strnicmp(*name, schema, (int)n) && (*name)[n] == '.') {
            *name += n + 1;
            return i;
        }
    }
    return t->places.len;
}

static bool make(struct event_tables *t, size_t place, const char *name)
{
    return !run(t, sqlite3_mprintf("CREATE VIRTUAL TABLE %s.\"%w\""
                                   " USING topfn_event",
                                   t->places.data[place].schema, name));
}

bool event_tables_make(struct event_tables *t, const char *message)
{
    static const char missing[] = "no such table: ";
    char *name;
    const char *at;
    size_t place;
    bool made = false;

    if (strncmp(message, missing, sizeof(missing) - 1) != 0 ||
        !strchr(message, '/'))
        return false;
    name = sqlite3_mprintf("%s", message + sizeof(missing) - 1);
    at = name;
    place = split(t, &at);
    /* In those before it, too: a name without a schema means the first. */
    for (size_t i = 0; i < place && (place < t->places.len || !made); i++)
        made = make(t, i, at);
    if (place < t->places.len)
        made = make(t, place, at);
    sqlite3_free(name);
    return made;
}

void event_tables_begin(struct event_tables *t)
{
    t->effort = (struct query_effort){0};
    t->err = (struct err){0};
}

struct query_effort event_tables_effort(const struct event_tables *t)
{
    return t->effort;
}

bool event_tables_failed(const struct event_tables *t, struct err *err)
{
    if (t->err.code)
        err_set(err, t->err.code, "%s", t->err.message);
    return t->err.code;
}
