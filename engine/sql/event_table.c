#include "engine/sql/event_table.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "engine/sql/event_columns.h"
#include "engine/sql/event_plan.h"
#include "engine/sql/event_scan.h"
#include "engine/store/sql.h"

struct event_trace *event_tables_trace(struct event_tables *t, size_t place)
{
    struct trace_place *p = &t->places.data[place];

    if (!p->trace)
        p->trace = p->source->open_events(
            p->source->paths, p->source->path_count, &t->err);
    return p->trace;
}

/* ---- tables ---- */

static void declare_column(struct out *sql, const char *before,
                           const char *name, const char *type, bool hidden)
{
    char *quoted = store_sql_text("\"%w%w\" %s%s", before, name, type,
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
    for (int i = 1; f && f->has_stack && i <= EVENT_STACK_COLUMNS; i++)
        out_fmt(sql, ", \"Stack%d\" TEXT HIDDEN", i);
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
        if (!event_tables_trace(t, place))
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

static const sqlite3_module module = {
    .iVersion = 2,
    .xCreate = create,
    .xConnect = connect,
    .xBestIndex = best_index,
    .xDisconnect = disconnect,
    .xDestroy = disconnect,
    .xOpen = event_scan_open,
    .xClose = event_scan_close,
    .xFilter = event_scan_filter,
    .xNext = event_scan_next,
    .xEof = event_scan_eof,
    .xColumn = event_scan_column,
    .xRowid = event_scan_rowid,
};

/* ---- all of them ---- */

struct event_tables *event_tables_new(sqlite3 *db, int (*is_over)(void *),
                                      void *context)
{
    struct event_tables *t = mem_new(1, sizeof(*t));

    t->db = db;
    t->is_over = is_over;
    t->context = context;
    store_sql_memory(sqlite3_create_module(db, "topfn_events", &module, t));
    store_sql_memory(sqlite3_create_module(db, "topfn_event", &module, t));
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
    return run(t, store_sql_text("CREATE VIRTUAL TABLE %s.events"
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
    return !run(t, store_sql_text("CREATE VIRTUAL TABLE %s.\"%w\""
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
    name = store_sql_text("%s", message + sizeof(missing) - 1);
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
