#include "report/diff/diff.h"

#include <stdio.h>
#include <string.h>

#include "engine/diff/hints.h"
#include "engine/model/profile.h"
#include "engine/model/waits.h"
#include "report/header/header.h"
#include "report/table/columns.h"
#include "report/table/table.h"

/* The rows of a diff as a table. */

/* The columns' functions get this as their rows. */
struct diff_rows {
    const struct diff *d;
    struct arena *texts; /* that columns make */
    bool labels;         /* of functions on paths, not their names */
    /* The amounts of a run share a unit, and their arrows stand one below the
     * other. */
    double most_per_run;
    size_t per_run_width;
};

static const struct diff_row *row_of(const void *rows, size_t row)
{
    return &((const struct diff_rows *)rows)->d->rows[row];
}

static const struct diff *diff_of(const void *rows)
{
    return ((const struct diff_rows *)rows)->d;
}

static struct arena *texts_of(const void *rows)
{
    return ((const struct diff_rows *)rows)->texts;
}

static struct value verdict(const void *rows, size_t row)
{
    return value_text(
        diff_verdict_name((enum diff_verdict)row_of(rows, row)->verdict));
}

static struct value word(const void *rows, size_t row)
{
    const struct diff_row *r = row_of(rows, row);

    if (!diff_is_real(r) && diff_is_likely(r))
        return value_text("perhaps");
    return value_text(diff_verdict_word((enum diff_verdict)r->verdict));
}

static struct value before(const void *rows, size_t row)
{
    return value_diff(diff_of(rows), row_of(rows, row)->value[0], false);
}

static struct value after(const void *rows, size_t row)
{
    return value_diff(diff_of(rows), row_of(rows, row)->value[1], false);
}

static struct value change(const void *rows, size_t row)
{
    return value_diff(diff_of(rows), row_of(rows, row)->change, true);
}

static struct value low(const void *rows, size_t row)
{
    return value_diff(diff_of(rows), row_of(rows, row)->low, true);
}

static struct value high(const void *rows, size_t row)
{
    return value_diff(diff_of(rows), row_of(rows, row)->high, true);
}

static struct value interval(const void *rows, size_t row)
{
    struct diff_growth g = diff_growth_of(row_of(rows, row));
    struct out *text;

    if (!g.known)
        return value_none();
    text = out_memory();
    diff_print_interval(&g, text);
    return value_text(out_close_to(text, texts_of(rows)));
}

static struct value ratio(const void *rows, size_t row)
{
    const struct diff_row *r = row_of(rows, row);

    return r->samples[0] ? value_real(r->value[1] / r->value[0], 2, false)
                         : value_none();
}

/* In percent of before; "new" has none. */
static struct value change_shown(const void *rows, size_t row)
{
    struct diff_growth g = diff_growth_of(row_of(rows, row));
    struct out *text;

    if (!g.known)
        return value_none();
    text = out_memory();
    out_real(text, g.change, g.decimals, true);
    out_str(text, " %");
    return value_text(out_close_to(text, texts_of(rows)));
}

static struct value per_run(const void *rows, size_t row)
{
    const struct diff_rows *r = rows;
    struct diff_amounts a = diff_amounts_of(r->d, row_of(rows, row));
    struct out *text = out_memory();

    diff_print_amounts(r->d, &a, r->most_per_run, r->per_run_width, text);
    return value_text(out_close_to(text, texts_of(rows)));
}

static struct value q(const void *rows, size_t row)
{
    return value_real(row_of(rows, row)->q, 4, false);
}

/* A value that is not 0 must not be shown as 0. */
static struct value q_shown(const void *rows, size_t row)
{
    if (row_of(rows, row)->q < 0.0001)
        return value_text("<0.0001");
    return q(rows, row);
}

static struct value samples_before(const void *rows, size_t row)
{
    return value_weight(diff_of(rows)->inputs[0].p,
                        row_of(rows, row)->samples[0]);
}

static struct value samples_after(const void *rows, size_t row)
{
    return value_weight(diff_of(rows)->inputs[0].p,
                        row_of(rows, row)->samples[1]);
}

static struct value name(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->name);
}

static struct value label(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->label);
}

static struct value path(const void *rows, size_t row)
{
    const struct diff_rows *r = rows;

    return value_text(
        diff_path_text(r->d, row_of(rows, row), r->labels, r->texts));
}

/* A line of a file is none; code without lines is one row a function. */
static bool names_function(const struct diff *d, const struct diff_row *row)
{
    if (d->options.by == RANK_LINE)
        return d->groups.list.data[row->unit].is_function;
    return d->options.by == RANK_FUNCTION;
}

static struct value shown(const void *rows, size_t row)
{
    const struct diff_rows *r = rows;
    const struct diff_row *of = row_of(rows, row);

    if (r->d->options.paths)
        return path(rows, row);
    if (r->d->options.by == RANK_MODULE)
        return value_module(of->label);
    return names_function(r->d, of) ? value_name(of->label)
                                    : value_text(of->label);
}

static struct value module(const void *rows, size_t row)
{
    const char *name = row_of(rows, row)->module;

    return *name ? value_module(name) : value_none();
}

static struct value rule(const void *rows, size_t row)
{
    return value_text(diff_rule_name((enum diff_rule)row_of(rows, row)->rule));
}

static struct value hint(const void *rows, size_t row)
{
    struct out *text = out_memory();

    diff_hint_print(diff_of(rows), row_of(rows, row), text);
    return value_maybe(out_close_to(text, texts_of(rows)));
}

static struct value waits(const void *rows, size_t row)
{
    return value_flag(only_waits(row_of(rows, row)->name));
}

/* Data begins with the verdict; people read numbers, then what they are
 * about. */
static const struct column columns[] = {
    {"verdict", NULL, false, verdict},
    {NULL, "change", false, change_shown},
    {NULL, "95 % interval", false, interval},
    {"before", "before", false, before},
    {"after", "after", false, after},
    {NULL, "per run", false, per_run},
    {"change", NULL, false, change},
    {"interval_low", NULL, false, low},
    {"interval_high", NULL, false, high},
    {"ratio", NULL, false, ratio},
    {NULL, "ratio", false, ratio},
    {"q", NULL, false, q},
    {NULL, "q", false, q_shown},
    {"samples_before", NULL, false, samples_before},
    {"samples_after", NULL, false, samples_after},
    {NULL, "verdict", false, word},
    {NULL, "waits", false, waits},
    {NULL, "module", false, module},
    {"name", NULL, false, name},
    {"label", NULL, false, label},
    {"path", NULL, false, path},
    {NULL, "function", true, shown},
    {NULL, "hint", false, hint},
    {"module", NULL, false, module},
    {"pairing", NULL, false, rule},
    {"waits", NULL, false, waits},
    {"hint", NULL, false, hint},
};

enum { COLUMNS = sizeof(columns) / sizeof(*columns) };

static const struct column_set diff_columns[] = {{columns, COLUMNS}, {NULL, 0}};

static void measure_per_run(struct diff_rows *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct diff_amounts a = diff_amounts_of(rows->d, &rows->d->rows[i]);

        if (diff_amounts_most(&a) > rows->most_per_run)
            rows->most_per_run = diff_amounts_most(&a);
    }
    for (size_t i = 0; i < count; i++) {
        size_t n = strcspn(per_run(rows, i).text, " ");

        rows->per_run_width = n > rows->per_run_width ? n : rows->per_run_width;
    }
}

/* Marks stand where there are any, the data has them wherever time passes
 * that can be waited for. */
static bool has_waits(const struct column *c, const struct diff *d, size_t rows)
{
    if (!diff_measures_waits(d))
        return false;
    for (size_t i = 0; c->header && i < rows; i++)
        if (only_waits(d->rows[i].name))
            return true;
    return !c->header;
}

/* The values are those of a run already. */
static bool is_per_run(const struct diff *d)
{
    return d->options.normalize == DIFF_CPU ||
           (d->options.normalize == DIFF_NONE && !d->knows_time);
}

static bool names_functions(const struct diff *d)
{
    return d->options.by == RANK_FUNCTION || d->options.by == RANK_LINE;
}

/* A module that all rows are of is not told in each of them, unless it is all
 * that is known. */
static bool has_modules(const struct diff *d, size_t rows)
{
    for (size_t i = 0; i < rows; i++)
        if (strcmp(d->rows[i].module, d->rows[0].module) != 0 ||
            !strcmp(d->rows[i].name, NAME_NO_SYMBOLS))
            return true;
    return false;
}

/* Data have the column wherever functions are compared. */
static bool has_hints(const struct column *c, const struct diff *d, size_t rows)
{
    for (size_t i = 0; c->header && i < rows; i++)
        if (d->rows[i].hint)
            return true;
    return !c->header;
}

static bool is_chosen(const struct column *c, const struct diff *d,
                      const struct report_options *shown, size_t rows)
{
    if (c->value == waits)
        return has_waits(c, d, rows);
    if (c->value == hint)
        return has_hints(c, d, rows);
    if (c->value == path)
        return d->options.paths;
    if (c->value == q_shown || (c->value == ratio && c->header))
        return shown->verbose || shown->columns;
    if (c->value == per_run)
        return shown->columns || !is_per_run(d);
    if (c->value == module && c->header)
        return shown->columns || (names_functions(d) && has_modules(d, rows));
    return true;
}

/* Says of what the numbers below are. */
static const char *header_of(const struct column *c, const struct diff *d)
{
    bool percent = !strcmp(diff_unit_name(d, d->options.normalize), "%");

    if (c->value == word)
        return diff_measure_name(d);
    if (c->value == per_run && diff_shares_mislead(d))
        return diff_per_run_name(d);
    if (c->value == before && c->header && percent)
        return "before %";
    if (c->value == after && c->header && percent)
        return "after %";
    return c->header;
}

static size_t choose_columns(const struct diff *d,
                             const struct report_options *shown_as, size_t rows,
                             struct column chosen[COLUMNS])
{
    size_t n = 0;

    for (size_t i = 0; i < COLUMNS; i++) {
        if (!is_chosen(&columns[i], d, shown_as, rows))
            continue;
        chosen[n] = columns[i];
        if (chosen[n].stretch)
            chosen[n].header =
                d->options.paths ? "call path"
                                 : rank_title(d->options.by, d->options.field);
        if (!shown_as->columns)
            chosen[n].header = header_of(&chosen[n], d);
        n++;
    }
    return n;
}

static void diff_table(const struct diff *d, const struct report_options *shown,
                       size_t rows, size_t total, struct out *out)
{
    struct arena arena = {0};
    struct diff_rows data = {
        .d = d, .texts = &arena, .labels = shown->format != FORMAT_CSV};
    struct column chosen[COLUMNS];
    struct table table = {.columns = chosen,
                          .column_count =
                              choose_columns(d, shown, rows, chosen),
                          .rows = &data,
                          .row_count = rows,
                          .total = total};

    measure_per_run(&data, rows);
    table_write_chosen(&table, shown->columns, shown->format, shown->width,
                       out);
    arena_release(&arena);
}

/* Functions from the innermost one out. */
static void print_path(const struct diff *d, uint32_t path, bool labels,
                       struct out *out)
{
    const struct diff_path *paths = d->paths.list.data;
    VEC(uint32_t) chain = {0};

    for (; path; path = paths[path].parent)
        *vec_add(&chain) = paths[path].function;
    for (size_t i = chain.len; i-- > 0;) {
        const struct diff_name *n = &d->pairs->names.data[chain.data[i]];

        if (n->unnamed && !strcmp(n->name, NAME_NO_SYMBOLS))
            out_fmt(out, "%s ", n->module);
        out_str(out, labels ? n->label : n->name);
        out_str(out, i ? ";" : "");
    }
    vec_release(&chain);
}

const char *diff_path_text(const struct diff *d, const struct diff_row *row,
                           bool labels, struct arena *arena)
{
    struct out *out;

    if (!d->options.paths)
        return labels ? row->label : row->name;
    out = out_memory();
    print_path(d, row->unit, labels, out);
    return out_close_to(out, arena);
}

/* Real changes, then what may be one; the others with `all`. */
size_t diff_rows_shown(const struct diff *d, const struct report_options *shown,
                       size_t *total)
{
    size_t n = 0;

    while (n < d->len && (shown->all || diff_is_likely(&d->rows[n])))
        n++;
    *total = n;
    return shown->rows && shown->rows < n ? shown->rows : n;
}

enum { MODULES_SHOWN = 8 };

/* Prints the rows of modules that are shown: they tell where to look first. One
 * module alone says no more than its functions; columns that were chosen are
 * those of functions. */
static void print_modules(const struct diff *d, const struct report_options *o,
                          struct out *out)
{
    struct report_options shown = *o;
    size_t total, rows;

    if (!d || d->len < 2 || o->columns)
        return;
    shown.all = false;
    shown.rows = MODULES_SHOWN;
    rows = diff_rows_shown(d, &shown, &total);
    if (!rows)
        return;
    out_char(out, '\n');
    diff_table(d, &shown, rows, total, out);
    if (rows < total)
        out_fmt(out, "%zu more; --by module shows them\n", total - rows);
}

static void print_more(const struct diff *d, size_t rows, size_t total,
                       struct out *out)
{
    if (rows < total) {
        out_char(out, '\n');
        out_grouped(out, total - rows);
        out_str(out, " more; -n 0 shows all\n");
    } else if (total < d->len && total) {
        out_char(out, '\n');
        out_grouped(out, d->len - total);
        out_str(out, " more without a change; --all shows them\n");
    }
}

/* For a pull request: the verdict and the total in one sentence, then a table,
 * then what was compared and what the changes come from. */
static void write_markdown(const struct subject *s, struct out *out)
{
    struct report_options o = *s->options;
    const struct diff *d = s->diff;
    size_t total, rows = diff_rows_shown(d, &o, &total);
    bool modules = !d->options.paths && (d->options.by == RANK_FUNCTION ||
                                         d->options.by == RANK_LINE);
    struct out *head = out_memory();
    const char *rest;
    char names[100];

    diff_print_head(d, &o, head);
    rest = out_text(head, NULL);
    out_fmt(out, "%.*s\n\n", (int)strcspn(rest, "\n"), rest);
    rest += strcspn(rest, "\n") + 1;
    snprintf(names, sizeof(names),
             "%s,%s%schange,95 %% interval,before,after,per run,verdict",
             d->options.paths ? "call path"
                              : rank_title(d->options.by, d->options.field),
             modules ? "module," : "",
             has_hints(&(struct column){.header = "hint"}, d, rows) ? "hint,"
                                                                    : "");
    if (!o.columns)
        o.columns = names;
    if (rows)
        diff_table(d, &o, rows, total, out);
    print_more(d, rows, total, out);
    out_str(out, rows ? "\n" : "");
    o.columns = s->options->columns;
    header_lines(rest, &o, "", out);
    out_close(head, NULL);
    diff_text_explain(d, &o, out);
    if (o.verbose)
        diff_text_pairs(d, &o, out);
}

static void write_text(const struct subject *s, struct out *out)
{
    const struct report_options *o = s->options;
    size_t total, rows = diff_rows_shown(s->diff, o, &total);
    struct out *head = out_memory();

    diff_print_head(s->diff, o, head);
    header_lines(out_text(head, NULL), o, "", out);
    out_close(head, NULL);
    print_modules(s->diff->modules, o, out);
    if (rows) {
        out_char(out, '\n');
        diff_table(s->diff, o, rows, total, out);
    }
    print_more(s->diff, rows, total, out);
    diff_text_explain(s->diff, o, out);
    if (o->verbose)
        diff_text_pairs(s->diff, o, out);
}

static void write_csv(const struct subject *s, struct out *out)
{
    size_t total, rows = diff_rows_shown(s->diff, s->options, &total);

    diff_table(s->diff, s->options, rows, total, out);
}

const struct report diff_report = {
    .name = "diff",
    .help = "changes between two profiles, with confidence intervals",
    .about = ABOUT_CHANGES,
    .takes = TAKES_DIFF | TAKES_COLUMNS,
    .columns = diff_columns,
    .write = {[FORMAT_TEXT] = write_text,
              [FORMAT_JSON] = diff_json,
              [FORMAT_CSV] = write_csv,
              [FORMAT_MARKDOWN] = write_markdown},
};
