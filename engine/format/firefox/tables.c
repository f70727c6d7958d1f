#include "engine/format/firefox/tables.h"

struct table_read table_of(struct json_value table, const char *by)
{
    struct json_value data = json_member(table, "data");
    struct table_read t = {.table = table};

    if (json_is_object(json_member(table, "schema")) && json_is_array(data)) {
        t.data = data;
        t.len = json_length(data);
    } else {
        t.len = json_length(json_member(table, by));
    }
    return t;
}

struct column_read column_of(const struct table_read *t, const char *name)
{
    struct json_value schema = json_member(t->table, "schema");
    struct column_read c = {0};

    if (!json_is_there(t->data)) {
        c.values = json_member(t->table, name);
        return c;
    }
    c.at = (size_t)json_get_number(schema, name, SIZE_MAX);
    if (c.at != SIZE_MAX)
        c.rows = t->data;
    return c;
}

bool table_has(const struct table_read *t, const char *column)
{
    struct column_read c = column_of(t, column);

    return json_is_there(json_is_there(t->data) ? c.rows : c.values);
}

struct json_value column_at(const struct column_read *c, size_t row)
{
    return json_is_there(c->rows)
               ? json_element(json_element(c->rows, row), c->at)
               : json_element(c->values, row);
}

uint64_t column_number(const struct column_read *c, size_t row, uint64_t none)
{
    return json_whole_of(column_at(c, row), none);
}

uint64_t table_number(const struct table_read *t, const char *column,
                      uint64_t row)
{
    struct column_read c = column_of(t, column);

    return column_number(&c, (size_t)row, UINT64_MAX);
}

uint64_t table_flagged(const struct table_read *t, const char *column,
                       uint64_t row, uint64_t flag)
{
    uint64_t flags =
        table_has(t, "flags") ? table_number(t, "flags", row) : flag;

    return flags & flag ? table_number(t, column, row) : UINT64_MAX;
}
