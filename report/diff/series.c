#include <math.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/diff/series.h"
#include "engine/model/profile.h"
#include "report/header/header.h"

/* series - where functions changed in a row of recordings. */

struct series_rows {
    const struct subject *s;
    struct arena *texts; /* that columns make */
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
    return profile_file(((const struct series_rows *)rows)->s->inputs[input].p);
}

static struct value value_of(const void *rows, double x, bool sign)
{
    const struct subject *s = ((const struct series_rows *)rows)->s;

    return s->series->normalize == DIFF_NONE
               ? value_amount(s->inputs[0].p, x, sign)
               : value_real(x, 2, sign);
}

static struct value before(const void *rows, size_t row)
{
    return value_of(rows, point_of(rows, row)->value[0], false);
}

static struct value after(const void *rows, size_t row)
{
    return value_of(rows, point_of(rows, row)->value[1], false);
}

static struct value change(const void *rows, size_t row)
{
    const struct series_point *p = point_of(rows, row);

    return value_of(rows, p->value[1] - p->value[0], true);
}

static struct value significance(const void *rows, size_t row)
{
    return value_real(point_of(rows, row)->p, 4, false);
}

static struct arena *texts_of(const void *rows)
{
    return ((const struct series_rows *)rows)->texts;
}

/* Recordings count from 1. */
static struct value range(const void *rows, size_t row)
{
    uint64_t *range = arena_new(texts_of(rows), uint64_t, 2);

    range[0] = point_of(rows, row)->range[0] + 1;
    range[1] = point_of(rows, row)->range[1] + 1;
    return value_series(range, 2);
}

/* The change of a drift by one recording, as a factor; 0: none, as it starts or
 * ends at nothing. */
static double drift_factor(const struct series_point *p)
{
    size_t steps = p->range[1] - p->range[0];

    return p->value[0] > 0 && p->value[1] > 0
               ? pow(p->value[1] / p->value[0], 1 / (double)steps)
               : 0;
}

/* In percent a recording. */
static struct value drift(const void *rows, size_t row)
{
    const struct series_point *p = point_of(rows, row);
    double factor = p->drifts ? drift_factor(p) : 0;

    return factor > 0 ? value_real(100 * (factor - 1), 2, true) : value_none();
}

/* "11 (10 to 12)"; of a drift "1 to 30" */
static struct value place(const void *rows, size_t row)
{
    const struct series_point *p = point_of(rows, row);
    struct out *out = out_memory();

    if (!p->drifts)
        out_fmt(out, "%zu", p->at + 1);
    if (p->range[0] < p->range[1])
        out_fmt(out, p->drifts ? "%zu to %zu" : " (%zu to %zu)",
                p->range[0] + 1, p->range[1] + 1);
    return value_text(out_close_to(out, texts_of(rows)));
}

static size_t last_before_of(const struct series_point *p)
{
    return p->drifts ? p->range[0] : p->at - 1;
}

static struct value last_before(const void *rows, size_t row)
{
    return value_text(file_of(rows, last_before_of(point_of(rows, row))));
}

static struct value first_after(const void *rows, size_t row)
{
    return value_text(file_of(rows, point_of(rows, row)->at));
}

static struct value between(const void *rows, size_t row)
{
    const struct series_point *p = point_of(rows, row);
    struct out *out = out_memory();

    out_plain(out, path_base_name(file_of(rows, last_before_of(p))));
    out_str(out, " and ");
    out_plain(out, path_base_name(file_of(rows, p->at)));
    return value_text(out_close_to(out, texts_of(rows)));
}

/* "+1.0 % a recording, +31 % in all" */
static struct value drift_shown(const void *rows, size_t row)
{
    const struct series_point *p = point_of(rows, row);
    double factor = p->drifts ? drift_factor(p) : 0;

    if (factor > 0)
        return value_text(arena_fmt(
            texts_of(rows), "%+.1f %% a recording, %+.0f %% in all",
            100 * (factor - 1), 100 * (p->value[1] / p->value[0] - 1)));
    return value_text(p->drifts ? "from or to nothing" : "");
}

static struct value moved(const void *rows, size_t row)
{
    uint32_t unit = point_of(rows, row)->moved;

    return unit == NO_ID ? value_none() : value_text(name_of(rows, unit)->name);
}

static struct value moved_shown(const void *rows, size_t row)
{
    const struct series_point *p = point_of(rows, row);
    struct out *out = out_memory();

    if (p->moved != NO_ID) {
        out_str(out, p->value[1] < p->value[0] ? "to " : "from ");
        out_plain(out, name_of(rows, p->moved)->label);
    }
    return value_text(out_close_to(out, texts_of(rows)));
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
    {NULL, "at", false, place},
    {"p", NULL, false, significance},
    {"range", NULL, false, range},
    {"drift", NULL, false, drift},
    {"last_before", NULL, false, last_before},
    {"first_after", NULL, false, first_after},
    {NULL, "between", false, between},
    {NULL, "drifts by", false, drift_shown},
    {"moved", NULL, false, moved},
    {NULL, "only moved", false, moved_shown},
    {"module", "module", false, module},
    {"name", NULL, false, name},
    {"label", "function", true, label},
};

enum { COLUMNS = sizeof(columns) / sizeof(*columns) };

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
    out_fmt(lines, " · exclusive %s%s\n", weight_title(s->inputs[0].p),
            series->normalize == DIFF_NONE ? " per recording"
            : series->normalize == DIFF_OTHERS
                ? ", % scaled by the functions without a change"
                : ", % of the total");
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
    bool moves = false, drifts = false;
    size_t n = 0;

    for (size_t i = 0; i < s->len; i++) {
        moves |= s->points[i].moved != NO_ID;
        drifts |= s->points[i].drifts;
    }
    for (size_t i = 0; i < COLUMNS; i++)
        if ((moves || columns[i].value != moved_shown) &&
            (drifts || columns[i].value != drift_shown))
            chosen[n++] = columns[i];
    return n;
}

static void write_series(const struct subject *s, struct out *out)
{
    const struct report_options *o = s->options;
    size_t total = s->series->len;
    size_t count = o->rows && o->rows < total ? o->rows : total;
    struct arena arena = {0};
    struct series_rows rows = {.s = s, .texts = &arena};
    struct column chosen[COLUMNS];
    struct table table = {.columns = chosen,
                          .column_count = choose_columns(s->series, chosen),
                          .rows = &rows,
                          .row_count = count,
                          .total = total};

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
