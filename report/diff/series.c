#include <string.h>

#include "engine/base/text.h"
#include "engine/diff/series.h"
#include "engine/model/profile.h"
#include "report/header/header.h"

/* series - where functions changed in a row of recordings. */

struct series_rows {
    const struct subject *s;
    const char **between, **moved; /* by row */
};

static const struct series_point *point_of(const void *rows, size_t row)
{
    return &((const struct series_rows *)rows)->s->series->points[row];
}

static const struct diff_name *name_of(const void *rows, uint32_t unit)
{
    const struct series *s = ((const struct series_rows *)rows)->s->series;

    return &s->pairs->names.data[unit];
}

static const char *file_of(const void *rows, size_t input)
{
    const struct profile *p =
        ((const struct series_rows *)rows)->s->inputs[input].p;

    return p->trace.files.len ? strings_get(p->strings, p->trace.files.data[0])
                              : "-";
}

static struct value before(const void *rows, size_t row)
{
    return value_real(point_of(rows, row)->value[0], 2, false);
}

static struct value after(const void *rows, size_t row)
{
    return value_real(point_of(rows, row)->value[1], 2, false);
}

static struct value change(const void *rows, size_t row)
{
    const struct series_point *p = point_of(rows, row);

    return value_real(p->value[1] - p->value[0], 2, true);
}

static struct value significance(const void *rows, size_t row)
{
    return value_real(point_of(rows, row)->p, 4, false);
}

static struct value last_before(const void *rows, size_t row)
{
    return value_text(file_of(rows, point_of(rows, row)->at - 1));
}

static struct value first_after(const void *rows, size_t row)
{
    return value_text(file_of(rows, point_of(rows, row)->at));
}

static struct value between(const void *rows, size_t row)
{
    return value_text(((const struct series_rows *)rows)->between[row]);
}

static struct value moved(const void *rows, size_t row)
{
    uint32_t unit = point_of(rows, row)->moved;

    return unit == NO_ID ? value_none() : value_text(name_of(rows, unit)->name);
}

static struct value moved_shown(const void *rows, size_t row)
{
    return value_text(((const struct series_rows *)rows)->moved[row]);
}

static struct value module(const void *rows, size_t row)
{
    return value_module(name_of(rows, point_of(rows, row)->function)->module);
}

static struct value name(const void *rows, size_t row)
{
    return value_text(name_of(rows, point_of(rows, row)->function)->name);
}

static struct value label(const void *rows, size_t row)
{
    return value_name(name_of(rows, point_of(rows, row)->function)->label);
}

static const struct column columns[] = {
    {"before", "before", false, before},
    {"after", "after", false, after},
    {"change", "change", false, change},
    {"p", NULL, false, significance},
    {"last_before", NULL, false, last_before},
    {"first_after", NULL, false, first_after},
    {NULL, "between", false, between},
    {"moved", NULL, false, moved},
    {NULL, "only moved", false, moved_shown},
    {"module", "module", false, module},
    {"name", NULL, false, name},
    {"label", "function", true, label},
};

enum { COLUMNS = sizeof(columns) / sizeof(*columns) };

static const char *text_of(struct out *out, struct arena *arena)
{
    size_t n;
    const char *text = out_text(out, &n);

    text = arena_strndup(arena, text, n);
    out_close(out, NULL);
    return text;
}

static void fill(struct series_rows *rows, struct arena *arena)
{
    size_t n = rows->s->series->len;

    rows->between = arena_new(arena, const char *, n + 1);
    rows->moved = arena_new(arena, const char *, n + 1);
    for (size_t i = 0; i < n; i++) {
        const struct series_point *p = point_of(rows, i);
        struct out *out = out_memory();

        out_plain(out, path_base_name(file_of(rows, p->at - 1)));
        out_str(out, " and ");
        out_plain(out, path_base_name(file_of(rows, p->at)));
        rows->between[i] = text_of(out, arena);
        out = out_memory();
        if (p->moved != NO_ID) {
            out_str(out, p->value[1] < p->value[0] ? "to " : "from ");
            out_plain(out, name_of(rows, p->moved)->label);
        }
        rows->moved[i] = text_of(out, arena);
    }
}

static void print_head(const struct subject *s, struct out *out)
{
    const struct series *series = s->series;
    const struct series_rows rows = {.s = s};
    struct out *lines = out_memory();

    out_fmt(lines, "%zu of %zu functions changed in %zu recordings\n",
            series->changed, series->functions, s->input_count);
    if (s->input_count < SERIES_LEAST)
        out_fmt(lines, "fewer than %d recordings cannot show a change\n",
                SERIES_LEAST);
    out_str(lines, "from ");
    out_plain(lines, file_of(&rows, 0));
    out_str(lines, " to ");
    out_plain(lines, file_of(&rows, s->input_count - 1));
    out_fmt(lines, " · exclusive %s, %s\n",
            profile_unit_text(s->inputs[0].p, 0),
            series->normalize == DIFF_OTHERS
                ? "% of the total but for the change"
                : "% of the total");
    header_lines(out_text(lines, NULL), s->options, "", out);
    out_close(lines, NULL);
}

static void write_json(const struct subject *s, const struct table *table,
                       struct out *out)
{
    struct json json = report_json("series", out);
    const struct series_rows rows = {.s = s};

    json_text(&json, "normalize", diff_normalize_name(s->series->normalize));
    json_u64(&json, "functions", s->series->functions);
    json_u64(&json, "changed", s->series->changed);
    json_line(&json, 1);
    json_array(&json, "recordings");
    for (size_t i = 0; i < s->input_count; i++)
        json_text(&json, NULL, file_of(&rows, i));
    json_end(&json);
    json_line(&json, 1);
    table_json(table, &json, "points");
    report_json_end(&json);
}

static size_t choose_columns(const struct series *s,
                             struct column chosen[COLUMNS])
{
    bool any = false;
    size_t n = 0;

    for (size_t i = 0; i < s->len; i++)
        any |= s->points[i].moved != NO_ID;
    for (size_t i = 0; i < COLUMNS; i++)
        if (any || columns[i].value != moved_shown)
            chosen[n++] = columns[i];
    return n;
}

static void write_series(const struct subject *s, struct out *out)
{
    const struct report_options *o = s->options;
    size_t total = s->series->len;
    size_t count = o->rows && o->rows < total ? o->rows : total;
    struct series_rows rows = {.s = s};
    struct column chosen[COLUMNS];
    struct table table = {.columns = chosen,
                          .column_count = choose_columns(s->series, chosen),
                          .rows = &rows,
                          .row_count = count,
                          .total = total};
    struct arena arena = {0};

    fill(&rows, &arena);
    if (o->format == FORMAT_JSON) {
        write_json(s, &table, out);
    } else {
        if (o->format != FORMAT_CSV)
            print_head(s, out);
        if (o->format == FORMAT_TEXT && count)
            out_char(out, '\n');
        if (count || o->format == FORMAT_CSV)
            table_write_chosen(&table, o->columns, o->format, o->width, out);
    }
    arena_release(&arena);
}

static const struct column_set sets[] = {{columns, COLUMNS}, {NULL, 0}};

const struct report series_report = {
    .name = "series",
    .help = "recordings of a series at which functions changed",
    .about = ABOUT_SERIES,
    .takes = TAKES_SERIES | TAKES_COLUMNS,
    .columns = sets,
    .write = IN_EVERY_FORMAT(write_series),
};
