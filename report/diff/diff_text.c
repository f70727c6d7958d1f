#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/diff/explain.h"
#include "engine/diff/size_factors.h"
#include "engine/model/profile.h"
#include "engine/model/waits.h"
#include "report/diff/diff.h"
#include "report/header/header.h"
#include "report/table/table.h"
#include "report/table/text.h"

/* Below the rows of a diff: by which calls, and what was paired with what. */

/* Above the rows of a diff: the answer, what was compared, and how. */

/* ---- the answer ---- */

/* "1 with more share, 2 with less, 1 new, in these two recordings". */
static void print_real(const struct diff *d, struct out *out)
{
    const char *between = "", *measure = diff_measure_name(d);
    size_t real = 0;

    for (int v = 0; v < DIFF_CANNOT_TELL; v++) {
        size_t n = d->by_verdict[v];

        real += n;
        if (!n)
            continue;
        out_str(out, between);
        out_grouped(out, n);
        out_fmt(out, v <= DIFF_FASTER ? " with %s %s" : " %s",
                diff_verdict_word((enum diff_verdict)v), measure);
        between = ", ";
    }
    out_str(out, real ? "" : "no significant change");
    if (diff_is_single(d))
        out_str(out, real ? ", in these two recordings" : "");
}

/* Time that the recorder does not say to be the CPU's is only time. */
static const char *time_of(const struct diff *d)
{
    if (diff_measures_waits(d))
        return " of threads";
    for (size_t i = 0; i < d->input_count; i++) {
        const char *word = profile_metric_word(d->inputs[i].p);

        if (strcmp(word, "cpu-time") != 0 && strcmp(word, "cpu-samples") != 0)
            return "";
    }
    return " CPU";
}

/* Shares stay as they were when everything takes more time. */
static void print_alike(const struct diff *d, struct out *out)
{
    double before = d->total.value[0], part = before > 0 ? 100 / before : 0;

    if (!d->has_total || !diff_is_real(&d->total) || !(before > 0) ||
        !diff_is_share(d->options.normalize))
        return;
    for (int v = 0; v < DIFF_CANNOT_TELL; v++)
        if (d->by_verdict[v])
            return;
    out_str(out, "everything alike: ");
    out_real(out, d->total.change * part, 0, true);
    out_fmt(out, " %% of%s time a run; no function stands out\n", time_of(d));
}

static void print_single(const struct diff *d, struct out *out)
{
    if (diff_is_single(d))
        out_str(out, "one recording per side: two runs of one program differ, "
                     "too; record 3 or more of each, or add --history\n");
}

static void print_odd(const struct diff *d, struct out *out)
{
    for (size_t i = 0; i < d->odd.len; i++) {
        const struct diff_odd *odd = &d->odd.data[i];

        const struct profile *p = odd->input->p;

        out_str(out, "left out: ");
        out_plain(out, strings_get(p->strings, p->trace.files.data[0]));
        out_fmt(out, ", whose functions are %.0f times as far from the middle "
                     "of %s as those of its other recordings\n",
                odd->distance, odd->input->after ? "AFTER" : "BEFORE");
    }
}

static const char *rows_name(const struct diff *d)
{
    switch (d->options.by) {
    case RANK_MODULE:
        return "modules";
    case RANK_PROCESS:
        return "processes";
    case RANK_THREAD:
        return "threads";
    case RANK_FILE:
        return "files";
    case RANK_LINE:
        return "lines";
    default:
        return d->options.paths ? "call paths" : "functions";
    }
}

/* Three digits are enough to say how much it is. */
static void print_number(double x, double scale, bool sign, struct out *out)
{
    if (!sign && x >= 1000)
        out_grouped(out, (uint64_t)(x + 0.5));
    else
        out_real(out, x, scale >= 100 ? 0 : scale >= 10 ? 1 : 2, sign);
}

static bool is_time(const struct diff *d)
{
    return d->total_in == DIFF_WALL || d->total_in == DIFF_CPU;
}

/* The unit of the total, if it counts bytes or time. */
static void print_amount(const struct diff *d, double x, double most,
                         struct out *out)
{
    if (is_time(d) || value_diff(d, x, false).scale == SCALE_NONE)
        print_number(x, most, false, out);
    else
        out_diff(out, d, x, false, false);
}

void diff_print_total_values(const struct diff *d, const char *between,
                             struct out *out)
{
    const struct diff_row *row = &d->total;
    double most = fmax(row->value[0], row->value[1]);

    print_amount(d, row->value[0], most, out);
    out_str(out, between);
    print_amount(d, row->value[1], most, out);
    if (is_time(d))
        out_fmt(out, " ms%s a %s", time_of(d),
                d->total_in == DIFF_WALL ? "second" : "run");
    else if (value_diff(d, 0, false).scale == SCALE_NONE)
        out_fmt(out, " %s a run", diff_counted(d));
    else
        out_str(out, " a run");
}

void diff_print_total_change(const struct diff *d, struct out *out)
{
    const struct diff_row *row = &d->total;
    double part = 100 / row->value[0], scale;

    scale = fmax(fabs(row->change * part), (row->high - row->low) * part);
    print_number(row->change * part, 10 * scale, true, out);
    out_str(out, " % (");
    print_number(row->low * part, 10 * scale, true, out);
    out_str(out, " to ");
    print_number(row->high * part, 10 * scale, true, out);
    out_char(out, ')');
}

void diff_print_total(const struct diff *d, struct out *out)
{
    out_str(out, "total: ");
    diff_print_total_values(d, " → ", out);
    if (d->total.value[0] > 0) {
        out_str(out, ", ");
        diff_print_total_change(d, out);
    }
    out_char(out, '\n');
}

/* ---- what was compared ---- */

static char *what_of(const struct diff_input *input)
{
    struct out *out = out_memory();
    const char *what;
    char *text;
    size_t n;

    header_what(input->p, input->sel, 0, out);
    what = out_text(out, &n);
    text = text_copy(what, n);
    out_close(out, NULL);
    return text;
}

enum { LINES_A_SIDE = 3 };

static void print_side(const struct diff *d, bool after,
                       const struct report_options *shown, char **texts,
                       struct out *out)
{
    const char *side = after ? "AFTER   " : "BEFORE  ";
    size_t lines = 0, runs = 0;

    for (size_t i = 0; i < d->input_count; i++) {
        size_t n[2];

        if (!texts[i] || d->inputs[i].after != after)
            continue;
        /* How many inputs of each side look like input `i`; the others of them
         * are done with. */
        n[0] = n[1] = 0;
        for (size_t j = 0; j < d->input_count; j++) {
            if (!texts[j] || strcmp(texts[i], texts[j]) != 0)
                continue;
            n[d->inputs[j].after]++;
            if (j != i) {
                free(texts[j]);
                texts[j] = NULL;
            }
        }
        if (!shown->verbose && lines++ >= LINES_A_SIDE) {
            runs += n[after];
        } else {
            out_str(out, n[0] && n[1] ? "BEFORE and AFTER  " : side);
            if (n[0] > 1 || n[1] > 1)
                out_fmt(out, "%zu runs · ", n[0] > n[1] ? n[0] : n[1]);
            header_what(d->inputs[i].p, d->inputs[i].sel, text_limit(shown),
                        out);
        }
        free(texts[i]);
        texts[i] = NULL;
    }
    if (runs)
        out_fmt(out, "%sand %zu more\n", side, runs);
}

/* One line for runs that look alike, and for both sides when they do. */
static void print_inputs(const struct diff *d,
                         const struct report_options *shown, struct out *out)
{
    char **texts = mem_new(d->input_count, sizeof(*texts));

    for (size_t i = 0; i < d->input_count; i++)
        texts[i] = what_of(&d->inputs[i]);
    print_side(d, false, shown, texts, out);
    print_side(d, true, shown, texts, out);
    free(texts);
}

/* ---- how ---- */

static void print_basis(const struct diff *d, bool after, struct out *out)
{
    const struct diff_side *side = &d->sides[after];

    if (side->runs > 1)
        out_fmt(out, "%zu runs", side->runs);
    else if (side->blocks)
        out_fmt(out, "%u blocks of time", side->blocks);
    else
        out_str(out, "independent samples");
}

void diff_print_unit(const struct diff *d, struct out *out)
{
    enum diff_normalize unit = d->options.normalize;

    out_fmt(out, "%s %s, %s", d->options.inclusive ? "inclusive" : "exclusive",
            diff_counted(d),
            unit == DIFF_OTHERS  ? "% of the total but for the change"
            : unit == DIFF_TOTAL ? "% of the total"
                                 : diff_unit_name(d, unit));
    if (d->too_few && d->common)
        out_fmt(out, ", as only %zu function%s %d samples on both sides",
                d->common, d->common == 1 ? " has" : "s have", OTHERS_SAMPLES);
    else if (d->too_few)
        out_fmt(out, ", as no function has %d samples on both sides",
                OTHERS_SAMPLES);
}

static size_t inexact_pairs(const struct diff *d)
{
    size_t n = 0;

    for (size_t i = 0; i < d->pairs->names.len; i++)
        n += d->pairs->names.data[i].unit != i;
    return n;
}

/* One line of all that --verbose tells. */
static void print_method(const struct diff *d, struct out *out)
{
    size_t pairs = inexact_pairs(d);

    diff_print_unit(d, out);
    out_str(out, " · detection limit: ");
    out_diff(out, d, d->detectable[0], true, true);
    out_str(out, " for a function at 1 %");
    if (pairs) {
        out_str(out, " · ");
        out_grouped(out, pairs);
        out_fmt(out, " name%s paired by rules", pairs == 1 ? "" : "s");
    }
    out_str(out, " (--verbose shows more)\n");
}

static void print_statistics(const struct diff *d, struct out *out)
{
    diff_print_unit(d, out);
    out_str(out, "; change is AFTER minus BEFORE\n");
    if (d->too_few)
        out_fmt(out,
                "where fewer than %d have, shares are of the total: when one "
                "function grows, the others shrink\n",
                OTHERS_LEAST);
    out_str(out, "variance from ");
    print_basis(d, false, out);
    out_str(out, " before, ");
    print_basis(d, true, out);
    out_str(out, " after\ncounts vary ");
    out_real(out, d->sides[0].common, 1, false);
    out_str(out, " and ");
    out_real(out, d->sides[1].common, 1, false);
    out_str(out, " times as much as those of independent samples\n");
    out_str(out, "detection limit: ");
    out_diff(out, d, d->detectable[0], false, true);
    out_str(out, " for a function at 1 % of the total, ");
    out_diff(out, d, d->detectable[1], false, true);
    out_str(out, " for one at 10 %\n");
    if (diff_is_single(d)) {
        out_str(out, "functions are taken to vary by ");
        out_real(out, 100 * d->options.spread, 0, false);
        out_str(out, " % from run to run\n");
    }
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

void diff_print_head(const struct diff *d, const struct report_options *shown,
                     struct out *out)
{
    struct filter filter = d->inputs[0].sel->filter;

    /* The runs in a joined profile are no choice of the reader's. */
    if (d->inputs[0].p->trace.inputs.len > 1)
        filter.has_time = false;
    print_single(d, out);
    print_alike(d, out);
    out_fmt(out, "%s: ", rows_name(d));
    print_real(d, out);
    out_str(out, " · ");
    out_grouped(out, d->by_verdict[DIFF_CANNOT_TELL]);
    out_str(out, " inconclusive, ");
    out_grouped(out, d->by_verdict[DIFF_UNCHANGED]);
    out_str(out, " unchanged (within ");
    out_diff(out, d, diff_relevant(d), false, true);
    out_str(out, ")\n");
    print_nameless(d, out);
    if (d->has_total)
        diff_print_total(d, out);
    print_odd(d, out);
    print_inputs(d, shown, out);
    header_filter(&filter, out);
    if (shown->verbose)
        print_statistics(d, out);
    else
        print_method(d, out);
}

enum { PAIRS_SHOWN = 20 };

static void print_text(const struct report_options *shown, const char *text,
                       struct out *out)
{
    if (shown->format == FORMAT_MARKDOWN)
        out_markdown(out, text);
    else
        out_plain(out, text);
}

/* `room`: columns for the label; 0: no limit. */
static void print_function(const struct diff *d,
                           const struct report_options *shown,
                           uint32_t function, size_t room, struct out *out)
{
    const struct diff_name *n = &d->pairs->names.data[function];
    struct arena scratch = {0};

    if (n->unnamed && !strcmp(n->name, NAME_NO_SYMBOLS)) {
        print_text(shown, n->module, out);
        out_char(out, ' ');
    }
    print_text(shown, room ? shorten(n->label, room, &scratch) : n->label, out);
    arena_release(&scratch);
}

static void print_values(const struct diff *d, const struct diff_part *part,
                         struct out *out)
{
    out_str(out, "  (");
    out_diff(out, d, part->value[0], false, false);
    out_str(out, " to ");
    out_diff(out, d, part->value[1], false, false);
    out_char(out, ')');
}

static void print_part(const struct diff *d, const struct report_options *shown,
                       const struct diff_part *part, struct out *out)
{
    struct out *line = out_memory(), *values = out_memory();
    size_t n, limit = text_limit(shown), used;

    out_diff(values, d, part->change, true, false);
    out_text(values, &n);
    out_str(line, shown->format == FORMAT_MARKDOWN ? "- " : "  ");
    out_repeat(line, ' ', n < 9 ? 9 - n : 0);
    out_str(line, out_text(values, NULL));
    out_close(values, NULL);
    values = out_memory();
    print_values(d, part, values);
    out_str(line, "  ");
    if (part->kind == DIFF_PART_REST) {
        out_grouped(line, part->edges);
        out_char(line, ' ');
    }
    out_str(line, diff_part_name((enum diff_part_kind)part->kind));
    if (part->function != NO_ID) {
        out_char(line, ' ');
        used = out_columns(out_text(line, NULL)) +
               out_columns(out_text(values, NULL));
        print_function(d, shown, part->function,
                       limit > used ? limit - used : limit, line);
    }
    out_str(line, out_text(values, NULL));
    out_char(line, '\n');
    wrap(out_text(line, NULL), limit, out);
    out_close(values, NULL);
    out_close(line, NULL);
}

static void print_parts(const struct diff *d,
                        const struct report_options *shown,
                        const struct diff_row *row,
                        enum diff_direction direction, struct out *out)
{
    struct diff_explanation e = {0};
    struct out *line = out_memory();

    diff_explain(&e, d, row, direction);
    print_function(d, shown, row->function, text_limit(shown), line);
    out_str(line, ": ");
    out_diff(line, d, e.change, true, true);
    out_str(line, direction == DIFF_INSIDE ? ", by callee:\n"
                                           : ", by caller:\n");
    out_char(out, '\n');
    wrap(out_text(line, NULL), text_limit(shown), out);
    out_close(line, NULL);
    if (shown->format == FORMAT_MARKDOWN)
        out_char(out, '\n');
    for (size_t i = 0; i < e.parts.len; i++)
        print_part(d, shown, &e.parts.data[i], out);
    diff_explanation_release(&e);
}

void diff_text_explain(const struct diff *d, const struct report_options *shown,
                       struct out *out)
{
    if (d->options.paths || d->options.by != RANK_FUNCTION)
        return;
    for (size_t i = 0; i < d->len && i < shown->explain; i++) {
        if (!diff_is_real(&d->rows[i]))
            return;
        if (d->options.inclusive)
            print_parts(d, shown, &d->rows[i], DIFF_INSIDE, out);
        print_parts(d, shown, &d->rows[i], DIFF_FROM_CALLERS, out);
    }
}

static bool is_inexact(const struct diff *d, size_t name)
{
    return d->pairs->names.data[name].unit != name;
}

void diff_text_pairs(const struct diff *d, const struct report_options *shown,
                     struct out *out)
{
    const struct diff_name *names = d->pairs->names.data;
    size_t total = 0, printed = 0;
    struct out *lines;

    for (size_t i = 0; i < d->pairs->names.len; i++)
        total += is_inexact(d, i);
    if (!total)
        return;
    lines = out_memory();
    out_str(lines, "\ncompared as one function, not by exact names:\n");
    if (shown->format == FORMAT_MARKDOWN)
        out_char(lines, '\n');
    for (size_t i = 0; i < d->pairs->names.len; i++) {
        if (!is_inexact(d, i) || printed == PAIRS_SHOWN)
            continue;
        out_str(lines, shown->format == FORMAT_MARKDOWN ? "- " : "  ");
        print_text(shown, names[i].name, lines);
        out_str(lines, " = ");
        print_text(shown, names[names[i].unit].name, lines);
        out_fmt(lines, "  (%s)\n", diff_rule_name((enum diff_rule)names[i].rule));
        printed++;
    }
    if (printed < total) {
        out_str(lines, "  and ");
        out_grouped(lines, total - printed);
        out_str(lines, " more; --format json lists them\n");
    }
    wrap(out_text(lines, NULL), text_limit(shown), out);
    out_close(lines, NULL);
}
