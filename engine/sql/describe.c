#include "engine/sql/describe.h"

#include <string.h>

#include "engine/base/vec.h"
#include "engine/sql/event_columns.h"
#include "engine/store/schema.h"

struct description {
    VEC(struct described) rows;
};

static void add(struct description *d, const char *table, const char *kind,
                const char *column, const char *type, const char *about)
{
    *vec_add(&d->rows) = (struct described){table, kind, column, type, about};
}

/* The type of a column: the first word after its name. */
static const char *type_of(const char *sql)
{
    static const char *const types[] = {"INTEGER", "TEXT", "BLOB", "REAL"};

    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
        if (!strncmp(sql, types[i], strlen(types[i])))
            return types[i];
    return NULL;
}

static void add_made(struct description *d, const struct store_made *m)
{
    const char *kind = m->from ? "view" : "table";

    add(d, m->name, kind, NULL, NULL, m->about);
    for (size_t i = 0; i < m->width; i++)
        add(d, m->name, kind, m->columns[i].name,
            m->from ? NULL : type_of(m->columns[i].sql), m->columns[i].about);
}

static const char *stored_type(enum column_kind kind)
{
    if (kind == COLUMN_TEXT)
        return "TEXT";
    return kind == COLUMN_GUID || kind == COLUMN_BUILD_ID ? "BLOB" : "INTEGER";
}

static void add_stored(struct description *d, const struct store_table *t)
{
    add(d, t->name, "table", NULL, NULL, t->about);
    add(d, t->name, "table", "id", "INTEGER", "row id");
    for (size_t i = 0; i < t->width; i++)
        add(d, t->name, "table", t->columns[i].name,
            stored_type(t->columns[i].kind), t->columns[i].about);
}

static void add_events(struct description *d)
{
    static const char typed[] = "Provider/Event";

    add(d, "events", "events", NULL, NULL,
        "events of a trace; a database has none");
    for (size_t i = 0; i < EVENT_COLUMNS; i++)
        add(d, "events", "events", event_columns[i].name,
            event_columns[i].type, event_columns[i].about);
    add(d, "spans", "events", NULL, NULL,
        "times from an event that starts something to the one that stops it");
    for (size_t i = 0; i < SPAN_COLUMNS; i++)
        add(d, "spans", "events", span_columns[i].name, span_columns[i].type,
            span_columns[i].about);
    add(d, typed, "events", NULL, NULL,
        "events of one name; a column for each field, then those of events");
}

struct described *query_describe(size_t *count)
{
    struct description d = {.rows = {0}};

    for (const struct store_made *m = store_made; m->name; m++)
        if (m->from)
            add_made(&d, m);
    add_events(&d);
    for (size_t i = 0; i < STORE_TABLES; i++)
        add_stored(&d, &store_tables[i]);
    for (const struct store_made *m = store_made; m->name; m++)
        if (!m->from)
            add_made(&d, m);
    *count = d.rows.len;
    return d.rows.data;
}
