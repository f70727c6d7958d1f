/*
 * The table `spans`: what events of a trace start and stop, found when a
 * statement first reads it.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "engine/events/schema.h"
#include "engine/sql/event_columns.h"
#include "engine/sql/query_impl.h"
#include "engine/sql/virtual_table.h"
#include "engine/store/sql.h"

/* clang-format off */
const struct event_column span_columns[SPAN_COLUMNS] = {
    [SPAN_NAME] = {"name", "TEXT", "GC of GC/Start", 0, 0},
    [SPAN_START] = {"start", "REAL", "seconds since the start of the trace", 0, 0},
    [SPAN_END] = {"end", "REAL", "the same; NULL: no event stops it", 0, 0},
    [SPAN_DURATION] = {"duration", "REAL", "seconds, or NULL", 0, 0},
    [SPAN_PID] = {"pid", "INTEGER", "process id", 0, 0},
    [SPAN_TID] = {"tid", "INTEGER", "id of the thread that starts it", 0, 0},
    [SPAN_ACTIVITY] = {"activity", "TEXT", "GUID in braces, or NULL", 0, 0},
    [SPAN_PROVIDER] = {"provider", "TEXT", "name of the provider, or its GUID", 0, 0},
    [SPAN_EVENT] = {"event", "TEXT", "the event that starts it", 0, 0},
};
/* clang-format on */

struct span_table {
    struct virtual_table base;
    struct query *q;
    struct place *place;
};

struct span_rows {
    struct virtual_cursor base;
    size_t row;
};

static const struct span_table *span_table_of(const struct span_rows *r)
{
    return (const struct span_table *)r->base.base.pVtab;
}

static struct virtual_table *make_span_table(void *context, const char *module,
                                             const char *schema,
                                             const char *name,
                                             struct out *columns,
                                             const char **message)
{
    struct query *q = context;
    struct place *place = query_place(q, schema);
    struct span_table *table;

    (void)module, (void)name;
    *message = "not a trace";
    if (!place)
        return NULL;
    for (int i = 0; i < SPAN_COLUMNS; i++)
        out_fmt(columns, "%s\"%s\" %s", i ? ", " : "", span_columns[i].name,
                span_columns[i].type);
    table = mem_new(1, sizeof(*table));
    table->q = q;
    table->place = place;
    return &table->base;
}

static void unmake_span_table(struct virtual_table *table)
{
    free(table);
}

/* ---- plans: every row is walked, in no groups ---- */

static const char *span_column_name(const struct virtual_table *table,
                                    int column)
{
    (void)table;
    return span_columns[column].name;
}

static int span_order(const struct virtual_table *table,
                      sqlite3_index_info *info)
{
    (void)table;
    info->orderByConsumed = info->nOrderBy == 1 &&
                            info->aOrderBy[0].iColumn == SPAN_START &&
                            !info->aOrderBy[0].desc;
    return 0;
}

/* ---- walks ---- */

static void end_spans(struct virtual_cursor *cursor)
{
    (void)cursor;
}

static int begin_spans(struct virtual_cursor *base, int flags,
                       const struct virtual_condition *conditions, size_t count)
{
    struct span_rows *r = (struct span_rows *)base;
    const struct span_table *table = span_table_of(r);
    struct place *place = table->place;

    (void)flags, (void)conditions, (void)count;
    if (!place->spans.names) {
        if (!place_open_events(table->q, place)) {
            sqlite3_vtab *t = r->base.base.pVtab;

            sqlite3_free(t->zErrMsg);
            t->zErrMsg = sqlite3_mprintf("%s", table->q->trace_err.message);
            return SQLITE_ERROR;
        }
        event_spans_find(&place->spans, place->trace, query_is_over, table->q);
        if (query_is_over(table->q)) {
            event_spans_release(&place->spans);
            place->spans = (struct event_spans){0};
            return SQLITE_INTERRUPT;
        }
    }
    r->row = 0;
    base->at_end = !place->spans.list.len;
    return SQLITE_OK;
}

static int next_span(struct virtual_cursor *base)
{
    struct span_rows *r = (struct span_rows *)base;

    base->at_end = ++r->row >= span_table_of(r)->place->spans.list.len;
    return SQLITE_OK;
}

static void give_seconds(sqlite3_context *context, int64_t ns, bool known)
{
    if (known)
        sqlite3_result_double(context, (double)ns / 1e9);
    else
        sqlite3_result_null(context);
}

static void give_id(sqlite3_context *context, uint32_t id)
{
    if (id == EVENT_UNKNOWN)
        sqlite3_result_null(context);
    else
        sqlite3_result_int64(context, id);
}

static void give_text(sqlite3_context *context, const char *text)
{
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static void give_span_value(struct virtual_cursor *base,
                            sqlite3_context *context, int column)
{
    const struct span_rows *r = (const struct span_rows *)base;
    const struct event_spans *spans = &span_table_of(r)->place->spans;
    const struct event_span *s = &spans->list.data[r->row];
    char text[40];

    switch (column) {
    case SPAN_NAME:
        give_text(context, strings_get(spans->names, s->name));
        break;
    case SPAN_START:
        give_seconds(context, s->start, true);
        break;
    case SPAN_END:
        give_seconds(context, s->end, !s->open);
        break;
    case SPAN_DURATION:
        give_seconds(context, s->end - s->start, !s->open);
        break;
    case SPAN_PID:
        give_id(context, s->pid);
        break;
    case SPAN_TID:
        give_id(context, s->tid);
        break;
    case SPAN_PROVIDER:
        give_text(context, s->kind->provider);
        break;
    case SPAN_EVENT:
        give_text(context, s->kind->full_name);
        break;
    default:
        if (s->has_activity)
            event_guid_text(text, s->activity);
        if (s->has_activity)
            give_text(context, text);
    }
}

static sqlite3_int64 span_row_id(const struct virtual_cursor *base)
{
    return (sqlite3_int64)((const struct span_rows *)base)->row;
}

static const struct virtual_kind span_kind = {
    .cursor_size = sizeof(struct span_rows),
    .make = make_span_table,
    .unmake = unmake_span_table,
    .name = span_column_name,
    .order = span_order,
    .begin = begin_spans,
    .next = next_span,
    .end = end_spans,
    .value = give_span_value,
    .id = span_row_id,
};

void span_tables_init(struct query *q)
{
    virtual_tables_add(q->db, "topfn_spans", &span_kind, q);
}

int span_tables_add(struct query *q, const struct place *place)
{
    char *sql = store_sql_text("CREATE VIRTUAL TABLE %s.spans USING "
                               "topfn_spans",
                               place->name);
    int result = sqlite3_exec(q->db, sql, NULL, NULL, NULL);

    sqlite3_free(sql);
    return result;
}
