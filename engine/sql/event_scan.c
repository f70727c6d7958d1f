#include "engine/sql/event_scan.h"

#include <stdlib.h>

#include "engine/base/mem.h"
#include "engine/sql/event_columns.h"
#include "engine/sql/event_groups.h"
#include "engine/sql/event_plan.h"
#include "engine/sql/event_values.h"

struct event_rows {
    sqlite3_vtab_cursor base;
    struct event_filter filter;
    struct event_cursor *cursor;
    const struct event *event; /* NULL: behind the last */
    bool decoded;              /* its fields */
    bool grouped;              /* the plan is: rows come from these */
    struct event_groups groups;
};

static int fail(struct event_tables *t, sqlite3_vtab *table)
{
    sqlite3_free(table->zErrMsg);
    table->zErrMsg = sqlite3_mprintf("%s", t->err.message);
    return SQLITE_ERROR;
}

int event_scan_open(sqlite3_vtab *base, sqlite3_vtab_cursor **made)
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

int event_scan_close(sqlite3_vtab_cursor *base)
{
    struct event_rows *r = (struct event_rows *)base;

    end_walk(r);
    free(r);
    return SQLITE_OK;
}

/* A walk that is over ends as one does that came to the end. */
static int ended(const struct event_rows *r)
{
    const struct event_tables *t = table_of(r)->all;

    return t->is_over(t->context) ? SQLITE_INTERRUPT : SQLITE_OK;
}

static int next(struct event_rows *r)
{
    struct event_fields *f = table_of(r)->fields;

    do
        r->event = event_next(r->cursor);
    while (r->event && f && !event_fields_has(f, r->event->kind));
    r->decoded = false;
    return r->event ? SQLITE_OK : ended(r);
}

/* All events are walked before the first row. */
static int group(struct event_rows *r, bool distinct)
{
    const struct event *e;

    while ((e = event_next(r->cursor)))
        event_groups_count(&r->groups, e->kind);
    event_groups_sort(&r->groups, r->filter.order, r->filter.orders, distinct);
    return ended(r);
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

int event_scan_filter(sqlite3_vtab_cursor *base, int flags, const char *plan,
                      int argc, sqlite3_value **argv)
{
    struct event_rows *r = (struct event_rows *)base;
    struct event_table *table = table_of(r);

    (void)argc;
    end_walk(r);
    if (!event_tables_trace(table->all, table->place))
        return fail(table->all, &table->base);
    event_filter_init(&r->filter, flags, plan, argv);
    narrow(&r->filter, table->fields);
    r->filter.options.is_over = table->all->is_over;
    r->filter.options.context = table->all->context;
    r->cursor = event_cursor_new(table->all->places.data[table->place].trace,
                                 &r->filter.options);
    r->grouped = flags & PLAN_GROUPED;
    return r->grouped ? group(r, flags & PLAN_DISTINCT) : next(r);
}

int event_scan_next(sqlite3_vtab_cursor *base)
{
    struct event_rows *r = (struct event_rows *)base;

    if (!r->grouped)
        return next(r);
    event_groups_next(&r->groups);
    return SQLITE_OK;
}

int event_scan_eof(sqlite3_vtab_cursor *base)
{
    const struct event_rows *r = (const struct event_rows *)base;

    return r->grouped ? !event_groups_kind(&r->groups) : !r->event;
}

int event_scan_column(sqlite3_vtab_cursor *base, sqlite3_context *context,
                      int i)
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
    if ((size_t)i >= EVENT_COLUMNS + f->fields.len)
        event_fields_stack_result(
            f, (size_t)i - EVENT_COLUMNS - f->fields.len + 1, context);
    else
        event_fields_result(f, (size_t)i - EVENT_COLUMNS, context);
    return SQLITE_OK;
}

int event_scan_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *id)
{
    const struct event_rows *r = (const struct event_rows *)base;

    /* That of a group is of nothing; no plan that groups asks for it. */
    *id = r->grouped ? 0 : (sqlite3_int64)r->event->place;
    return SQLITE_OK;
}
