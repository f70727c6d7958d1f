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
#include "report/table/columns.h"
#include "report/table/table.h"
#include "report/table/text.h"

/* Below the rows of a diff: by which calls, and what was paired with what. */

/* Above the rows of a diff: the answer, what was compared, and how. */

/* ---- the answer ---- */

static bool has_time(const struct diff *d)
{
    return d->has_total &&
           (d->total_in == DIFF_WALL || d->total_in == DIFF_CPU);
}

/* Time that the recorder does not say to be the CPU's is only time. */
static const char *time_name(const struct diff *d)
{
    if (diff_measures_waits(d))
        return profile_counts_time(d->inputs[0].p) ? "time of threads"
                                                   : "running thread time";
    for (size_t i = 0; i < d->input_count; i++) {
        const char *word = profile_metric_word(d->inputs[i].p);

        if (strcmp(word, "cpu-time") != 0 && strcmp(word, "cpu-samples") != 0)
            return "time";
    }
    return "CPU time";
}

/* "+7 % CPU time per run (0 to +15 %)". One recording a side cannot tell how
 * runs differ: its interval would be too narrow. */
static void print_growth(const struct diff *d, struct out *out)
{
    struct diff_growth g = diff_growth_of(&d->total);

    out_real(out, g.change, g.decimals, true);
    out_fmt(out, " %% %s per %s", has_time(d) ? time_name(d) : diff_counted(d),
            d->total_in == DIFF_WALL ? "second" : "run");
    if (diff_is_single(d))
        return;
    out_str(out, " (");
    diff_print_interval(&g, out);
    out_char(out, ')');
}

static size_t real_rows(const struct diff *d)
{
    size_t n = 0;

    for (int v = 0; v < DIFF_CANNOT_TELL; v++)
        n += d->by_verdict[v];
    return n;
}

/* Shares stay as they were when everything takes more time. */
static bool is_alike(const struct diff *d)
{
    return d->has_total && diff_is_real(&d->total) && d->total.value[0] > 0 &&
           diff_is_share(d->options.normalize) && !real_rows(d);
}

/* A third more or less: of the smaller side, so that it is the same mirrored. */
static bool total_moved(const struct diff *d)
{
    const double *total = d->total.value;

    return d->has_total && fmin(total[0], total[1]) > 0 &&
           fmax(total[0], total[1]) > fmin(total[0], total[1]) * 4 / 3;
}

bool diff_shares_mislead(const struct diff *d)
{
    return diff_is_share(d->options.normalize) &&
           (d->too_few || total_moved(d)) && d->sides[0].total &&
           d->sides[1].total;
}

static void print_count(size_t n, const char *one, const char *many,
                        const char **between, struct out *out)
{
    if (!n)
        return;
    out_str(out, *between);
    out_grouped(out, n);
    out_fmt(out, " %s", n == 1 ? one : many);
    *between = ", ";
}

/* "2 regressions, 1 improvement, 1 new"; "2 with more share" where a larger
 * share need not be more time. */
static void print_real(const struct diff *d, struct out *out)
{
    const char *between = "", *measure = diff_measure_name(d);
    bool plain = !diff_shares_mislead(d);
    char more[100], less[100];

    snprintf(more, sizeof(more), "with more %s", measure);
    snprintf(less, sizeof(less), "with less %s", measure);
    print_count(d->by_verdict[DIFF_SLOWER], plain ? "regression" : more,
                plain ? "regressions" : more, &between, out);
    print_count(d->by_verdict[DIFF_FASTER], plain ? "improvement" : less,
                plain ? "improvements" : less, &between, out);
    print_count(d->by_verdict[DIFF_NEW], "new", "new", &between, out);
    print_count(d->by_verdict[DIFF_GONE], "gone", "gone", &between, out);
    if (!*between)
        out_str(out, "no significant change");
    else if (diff_is_single(d))
        out_str(out, " in these two recordings");
}

void diff_print_summary(const struct diff *d, struct out *out)
{
    if (is_alike(d)) {
        out_str(out, "everything alike: ");
        print_growth(d, out);
        out_fmt(out, "; no %s stands out",
                d->options.paths ? "call path"
                                 : rank_title(d->options.by, d->options.field));
        return;
    }
    print_real(d, out);
    if (d->has_total && d->total.value[0] > 0) {
        out_str(out, "; total ");
        print_growth(d, out);
    }
}

const char *diff_per_run_name(const struct diff *d)
{
    if (d->knows_time)
        return "time per run";
    return profile_counts_bytes(d->inputs[0].p) ? "bytes per run"
                                                : "count per run";
}

/* Why shares alone are not the answer. */
static void print_misleading(const struct diff *d, struct out *out)
{
    if (!diff_shares_mislead(d))
        return;
    if (d->too_few)
        out_fmt(out,
                "fewer than %d functions have %d samples on both sides: when "
                "one grows, the shares of the others shrink",
                OTHERS_LEAST, OTHERS_SAMPLES);
    else
        out_str(out, "the total changed by more than a third: a function with "
                     "less share may still have grown");
    out_fmt(out, "; compare '%s', too\n", diff_per_run_name(d));
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

        out_str(out, "left out: ");
        out_plain(out, profile_file(odd->input->p));
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
    case RANK_VALUE:
        return "values";
    default:
        return d->options.paths ? "call paths" : "functions";
    }
}

void diff_print_total_change(const struct diff *d, struct out *out)
{
    if (d->total.value[0] > 0) {
        print_growth(d, out);
        out_str(out, ", ");
    }
    diff_print_total_amounts(d, out);
}

/* "total: 3,418 → 3,674 ms of CPU time per run", a line. */
static void print_total(const struct diff *d, struct out *out)
{
    out_str(out, "total: ");
    diff_print_total_amounts(d, out);
    if (has_time(d))
        out_fmt(out, " of %s", time_name(d));
    out_fmt(out, " per %s\n", d->total_in == DIFF_WALL ? "second" : "run");
}

/* ---- what was compared ---- */

static const char *what_of(const struct diff_input *input, struct arena *arena)
{
    struct out *out = out_memory();

    header_what(input->p, input->sel, true, 0, out);
    return out_close_to(out, arena);
}

/* Counts the inputs of each side that look like input `i`; the others are done
 * with. */
static void take_alike(const struct diff *d, const char **texts, size_t i,
                       size_t count[2])
{
    count[0] = count[1] = 0;
    for (size_t j = 0; j < d->input_count; j++) {
        if (!texts[j] || strcmp(texts[i], texts[j]) != 0)
            continue;
        count[d->inputs[j].after]++;
        if (j != i)
            texts[j] = NULL;
    }
}

static void print_side(const struct diff *d, bool after,
                       const struct report_options *shown, const char **texts,
                       struct out *out)
{
    for (size_t i = 0; i < d->input_count; i++) {
        size_t n[2];

        if (!texts[i] || d->inputs[i].after != after)
            continue;
        take_alike(d, texts, i, n);
        out_str(out, n[0] && n[1] ? "BEFORE and AFTER  "
                     : after      ? "AFTER   "
                                  : "BEFORE  ");
        if (n[0] > 1 || n[1] > 1)
            out_fmt(out, "%zu recordings · ", n[0] > n[1] ? n[0] : n[1]);
        header_what(d->inputs[i].p, d->inputs[i].sel, true, text_limit(shown),
                    out);
    }
}

/* True if the side's recordings differ: then they are many lines. */
static bool differ(const struct diff *d, bool after, const char **texts)
{
    const char *first = NULL;

    for (size_t i = 0; i < d->input_count; i++) {
        if (d->inputs[i].after != after)
            continue;
        if (first && strcmp(first, texts[i]) != 0)
            return true;
        first = texts[i];
    }
    return false;
}

/* "a1.data to a5.data". */
static void print_files(const char *first, const char *last, size_t count,
                        size_t width, struct out *out)
{
    struct arena scratch = {0};

    out_plain(out, width ? shorten_path(first, width, &scratch) : first);
    if (strcmp(first, last) != 0) {
        out_str(out, count > 2 ? " to " : " and ");
        out_plain(out, width ? shorten_path(last, width, &scratch) : last);
    }
    arena_release(&scratch);
}

/* "AFTER   5 recordings, a1.data to a5.data · CPU samples every 1 ms · 3,598 to
 * 3,732 samples each". */
static void print_many(const struct diff *d, bool after,
                       const struct report_options *shown, struct out *out)
{
    const struct diff_input *first = NULL, *last = NULL;
    uint64_t least = UINT64_MAX, most = 0;
    size_t n = 0;

    for (size_t i = 0; i < d->input_count; i++) {
        uint64_t samples = d->inputs[i].sel->samples;

        if (d->inputs[i].after != after)
            continue;
        first = first ? first : &d->inputs[i];
        last = &d->inputs[i];
        least = samples < least ? samples : least;
        most = samples > most ? samples : most;
        n++;
    }
    out_fmt(out, "%s%zu recordings, ", after ? "AFTER   " : "BEFORE  ", n);
    print_files(profile_file(first->p), profile_file(last->p), n,
                text_limit(shown) / 4, out);
    out_str(out, " · ");
    header_metric(first->p, first->sel, true, out);
    out_str(out, " · ");
    if (least < most) {
        out_weight(out, first->p, least);
        out_str(out, " to ");
    }
    out_weight_unit(out, first->p, most);
    out_str(out, " each\n");
}

/* One line for recordings that look alike, and for both sides when they do. */
static void print_inputs(const struct diff *d,
                         const struct report_options *shown, struct out *out)
{
    struct arena scratch = {0};
    const char **texts = arena_new(&scratch, const char *, d->input_count);
    bool many[2];

    for (size_t i = 0; i < d->input_count; i++)
        texts[i] = what_of(&d->inputs[i], &scratch);
    for (int after = 0; after < 2; after++)
        many[after] = !shown->verbose && differ(d, after == 1, texts);
    for (int after = 0; after < 2; after++) {
        if (many[after])
            print_many(d, after == 1, shown, out);
        else
            print_side(d, after == 1, shown, texts, out);
    }
    if (diff_measures_waits(d))
        out_fmt(out, "waiting threads count in the rows%s\n",
                profile_counts_time(d->inputs[0].p)
                    ? ""
                    : ", not in the total");
    arena_release(&scratch);
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
            unit == DIFF_OTHERS  ? "% scaled by the functions without a change"
            : unit == DIFF_TOTAL ? "% of the total"
                                 : diff_unit_name(d, unit));
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

/* A module that got or lost its symbols looks as if it were new, and so do
 * functions that only debug information knows. */
static void print_nameless(const struct diff *d, struct out *out)
{
    const char *module = NULL;
    size_t n = 0;

    if (d->options.half_known) {
        out_str(out, "debug information in some recordings only: ");
        out_plain(out, d->options.half_known);
        out_str(out, " (inlined functions count for the function they are "
                     "inlined into)\n");
    }
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

/* Rows that their interval alone would call changed; of the rows that were
 * tested, chance alone gives one in twenty. */
static void print_perhaps(const struct diff *d, struct out *out)
{
    double chance = 0.05 * (double)d->tested;
    size_t n = 0;

    for (size_t i = 0; i < d->len; i++)
        n += !diff_is_real(&d->rows[i]) && diff_is_likely(&d->rows[i]);
    if (!n)
        return;
    out_str(out, " (");
    out_grouped(out, n);
    if (chance < 1)
        out_str(out, " perhaps; chance alone gives fewer than 1)");
    else
        out_fmt(out, " perhaps; chance alone gives about %.0f)", chance);
}

static void print_undecided(const struct diff *d, struct out *out)
{
    out_fmt(out, "%s: ", rows_name(d));
    out_grouped(out, d->by_verdict[DIFF_CANNOT_TELL]);
    out_str(out, " inconclusive");
    print_perhaps(d, out);
    out_str(out, ", ");
    out_grouped(out, d->by_verdict[DIFF_UNCHANGED]);
    out_str(out, " unchanged (within ");
    out_diff(out, d, diff_relevant(d), false, true);
    out_str(out, ")\n");
}

void diff_print_head(const struct diff *d, const struct report_options *shown,
                     struct out *out)
{
    struct filter filter = d->inputs[0].sel->filter;

    /* The runs in a joined profile are no choice of the reader's. */
    if (d->inputs[0].p->trace.inputs.len > 1)
        filter.has_time = false;
    diff_print_summary(d, out);
    out_char(out, '\n');
    print_single(d, out);
    print_misleading(d, out);
    print_odd(d, out);
    print_undecided(d, out);
    print_nameless(d, out);
    if (d->has_total)
        print_total(d, out);
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
