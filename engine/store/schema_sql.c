#include <string.h>

#include "engine/store/schema.h"

/* SQL of what the schema's tables describe. */

static const char *table_name(enum store_table_id table)
{
    if (table == TABLE_CODE_KINDS)
        return "code_kinds";
    return table == TABLE_NAME_CAUSES ? "name_causes"
                                      : store_tables[table].name;
}

size_t store_table_count(const struct profile *p, enum store_table_id table)
{
    if (table == TABLE_CODE_KINDS)
        return CODE_KINDS;
    return table == TABLE_NAME_CAUSES ? CAUSE_KINDS
                                      : store_tables[table].count(p);
}

/* "CREATE TABLE before.top_functions" */
static void create(const char *what, const char *schema, const char *name,
                   struct out *out)
{
    out_fmt(out, "CREATE %s %s%s%s", what, schema ? schema : "",
            schema ? "." : "", name);
}

/* "INTEGER NOT NULL REFERENCES processes" */
static void column_type(const struct store_column *c, struct out *out)
{
    bool null = c->kind == COLUMN_START || c->kind == COLUMN_END ||
                c->kind == COLUMN_REF_OR_NONE || c->kind == COLUMN_PARENT ||
                c->kind == COLUMN_BUILD_ID;

    if (c->kind == COLUMN_TEXT)
        out_str(out, "TEXT");
    else if (c->kind == COLUMN_GUID || c->kind == COLUMN_BUILD_ID)
        out_str(out, "BLOB");
    else
        out_str(out, "INTEGER");
    if (!null)
        out_str(out, " NOT NULL");
    if (c->refers)
        out_fmt(out, " REFERENCES %s", table_name(c->refers));
}

void store_table_sql(const struct store_table *t, const char *schema,
                     struct out *out)
{
    create("TABLE", schema, t->name, out);
    out_str(out, "(id INTEGER PRIMARY KEY");
    for (size_t i = 0; i < t->width; i++) {
        out_fmt(out, ", %s ", t->columns[i].name);
        column_type(&t->columns[i], out);
    }
    out_char(out, ')');
}

const struct store_made *store_made_find(const char *name)
{
    for (const struct store_made *m = store_made; m->name; m++)
        if (!strcmp(m->name, name))
            return m;
    return NULL;
}

static void view_sql(const struct store_made *m, struct out *out)
{
    out_fmt(out, " AS %s%sSELECT ", m->with ? m->with : "", m->with ? " " : "");
    for (size_t i = 0; i < m->width; i++)
        out_fmt(out, "%s%s AS %s", i ? ", " : "", m->columns[i].sql,
                m->columns[i].name);
    out_fmt(out, " %s", m->from);
}

void store_made_sql(const struct store_made *m, const char *schema,
                    struct out *out)
{
    create(m->from ? "VIEW" : "TABLE", schema, m->name, out);
    if (m->from) {
        view_sql(m, out);
        return;
    }
    for (size_t i = 0; i < m->width; i++)
        out_fmt(out, "%s%s %s", i ? ", " : "(", m->columns[i].name,
                m->columns[i].sql);
    out_char(out, ')');
}

#define ON_CHANGE(what)                                                        \
    "CREATE TRIGGER sample_groups_" what " AFTER " what                        \
    " ON samples BEGIN DELETE FROM sample_groups; END;"

const char store_samples_changed[] =
    ON_CHANGE("INSERT") ON_CHANGE("UPDATE") ON_CHANGE("DELETE");
