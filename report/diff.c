#include "report/diff.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/diff/others.h"
#include "engine/model/unnamed.h"
#include "report/header.h"

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
    const char *text;
    struct out *out;
    size_t n;

    if (!d->options.paths)
        return labels ? row->label : row->name;
    out = out_memory();
    print_path(d, row->unit, labels, out);
    text = out_text(out, &n);
    text = arena_strndup(arena, text, n);
    out_close(out, NULL);
    return text;
}

/* Real changes, then what might be one; the others with `all`. */
size_t diff_rows_shown(const struct diff *d, const struct report_options *shown,
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
    out_real(out, d->options.relevant / 100 * fmax(d->whole[0], d->whole[1]), 2,
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

static void print_unit(const struct diff *d, struct out *out)
{
    enum diff_normalize unit = d->options.normalize;

    out_str(out, d->options.inclusive ? "inclusive" : "exclusive");
    out_fmt(out, " samples, %s; change is AFTER minus BEFORE\n",
            unit == DIFF_OTHERS  ? "% of all but for the change"
            : unit == DIFF_TOTAL ? "% of the side's total"
                                 : diff_unit_name(unit));
    if (d->too_few)
        out_fmt(out,
                "shares of the total: %zu functions are common to both "
                "sides, fewer than the %d that a change can be told "
                "from its effect by\n",
                d->common, OTHERS_LEAST);
}

/* What the numbers below mean and how far they can be trusted. */
static void print_method(const struct diff *d, struct out *out)
{
    const char *unit = diff_unit_name(d->options.normalize);
    char before[40], after[40];

    print_unit(d, out);
    out_fmt(out, "uncertainty from %s before, %s after\ncounts vary ",
            basis_of(&d->sides[0], before, sizeof(before)),
            basis_of(&d->sides[1], after, sizeof(after)));
    out_real(out, d->sides[0].common, 1, false);
    out_str(out, " and ");
    out_real(out, d->sides[1].common, 1, false);
    out_str(out, " times as much as those of independent samples\n");
    out_str(out, "smallest change this pair could have shown: ");
    out_real(out, d->detectable[0], 2, false);
    out_fmt(out, " %s in a function of 1 %% of the total, ", unit);
    out_real(out, d->detectable[1], 2, false);
    out_fmt(out, " %s in one of 10 %%\n", unit);
    if (d->sides[0].runs == 1 && d->sides[1].runs == 1)
        out_str(out, "one recording a side: what differs from start to start "
                     "counts as a change\n");
}

static void print_total(const struct diff *d, struct out *out)
{
    const struct diff_row *row = &d->total;
    const char *unit = diff_unit_name(d->options.normalize);

    if (!d->has_total)
        return;
    out_str(out, "all samples: ");
    out_real(out, row->value[0], 2, false);
    out_str(out, " to ");
    out_real(out, row->value[1], 2, false);
    out_fmt(out, " %s, ", unit);
    out_real(out, row->change, 2, true);
    out_str(out, ", 95 % interval ");
    out_real(out, row->low, 2, true);
    out_str(out, " to ");
    out_real(out, row->high, 2, true);
    out_fmt(out, ": %s\n",
            diff_verdict_name((enum diff_verdict)row->verdict));
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
    print_total(d, out);
    print_counts(d, out);
    print_nameless(d, out);
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

static void write_text(const struct subject *s, struct out *out)
{
    const struct report_options *o = s->options;
    size_t total, rows = diff_rows_shown(s->diff, o, &total);
    struct out *head = out_memory();

    print_head(s->diff, head);
    header_lines(out_text(head, NULL), o, "", out);
    out_close(head, NULL);
    if (o->format == FORMAT_TEXT)
        out_char(out, '\n');
    if (rows)
        diff_table(s->diff, o, rows, total, out);
    print_rest(s->diff, rows, total, out);
    diff_text_explain(s->diff, o, out);
    diff_text_pairs(s->diff, o, out);
}

static void write_csv(const struct subject *s, struct out *out)
{
    size_t total, rows = diff_rows_shown(s->diff, s->options, &total);

    diff_table(s->diff, s->options, rows, total, out);
}

const struct report diff_report = {
    .name = "diff",
    .help = "what changed between two profiles, and how sure that is",
    .about = ABOUT_CHANGES,
    .takes = TAKES_DIFF,
    .write = {[FORMAT_TEXT] = write_text,
              [FORMAT_JSON] = diff_json,
              [FORMAT_CSV] = write_csv,
              [FORMAT_MARKDOWN] = write_text},
};
