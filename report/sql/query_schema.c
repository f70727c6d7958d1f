#include <stdlib.h>
#include <string.h>

#include "engine/sql/describe.h"
#include "report/sql/query.h"
#include "report/table/wrap.h"

/* What query_schema_write writes: in text a paragraph for each table, else a
 * row for each column. */

enum { NAME_WIDTH = 24 };

static const struct described *row_of(const void *rows, size_t row)
{
    return &((const struct described *)rows)[row];
}

static struct value table_name(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->table);
}

static struct value kind(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->kind);
}

static struct value column_name(const void *rows, size_t row)
{
    return value_maybe(row_of(rows, row)->column);
}

static struct value type(const void *rows, size_t row)
{
    return value_maybe(row_of(rows, row)->type);
}

static struct value about(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->about);
}

static const struct column columns[] = {
    {.key = "table", .header = "table", .value = table_name},
    {.key = "kind", .header = "kind", .value = kind},
    {.key = "column", .header = "column", .value = column_name},
    {.key = "type", .header = "type", .value = type},
    {.key = "about", .header = "about", .value = about},
};

static void write_text(const struct described *rows, size_t count,
                       size_t width, struct out *out)
{
    struct out *line;

    for (size_t i = 0; i < count; i++) {
        const struct described *r = &rows[i];

        line = out_memory();
        if (r->column) {
            out_str(line, "  ");
            out_cell(line, r->column, NAME_WIDTH, true);
            out_fmt(line, "%s%s%s", r->type ? r->type : "",
                    r->type ? ": " : "", r->about);
        } else {
            out_fmt(line, "%s%s · %s · %s", i ? "\n" : "", r->table, r->kind,
                    r->about);
        }
        wrap(out_text(line, NULL), width, out);
        out_char(out, '\n');
        out_close(line, NULL);
    }
}

void query_schema_write(const struct report_options *o, struct out *out)
{
    struct table table = {.columns = columns,
                          .column_count = sizeof(columns) / sizeof(*columns)};
    size_t count;
    struct described *rows = query_describe(&count);
    struct json json = json_to(out);

    table.rows = rows;
    table.row_count = count;
    if (o->format == FORMAT_TEXT) {
        write_text(rows, count, o->width, out);
    } else if (o->format == FORMAT_JSON) {
        json_object(&json, NULL);
        json_text(&json, "schema", "topfn.query-schema/1");
        table_json(&table, &json, "rows");
        json_end(&json);
        out_char(out, '\n');
    } else {
        table_write(&table, o->format, o->width, out);
    }
    free(rows);
}
