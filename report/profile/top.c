#include "engine/analysis/timeline.h"
#include "engine/model/waits.h"
#include "report/header/header.h"
#include "report/table/columns.h"

/* top - what was sampled most, grouped by --by. */

enum { WAITS_NAMED = 3 };

/* "67.6 % of samples are waiting: Thread.Sleep 15.9 %, ...": rows after the first `running`. */
static void print_waits(const struct subject *s, const struct ranking *r,
                        size_t running, struct out *out)
{
    struct out *line = out_memory();
    uint64_t sum = 0;

    for (size_t i = running; i < r->len; i++)
        sum += r->rows[i].exclusive;
    out_percent(line, sum, s->sel->samples, 1);
    out_str(line, " % of samples are waiting: ");
    for (size_t i = running; i < r->len && i < running + WAITS_NAMED; i++) {
        out_str(line, i == running ? "" : ", ");
        out_plain(line, r->rows[i].label);
        out_char(line, ' ');
        out_percent(line, r->rows[i].exclusive, s->sel->samples, 1);
        out_str(line, " %");
    }
    if (r->len > running + WAITS_NAMED)
        out_fmt(line, " and %zu more", r->len - running - WAITS_NAMED);
    out_str(line, " (--waits shows them as rows)\n");
    if (sum) {
        out_char(out, '\n');
        header_lines(out_text(line, NULL), s->options, "", out);
    }
    out_close(line, NULL);
}

/* A list that was cut says what it leaves out. */
static void print_rest(const struct subject *s, const struct ranking *r,
                       size_t shown, size_t of, struct out *out)
{
    uint64_t samples = s->sel->samples, rest = samples;

    if (shown == of)
        return;
    for (size_t i = 0; i < r->len; i++)
        if (i < shown || i >= of)
            rest -= r->rows[i].exclusive;
    out_char(out, '\n');
    out_grouped(out, of - shown);
    out_str(out, of - shown == 1 ? " more row, " : " more rows, ");
    out_percent(out, rest, samples, 1);
    out_fmt(out, " %% of %s (-n 0 shows all)\n",
            profile_counts_time(s->p) ? "time" : profile_unit_text(s->p, 0));
}

static bool is_for_people(const struct report_options *o)
{
    return o->format == FORMAT_TEXT || o->format == FORMAT_MARKDOWN;
}

/* True if functions that only wait stand apart from those that run. */
static bool sets_waits_apart(const struct subject *s)
{
    return is_for_people(s->options) && !s->options->waits &&
           s->options->by == RANK_FUNCTION && measures_wall_clock(s->p);
}

static void write_top(const struct subject *s, const struct table *table,
                      struct out *out)
{
    struct out *more;

    if (!is_for_people(s->options)) {
        report_table(s, "top", table, out);
        return;
    }
    more = out_memory();
    overview(s, more);
    header_text(s, out_text(more, NULL), out);
    table_write(table, s->options->format, s->options->width, out);
    out_close(more, NULL);
}

/* Columns that leave room for bars, and for them beside a series. */
enum { WIDTH_OF_BARS = 120, WIDTH_WITH_SERIES = 140 };

/* Counts of the column that shows when rows ran. */
enum { BUCKETS_OF_WHEN = 32 };

/* For the first `count` rows. */
static uint64_t largest(const struct ranking *r, size_t count)
{
    uint64_t most = 0;

    for (size_t i = 0; i < r->len && i < count; i++)
        if (r->rows[i].exclusive > most)
            most = r->rows[i].exclusive;
    return most;
}

static uint64_t *add_up(const struct ranking *r, struct arena *scratch)
{
    uint64_t *sums = arena_new(scratch, uint64_t, r->len), sum = 0;

    for (size_t i = 0; i < r->len; i++)
        sums[i] = sum += r->rows[i].exclusive;
    return sums;
}

static void run(const struct subject *s, struct out *out)
{
    const struct report_options *o = s->options;
    bool apart = sets_waits_apart(s);
    struct ranking *r =
        ranking_top(s->p, s->sel, o->by, o->sort, apart ? 0 : o->rows);
    size_t of = apart ? waits_last(r) : r->total;
    size_t shown = o->rows && o->rows < of ? o->rows : of;
    struct ranked ranked = {.p = s->p,
                            .ranking = r,
                            .samples = s->sel->samples,
                            .period = s->sel->period};
    struct column columns[COLUMNS_MAX];
    struct table table = {.columns = columns,
                          .column_count = 0,
                          .rows = &ranked,
                          .row_count = shown,
                          .total = of,
                          .chosen = o->columns != NULL};
    struct over_time when = {.buckets = BUCKETS_OF_WHEN};
    struct arena scratch = {0};

    ranked_label_lives(&ranked, o->by, shown, &scratch);
    if (o->format == FORMAT_TEXT &&
        o->width >= (o->when ? WIDTH_WITH_SERIES : WIDTH_OF_BARS))
        ranked.most = largest(r, shown);
    if (o->cumulative)
        ranked.sums = add_up(r, &scratch);
    if (o->when) {
        over_time_count(&when, s->p, s->sel, r, o->by, shown);
        ranked.when = &when;
    }
    table.column_count =
        o->columns && o->format != FORMAT_JSON
            ? columns_chosen(o->by, o->columns, &scratch, columns)
            : columns_of(&ranked, o->by, shown, columns);
    write_top(s, &table, out);
    if (apart)
        print_waits(s, r, of, out);
    if (is_for_people(o))
        print_rest(s, r, shown, of, out);
    over_time_release(&when);
    arena_release(&scratch);
    ranking_free(r);
}

const struct report top_report = {
    .name = "top",
    .help = "functions (or modules, processes, ...) by samples",
    .takes = TAKES_RANK | TAKES_WHEN | TAKES_COLUMNS,
    .ranked_columns = true,
    .ranks_functions = true,
    .write = IN_EVERY_FORMAT(run),
};
