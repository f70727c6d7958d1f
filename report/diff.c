#include "report/diff.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/header.h"

/* What the columns' functions get as rows. */
struct diff_rows {
    const struct diff *d;
    const char **labels, **intervals;
};

static const struct diff_row *row_of(const void *rows, size_t row)
{
    return &((const struct diff_rows *)rows)->d->rows[row];
}

static struct value verdict(const void *rows, size_t row)
{
    return value_text(diff_verdict_name(
        (enum diff_verdict)row_of(rows, row)->verdict));
}

static struct value before(const void *rows, size_t row)
{
    return value_real(row_of(rows, row)->value[0], 2, false);
}

static struct value after(const void *rows, size_t row)
{
    return value_real(row_of(rows, row)->value[1], 2, false);
}

static struct value change(const void *rows, size_t row)
{
    return value_real(row_of(rows, row)->change, 2, true);
}

static struct value low(const void *rows, size_t row)
{
    return value_real(row_of(rows, row)->low, 2, true);
}

static struct value high(const void *rows, size_t row)
{
    return value_real(row_of(rows, row)->high, 2, true);
}

static struct value interval(const void *rows, size_t row)
{
    return value_text(((const struct diff_rows *)rows)->intervals[row]);
}

static struct value ratio(const void *rows, size_t row)
{
    const struct diff_row *r = row_of(rows, row);

    return r->samples[0] ? value_real(r->value[1] / r->value[0], 2, false)
                         : value_none();
}

static struct value q(const void *rows, size_t row)
{
    return value_real(row_of(rows, row)->q, 4, false);
}

static struct value samples_before(const void *rows, size_t row)
{
    return value_count(row_of(rows, row)->samples[0]);
}

static struct value samples_after(const void *rows, size_t row)
{
    return value_count(row_of(rows, row)->samples[1]);
}

static struct value name(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->name);
}

static struct value label(const void *rows, size_t row)
{
    return value_text(((const struct diff_rows *)rows)->labels[row]);
}

static struct value module(const void *rows, size_t row)
{
    return value_maybe(row_of(rows, row)->module);
}

static struct value rule(const void *rows, size_t row)
{
    return value_text(
        diff_rule_name((enum diff_rule)row_of(rows, row)->rule));
}

static const struct column columns[] = {
    {"verdict", "verdict", false, verdict},
    {"before", "before", false, before},
    {"after", "after", false, after},
    {"change", "change", false, change},
    {"interval_low", NULL, false, low},
    {"interval_high", NULL, false, high},
    {NULL, "95 % interval", false, interval},
    {"ratio", "ratio", false, ratio},
    {"q", "q", false, q},
    {"samples_before", NULL, false, samples_before},
    {"samples_after", NULL, false, samples_after},
    {"name", NULL, false, name},
    {NULL, "function", true, label},
    {"module", "module", false, module},
    {"pairing", NULL, false, rule},
};

enum { COLUMNS = sizeof(columns) / sizeof(*columns) };

static const char *interval_text(const struct diff_row *row,
                                 struct arena *arena)
{
    struct out *out = out_memory();
    const char *text;
    size_t n;

    print_real(out, row->low, 2, true);
    out_str(out, " to ");
    print_real(out, row->high, 2, true);
    text = out_text(out, &n);
    text = arena_strndup(arena, text, n);
    out_close(out, NULL);
    return text;
}

const char *diff_label(const struct diff *d, const struct diff_row *row,
                       struct arena *arena)
{
    const struct diff_path *paths = d->paths.list.data;
    size_t size = 1;
    char *text, *at;

    if (!d->options.paths)
        return row->name;
    for (uint32_t i = row->unit; i; i = paths[i].parent)
        size += strlen(d->pairs->names.data[paths[i].function].name) + 1;
    text = arena_new(arena, char, size);
    at = text + size - 1;
    for (uint32_t i = row->unit; i; i = paths[i].parent) {
        const char *part = d->pairs->names.data[paths[i].function].name;
        size_t n = strlen(part);

        *--at = ';';
        at -= n;
        memcpy(at, part, n);
    }
    text[size - 2] = '\0';
    return at;
}

/* Real changes, then what might be one; the others with `all`. */
size_t diff_rows_shown(const struct diff *d, const struct diff_shown *shown,
                       size_t *total)
{
    double whole = fmax(d->whole[0], d->whole[1]);
    size_t n = 0;

    while (n < d->len &&
           (shown->all || diff_is_real(&d->rows[n]) ||
            (d->rows[n].verdict == DIFF_CANNOT_TELL &&
             fabs(d->rows[n].change) > d->options.relevant / 100 * whole)))
        n++;
    *total = n;
    return shown->rows && shown->rows < n ? shown->rows : n;
}

static void print_inputs(const struct diff *d, bool after, struct out *out)
{
    for (size_t i = 0; i < d->input_count; i++) {
        if (d->inputs[i].after != after)
            continue;
        out_str(out, after ? "AFTER   " : "BEFORE  ");
        header_what(d->inputs[i].p, d->inputs[i].sel, out);
    }
}

static void print_counts(const struct diff *d, struct out *out)
{
    const char *between = "";

    for (int v = 0; v < DIFF_VERDICTS; v++) {
        out_str(out, between);
        out_grouped(out, d->by_verdict[v]);
        out_fmt(out, " %s", diff_verdict_name((enum diff_verdict)v));
        between = v == DIFF_GONE ? " · " : ", ";
    }
    out_str(out, " (within ");
    print_real(out,
               d->options.relevant / 100 * fmax(d->whole[0], d->whole[1]), 2,
               false);
    out_fmt(out, " %s)\n", diff_unit_name(d->options.normalize));
}

/* A module that got or lost its symbols looks as if it were new. */
static void print_nameless(const struct diff *d, struct out *out)
{
    const char *module = NULL;
    size_t n = 0;

    for (size_t i = 0; i < d->len; i++) {
        if (d->rows[i].rule != DIFF_NAMELESS)
            continue;
        if (!n++)
            module = d->rows[i].module;
    }
    if (!n)
        return;
    out_grouped(out, n);
    out_str(out, " of these cannot be paired: their modules have names on one "
                 "side only, such as ");
    out_plain(out, module);
    out_char(out, '\n');
}

static const char *basis_of(const struct diff_side *side, char *text,
                            size_t size)
{
    if (side->runs > 1)
        snprintf(text, size, "%zu runs", side->runs);
    else if (side->blocks)
        snprintf(text, size, "%u blocks of time", side->blocks);
    else
        snprintf(text, size, "too few samples");
    return text;
}

/* What the numbers below mean and how far they can be trusted. */
static void print_method(const struct diff *d, struct out *out)
{
    const char *unit = diff_unit_name(d->options.normalize);
    char before[40], after[40];

    out_fmt(out, "%s samples, %s; change is AFTER minus BEFORE\n",
            d->options.inclusive ? "inclusive" : "exclusive",
            d->options.normalize == DIFF_TOTAL ? "% of the side's total"
                                               : unit);
    out_fmt(out, "uncertainty from %s before, %s after\ncounts vary ",
            basis_of(&d->sides[0], before, sizeof(before)),
            basis_of(&d->sides[1], after, sizeof(after)));
    print_real(out, d->sides[0].common, 1, false);
    out_str(out, " and ");
    print_real(out, d->sides[1].common, 1, false);
    out_str(out, " times as much as those of independent samples\n");
    out_str(out, "smallest change this pair could have shown: ");
    print_real(out, d->detectable[0], 2, false);
    out_fmt(out, " %s in a function of 1 %% of the total, ", unit);
    print_real(out, d->detectable[1], 2, false);
    out_fmt(out, " %s in one of 10 %%\n", unit);
}

static void print_head(const struct diff *d, struct out *out)
{
    struct filter filter = d->inputs[0].sel->filter;

    /* The runs in a joined profile are no choice of the reader's. */
    if (d->inputs[0].p->trace.inputs.len > 1)
        filter.has_time = false;
    print_inputs(d, false, out);
    print_inputs(d, true, out);
    header_filter(&filter, out);
    print_method(d, out);
    print_counts(d, out);
    print_nameless(d, out);
}

/* Each line a paragraph, its special characters escaped. */
static void print_head_markdown(const struct diff *d, struct out *out)
{
    struct out *lines = out_memory();
    const char *text, *end;
    struct arena arena = {0};

    print_head(d, lines);
    text = out_text(lines, NULL);
    for (; (end = strchr(text, '\n')); text = end + 1) {
        out_markdown(out, arena_strndup(&arena, text, (size_t)(end - text)));
        out_str(out, "\n\n");
    }
    arena_release(&arena);
    out_close(lines, NULL);
}

static void print_rest(const struct diff *d, size_t rows, size_t total,
                       struct out *out)
{
    if (!total)
        out_str(out, "nothing changed that this pair could show\n");
    if (rows < total) {
        out_char(out, '\n');
        out_grouped(out, total - rows);
        out_str(out, " more; -n 0 shows all\n");
    } else if (total < d->len && total) {
        out_char(out, '\n');
        out_grouped(out, d->len - total);
        out_str(out, " more without a relevant change; --all shows them\n");
    }
}

static void print_table(const struct diff *d, const struct diff_shown *shown,
                        size_t rows, size_t total, struct out *out)
{
    struct arena arena = {0};
    struct diff_rows data = {.d = d};
    struct column shape[COLUMNS];
    struct table table = {shape, COLUMNS, &data, rows, total};

    memcpy(shape, columns, sizeof(shape));
    for (size_t i = 0; d->options.paths && i < COLUMNS; i++)
        if (shape[i].stretch)
            shape[i].key = "path", shape[i].header = "call path";
    data.labels = arena_new(&arena, const char *, rows + 1);
    data.intervals = arena_new(&arena, const char *, rows + 1);
    for (size_t i = 0; i < rows; i++) {
        data.labels[i] = diff_label(d, &d->rows[i], &arena);
        data.intervals[i] = interval_text(&d->rows[i], &arena);
    }
    table_write(&table, shown->format, shown->width, out);
    arena_release(&arena);
}

void diff_report(const struct diff *d, const struct diff_shown *shown,
                 struct out *out)
{
    size_t total, rows = diff_rows_shown(d, shown, &total);

    if (shown->format == FORMAT_JSON) {
        diff_json(d, shown, rows, total, out);
        return;
    }
    if (shown->format == FORMAT_TEXT) {
        print_head(d, out);
        out_char(out, '\n');
    } else if (shown->format == FORMAT_MARKDOWN) {
        print_head_markdown(d, out);
    }
    if (rows || shown->format == FORMAT_CSV)
        print_table(d, shown, rows, total, out);
    if (shown->format == FORMAT_CSV)
        return;
    print_rest(d, rows, total, out);
    diff_text_explain(d, shown, out);
    diff_text_pairs(d, shown, out);
}
