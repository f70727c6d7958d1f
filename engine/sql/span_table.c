/*
 * The table `spans`: what events of a trace start and stop, found when a
 * statement first reads it.
 */
#include "engine/events/schema.h"
#include "engine/sql/event_columns.h"
#include "engine/sql/query_impl.h"
#include "engine/sql/virtual_table.h"

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

struct span_rows {
    struct virtual_cursor base;
    size_t row;
};

static const struct virtual_table *span_table_of(const struct span_rows *r)
{
    return (const struct virtual_table *)r->base.base.pVtab;
}

static const char *declare_span_table(struct virtual_table *table,
                                      const char *module, const char *name,
                                      struct out *columns)
{
    (void)table, (void)module, (void)name;
    for (int i = 0; i < SPAN_COLUMNS; i++)
        out_fmt(columns, "%s\"%s\" %s", i ? ", " : "", span_columns[i].name,
                span_columns[i].type);
    return NULL;
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

static int begin_spans(struct virtual_cursor *base, int flags,
                       const struct virtual_condition *conditions, size_t count)
{
    struct span_rows *r = (struct span_rows *)base;
    struct virtual_table *table = (struct virtual_table *)base->base.pVtab;
    struct place *place = table->place;

    (void)flags, (void)conditions, (void)count;
    if (!place->spans.names) {
        if (!place_open_events(table->q, place))
            return virtual_events_failed(table);
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

static struct virtual_value span_value(struct virtual_cursor *base, int column)
{
    const struct span_rows *r = (const struct span_rows *)base;
    const struct event_spans *spans = &span_table_of(r)->place->spans;
    const struct event_span *s = &spans->list.data[r->row];
    struct virtual_value v = virtual_null();

    switch (column) {
    case SPAN_NAME:
        return virtual_text(strings_get(spans->names, s->name));
    case SPAN_START:
        return virtual_seconds(s->start);
    case SPAN_END:
        return s->open ? v : virtual_seconds(s->end);
    case SPAN_DURATION:
        return s->open ? v : virtual_seconds(s->end - s->start);
    case SPAN_PID:
        return virtual_unless(s->pid, EVENT_UNKNOWN);
    case SPAN_TID:
        return virtual_unless(s->tid, EVENT_UNKNOWN);
    case SPAN_PROVIDER:
        return virtual_text(s->kind->provider);
    case SPAN_EVENT:
        return virtual_text(s->kind->full_name);
    default:
        return event_guid_value(s->has_activity ? s->activity : NULL);
    }
}

static sqlite3_int64 span_row_id(const struct virtual_cursor *base)
{
    return (sqlite3_int64)((const struct span_rows *)base)->row;
}

const struct virtual_kind span_table_kind = {
    .cursor_size = sizeof(struct span_rows),
    .table_size = sizeof(struct virtual_table),
    .declare = declare_span_table,
    .name = span_column_name,
    .order = span_order,
    .begin = begin_spans,
    .next = next_span,
    .value = span_value,
    .id = span_row_id,
};
