#include "engine/format/firefox/tables.h"

struct table_read table_of(const json_t *table, const char *by)
{
    const json_t *data = json_object_get(table, "data");
    struct table_read t = {.table = table};

    if (json_is_object(json_object_get(table, "schema")) &&
        json_is_array(data)) {
        t.data = data;
        t.len = json_array_size(data);
    } else {
        t.len = json_array_size(json_object_get(table, by));
    }
    return t;
}

struct column_read column_of(const struct table_read *t, const char *name)
{
    const json_t *schema = json_object_get(t->table, "schema");
    struct column_read c = {0};

    if (!t->data) {
        c.values = json_object_get(t->table, name);
        return c;
    }
    c.at = (size_t)json_get_number(schema, name, SIZE_MAX);
    c.rows = c.at == SIZE_MAX ? NULL : t->data;
    return c;
}

const json_t *column_at(const struct column_read *c, size_t row)
{
    return c->rows ? json_array_get(json_array_get(c->rows, row), c->at)
                   : json_array_get(c->values, row);
}

uint64_t column_number(const struct column_read *c, size_t row, uint64_t none)
{
    const json_t *value = column_at(c, row);
    json_int_t n = json_integer_value(value);

    return json_is_integer(value) && n >= 0 ? (uint64_t)n : none;
}
