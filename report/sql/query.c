#include "report/sql/query.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/base/hex.h"
#include "engine/sql/describe.h"
#include "report/header/header.h"
#include "report/table/text.h"

/* query_schema_write writes a paragraph for each table as text, and a row for
 * each column in other formats. */

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

void query_schema_write(const struct subject *subject, struct out *out)
{
    const struct report_options *o = subject->options;
    struct table table = {.columns = columns,
                          .column_count = sizeof(columns) / sizeof(*columns)};
    size_t count;
    struct described *rows = query_describe(&count);

    table.rows = rows;
    table.row_count = count;
    if (o->format == FORMAT_TEXT) {
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
                out_fmt(line, "%s%s · %s · %s", i ? "\n" : "", r->table,
                        r->kind, r->about);
            }
            wrap(out_text(line, NULL), o->width, out);
            out_char(out, '\n');
            out_close(line, NULL);
        }
    } else if (o->format == FORMAT_JSON) {
        struct json json = report_json("query-schema", out);

        table_json(&table, &json, "rows");
        report_json_end(&json);
    } else {
        table_write(&table, o->format, o->width, out);
    }
    free(rows);
}

struct result {
    struct query_result *query;
    struct column *columns;
    size_t width;
    struct arena texts;      /* of the row at hand, or of all */
    VEC(struct value) cells; /* the same */
    uint64_t bytes;          /* of all */
};

/* Bytes of 0 would end a text: they are shown as out_plain shows others. */
static const char *text_of(const struct query_value *v, struct arena *arena)
{
    size_t zeroes = 0, at = 0;
    char *text;

    for (size_t i = 0; i < v->len; i++)
        zeroes += !v->text[i];
    text = arena_new(arena, char, v->len + 3 * zeroes + 1);
    for (size_t i = 0; i < v->len; i++) {
        if (v->text[i])
            text[at++] = v->text[i];
        else
            at += (size_t)(stpcpy(text + at, "\\x00") - (text + at));
    }
    return text;
}

static const char *hex_of(const struct query_value *v, struct arena *arena)
{
    char *text = arena_new(arena, char, HEX_SIZE(v->len));

    hex_text(v->text, v->len, text);
    return text;
}

static struct value value_of(const struct query_value *v, struct arena *arena)
{
    switch (v->type) {
    case QUERY_NUMBER:
        return value_numeral(text_of(v, arena));
    case QUERY_TEXT:
        return value_text(text_of(v, arena));
    case QUERY_BLOB:
        return value_text(hex_of(v, arena));
    case QUERY_NULL:
        break;
    }
    return value_none();
}

static struct result *mutable(const void *rows)
{
    return *(struct result *const *)rows;
}

static struct value cell(const void *rows, size_t row, size_t column)
{
    const struct result *r = mutable(rows);

    return r->cells.data[row * r->width + column];
}

/* The row at hand, alone. */
static struct value cell_at_hand(const void *rows, size_t row, size_t column)
{
    (void)row;
    return cell(rows, 0, column);
}

static void take_row(struct result *r)
{
    for (size_t i = 0; i < r->width; i++) {
        struct query_value v = query_value(r->query, i);

        *vec_add(&r->cells) = value_of(&v, &r->texts);
        r->bytes += sizeof(struct value) + 2 * v.len;
    }
}

static bool next(const void *rows)
{
    struct result *r = mutable(rows);

    arena_reset(&r->texts);
    r->cells.len = 0;
    if (!query_step(r->query))
        return false;
    take_row(r);
    return true;
}

static void write_json(const struct table *table, struct out *out)
{
    struct json json = report_json("query", out);

    json_array(&json, "columns");
    for (size_t i = 0; i < table->column_count; i++)
        json_text(&json, NULL, table->columns[i].key);
    json_end(&json);
    table_json(table, &json, "rows");
    report_json_end(&json);
}

/* Rows as they come. */
static void stream(struct result *r, enum format format, struct out *out)
{
    struct table table = {.columns = r->columns,
                          .column_count = r->width,
                          .rows = &r,
                          .cell = cell_at_hand,
                          .next = next};

    if (format == FORMAT_JSON)
        write_json(&table, out);
    else
        table_write(&table, format, 0, out);
}

static enum err_code collect(struct result *r, uint64_t memory, struct err *err)
{
    while (query_step(r->query)) {
        take_row(r);
        if (memory && r->bytes > memory)
            return err_set(err, ERR_LIMIT,
                           "the rows exceed the memory limit of %.4g MiB "
                           "(--max-memory); --format csv needs none",
                           (double)memory / (1 << 20));
    }
    return ERR_NONE;
}

static void lay_out(struct result *r, const struct report_options *o,
                    struct out *out)
{
    struct table table = {.columns = r->columns,
                          .column_count = r->width,
                          .rows = &r,
                          .row_count = r->cells.len / r->width,
                          .cell = cell};

    table_write(&table, o->format, o->width, out);
}

enum err_code query_write(struct query_result *query,
                          const struct report_options *o, uint64_t memory,
                          struct out *out, struct err *err)
{
    struct result r = {.query = query};
    struct arena names = {0};
    enum err_code code = ERR_NONE;
    bool streams = o->format == FORMAT_JSON || o->format == FORMAT_CSV;
    struct err ended = {0};

    r.width = query_columns(r.query);
    r.columns = mem_new(r.width ? r.width : 1, sizeof(*r.columns));
    for (size_t i = 0; i < r.width; i++) {
        const char *text = query_column_name(r.query, i);
        const char *name = arena_strndup(&names, text, strlen(text));

        r.columns[i] = (struct column){
            .key = name, .header = *name ? name : " ", .stretch = true};
    }
    if (streams)
        stream(&r, o->format, out);
    else
        code = collect(&r, memory, err);
    if (query_end(query, &ended) && !code)
        code = err_set(err, ended.code, "%s", ended.message);
    if (!streams && !code && r.width)
        lay_out(&r, o, out);
    free(r.columns);
    vec_release(&r.cells);
    arena_release(&r.texts);
    arena_release(&names);
    return code;
}
