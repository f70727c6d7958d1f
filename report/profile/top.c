#include "engine/analysis/timeline.h"
#include "report/header/header.h"
#include "report/table/columns.h"

/* top - what was sampled most, grouped by --by. */

enum { WAITS_NAMED = 3 };

/* "67.6 % of samples are waiting: Thread.Sleep 15.9 %, ...". */
static void print_waits(const struct subject *s, struct out *out)
{
    uint64_t waiting = s->sel->waiting, all = s->sel->samples + waiting;
    struct filter filter = s->sel->filter;
    struct out *line = out_memory();
    struct selection *sel;
    struct ranking *r;
    size_t len = 0; /* rows with waiting samples of their own */

    filter.waits = WAITS_ALONE;
    sel = selection_new(s->p, &filter);
    r = ranking_new(s->p, sel, s->options->by, SORT_EXCLUSIVE);
    out_percent(line, waiting, all, 1);
    out_str(line, " % of samples are waiting: ");
    while (len < r->len && r->rows[len].exclusive)
        len++;
    for (size_t i = 0; i < len && i < WAITS_NAMED; i++) {
        out_str(line, i ? ", " : "");
        out_plain(line, r->rows[i].label);
        if (s->options->by == RANK_THREAD &&
            is_thread_id(r->rows[i].pid, r->rows[i].tid))
            out_fmt(line, " (%u)", (unsigned)r->rows[i].tid);
        out_char(line, ' ');
        out_percent(line, r->rows[i].exclusive, all, 1);
        out_str(line, " %");
    }
    if (len > WAITS_NAMED)
        out_fmt(line, " and %zu more", len - WAITS_NAMED);
    if (s->p->parked_threads) {
        out_str(line, "; ");
        out_count(line, s->p->parked_threads, "thread");
        out_str(line, " with one native call stack throughout counted as "
                      "waiting");
    }
    out_str(line, " (--waits counts them)\n");
    out_char(out, '\n');
    header_lines(out_text(line, NULL), s->options, "", out);
    out_close(line, NULL);
    ranking_free(r);
    selection_free(sel);
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
    out_fmt(out, " %% of %s (-n 0 shows all)\n", weight_title(s->p));
}

static void write_top(const struct subject *s, const struct table *table,
                      struct out *out)
{
    struct out *more;

    if (!format_is_for_people(s->options->format)) {
        report_table(s, "top", table, out);
        return;
    }
    more = out_memory();
    overview(s, more);
    header_text(s, out_text(more, NULL), out);
    table_write_chosen(table, s->options->columns, s->options->format,
                       s->options->width, out);
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
    struct ranking *r = ranking_top(s->p, s->sel, o->by, o->sort, o->rows);
    size_t of = r->total;
    size_t shown = o->rows && o->rows < of ? o->rows : of;
    struct ranked ranked = {.p = s->p,
                            .ranking = r,
                            .samples = s->sel->samples,
                            .period = s->sel->period,
                            .field = s->options->field};
    struct column columns[COLUMNS_MAX];
    struct table table = {.columns = columns,
                          .column_count = 0,
                          .rows = &ranked,
                          .row_count = shown,
                          .total = of};
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
    table.column_count = o->columns && o->format != FORMAT_JSON
                             ? columns_all(o->by, columns)
                             : columns_of(&ranked, o->by, shown, columns);
    write_top(s, &table, out);
    if (selection_leaves_waiting(s->sel))
        print_waits(s, out);
    if (format_is_for_people(o->format))
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
