#include <string.h>

#include "engine/analysis/timeline.h"
#include "engine/model/labels.h"
#include "engine/model/thread_states.h"
#include "report/header/header.h"
#include "report/table/columns.h"
#include "report/table/table.h"

/* timeline - samples over time, and the phases that a trace has. */

struct timeline {
    const struct subject *s;
    struct ranked ranked;
    struct over_time when;
    size_t shown;
    struct phases phases;
};

/* ---- CSV: a line for each row and part of the time ---- */

static const struct timeline *timeline_of(const void *rows)
{
    return rows;
}

static const struct rank_row *row_at(const void *rows, size_t line)
{
    const struct timeline *t = timeline_of(rows);

    return &t->ranked.ranking->rows[line / t->when.buckets];
}

static struct value from_ns(const void *rows, size_t line)
{
    const struct over_time *when = &timeline_of(rows)->when;

    return value_id((uint64_t)over_time_start(when, line % when->buckets));
}

static struct value to_ns(const void *rows, size_t line)
{
    const struct over_time *when = &timeline_of(rows)->when;

    return value_id((uint64_t)over_time_start(when, line % when->buckets + 1));
}

static struct value exclusive(const void *rows, size_t line)
{
    return value_weight(timeline_of(rows)->s->p,
                        timeline_of(rows)->when.exclusive[line]);
}

static struct value inclusive(const void *rows, size_t line)
{
    return value_weight(timeline_of(rows)->s->p,
                        timeline_of(rows)->when.inclusive[line]);
}

static struct value name(const void *rows, size_t line)
{
    return value_text(row_at(rows, line)->name);
}

static struct value label(const void *rows, size_t line)
{
    return value_text(row_at(rows, line)->label);
}

static struct value module(const void *rows, size_t line)
{
    return value_maybe(row_at(rows, line)->module);
}

static struct value pid(const void *rows, size_t line)
{
    enum rank_by by = timeline_of(rows)->s->options->by;
    uint32_t pid = row_at(rows, line)->pid;

    return (by == RANK_PROCESS || by == RANK_THREAD) && pid != NO_PID
               ? value_id(pid)
               : value_none();
}

static struct value tid(const void *rows, size_t line)
{
    const struct rank_row *row = row_at(rows, line);

    return timeline_of(rows)->s->options->by == RANK_THREAD &&
                   is_thread_id(row->pid, row->tid)
               ? value_id(row->tid)
               : value_none();
}

static struct value in_state(const void *rows, size_t line,
                             enum thread_state state)
{
    const struct timeline *t = timeline_of(rows);
    const struct over_time *when = &t->when;
    size_t row = line / when->buckets, bucket = line % when->buckets;

    if (!when->states)
        return value_none();
    return value_weight(
        t->s->p,
        when->states[(row * THREAD_STATES + state) * when->buckets + bucket]);
}

static struct value running(const void *rows, size_t line)
{
    return in_state(rows, line, THREAD_RUNNING);
}

static struct value ready(const void *rows, size_t line)
{
    return in_state(rows, line, THREAD_READY);
}

static struct value blocked(const void *rows, size_t line)
{
    return in_state(rows, line, THREAD_BLOCKED);
}

static struct value unknown(const void *rows, size_t line)
{
    return in_state(rows, line, THREAD_UNKNOWN);
}

static const struct column lines[] = {
    {"from_ns", NULL, false, from_ns},
    {"to_ns", NULL, false, to_ns},
    {"exclusive", NULL, false, exclusive},
    {"inclusive", NULL, false, inclusive},
    {"name", NULL, false, name},
    {"label", NULL, false, label},
    {"module", NULL, false, module},
    {"pid", NULL, false, pid},
    {"tid", NULL, false, tid},
    {"running", NULL, false, running},
    {"ready", NULL, false, ready},
    {"blocked", NULL, false, blocked},
    {"unknown", NULL, false, unknown},
};

/* The last columns are of the time of threads. */
enum { STATE_COLUMNS = 4 };

static void write_csv(const struct timeline *t, struct out *out)
{
    size_t n = t->shown * t->when.buckets;
    struct table table = {.columns = lines,
                          .column_count = sizeof(lines) / sizeof(*lines) -
                                          (t->when.states ? 0 : STATE_COLUMNS),
                          .rows = t,
                          .row_count = n,
                          .total = n};

    table_write_chosen(&table, t->s->options->columns, FORMAT_CSV, 0, out);
}

/* ---- for people ---- */

/* Prints a time in the form that --time takes, to a microsecond: "129.5ms". */
static void print_moment(int64_t ns, struct out *out)
{
    uint64_t us = ((uint64_t)ns + 500) / 1000;
    unsigned part = (unsigned)(us % 1000), digits = 3;

    if (ns == TIME_MIN || ns == TIME_MAX)
        return;
    out_u64(out, us / 1000);
    for (; part && part % 10 == 0; digits--)
        part /= 10;
    if (part)
        out_fmt(out, ".%0*u", (int)digits, part);
    out_str(out, "ms");
}

/* Code without a name is that of its module. */
static void print_function(const struct profile *p, uint32_t function,
                           struct out *out)
{
    struct arena scratch = {0};
    const char *label = function_label(p, function, &scratch);

    out_plain(out, label);
    if (*label == '[') {
        out_str(out, " of ");
        out_plain(out, function_module(p, function));
    }
    arena_release(&scratch);
}

static void print_phases(const struct timeline *t, struct out *out)
{
    struct out *text = out_memory();

    if (t->phases.parts.len > 1)
        out_str(text, "phases:\n");
    for (size_t i = 0; i < t->phases.parts.len && t->phases.parts.len > 1;
         i++) {
        const struct profile *p = t->s->p;

        out_str(text, "--time ");
        print_moment(t->phases.parts.data[i].from, text);
        out_char(text, ',');
        print_moment(t->phases.parts.data[i].to, text);
        out_str(text, " · ");
        out_weight_unit(text, p, t->phases.parts.data[i].samples);
        if (t->phases.parts.data[i].function != NO_ID) {
            out_str(text, " · most in ");
            print_function(p, t->phases.parts.data[i].function, text);
            out_char(text, ' ');
            out_percent(text, t->phases.parts.data[i].taken,
                        t->phases.parts.data[i].samples, 1);
            out_str(text, " %");
        }
        out_char(text, '\n');
    }
    if (t->phases.parts.len == 1)
        out_str(text, "one phase: the same functions run throughout\n");
    out_char(out, '\n');
    header_lines(out_text(text, NULL), t->s->options, "", out);
    out_close(text, NULL);
}

static void write_text(const struct timeline *t, const struct table *table,
                       struct out *out)
{
    const struct report_options *o = t->s->options;
    struct out *more = out_memory();

    out_fmt(more, "%zu intervals of ", t->when.buckets);
    print_span(more, over_time_start(&t->when, 1) - t->when.from);
    if (t->when.from) {
        out_str(more, " from ");
        print_span(more, t->when.from);
    }
    out_char(more, '\n');
    header_text(t->s, out_text(more, NULL), out);
    out_close(more, NULL);
    table_write_chosen(table, o->columns, o->format, o->width, out);
    if (t->when.states)
        header_lines("\n█ running, ▒ ready, ░ blocked, ? unknown: the state "
                     "that took most of an interval\n",
                     o, "", out);
    if (t->s->sel->samples)
        print_phases(t, out);
}

/* ---- JSON ---- */

static void json_phases(const struct timeline *t, struct json *json)
{
    const struct profile *p = t->s->p;
    struct arena scratch = {0};

    json_array(json, "phases");
    for (size_t i = 0; i < t->phases.parts.len; i++) {
        const struct phase *phase = &t->phases.parts.data[i];

        json_line(json, 2);
        json_object(json, NULL);
        json_i64(json, "from_ns",
                 phase->from == TIME_MIN ? t->when.from : phase->from);
        json_i64(json, "to_ns", phase->to == TIME_MAX ? t->when.to : phase->to);
        json_weight(json, "samples", p, phase->samples);
        json_maybe(json, "function",
                   phase->function == NO_ID
                       ? NULL
                       : function_label(p, phase->function, &scratch));
        json_weight(json, "function_samples", p, phase->taken);
        json_end(json);
    }
    json_end(json);
    arena_release(&scratch);
}

static void write_json(const struct timeline *t, const struct table *table,
                       struct out *out)
{
    struct json json = report_json("timeline", out);

    header_json(t->s->p, t->s->sel, &json);
    json_line(&json, 1);
    json_i64(&json, "from_ns", t->when.from);
    json_i64(&json, "to_ns", t->when.to);
    json_u64(&json, "buckets", t->when.buckets);
    json_array(&json, "all");
    for (size_t i = 0; i < t->when.buckets; i++)
        json_weight(&json, NULL, t->s->p, t->when.all[i]);
    json_end(&json);
    json_line(&json, 1);
    table_json(table, &json, "rows");
    json_u64(&json, "total_rows", table->total);
    json_line(&json, 1);
    json_phases(t, &json);
    report_json_end(&json);
}

/* ---- all ---- */

static void write_as(const struct timeline *t, struct out *out)
{
    const struct report_options *o = t->s->options;
    struct column columns[COLUMNS_MAX];
    struct table table = {.columns = columns,
                          .rows = &t->ranked,
                          .row_count = t->shown,
                          .total = t->ranked.ranking->total};

    table.column_count = columns_of(&t->ranked, o->by, t->shown, columns);
    if (o->format == FORMAT_CSV)
        write_csv(t, out);
    else if (o->format == FORMAT_JSON)
        write_json(t, &table, out);
    else
        write_text(t, &table, out);
}

/* Lanes of threads are as wide as the screen lets them. */
static size_t buckets_of(const struct subject *s)
{
    const struct report_options *o = s->options;

    if (o->by == RANK_THREAD && o->format == FORMAT_TEXT &&
        samples_have_waits(&s->p->samples) && o->width > o->buckets)
        return o->width;
    return o->buckets ? o->buckets : 1;
}

static void run(const struct subject *s, struct out *out)
{
    const struct report_options *o = s->options;
    struct ranking *r = ranking_top(s->p, s->sel, o->by, o->sort, o->rows);
    struct timeline t = {.s = s, .when = {.buckets = buckets_of(s)}};
    struct arena scratch = {0};

    t.shown = o->rows && o->rows < r->len ? o->rows : r->len;
    t.ranked = (struct ranked){.p = s->p,
                               .ranking = r,
                               .samples = s->sel->samples,
                               .when = &t.when,
                               .field = o->field};
    ranked_label_lives(&t.ranked, o->by, t.shown, &scratch);
    over_time_count(&t.when, s->p, s->sel, r, o->by, t.shown);
    phases_find(&t.phases, s->p, s->sel);
    write_as(&t, out);
    phases_release(&t.phases);
    over_time_release(&t.when);
    arena_release(&scratch);
    ranking_free(r);
}

static const struct column_set sets[] = {
    {lines, sizeof(lines) / sizeof(*lines)},
    {NULL, 0},
};

const struct report timeline_report = {
    .name = "timeline",
    .help = "functions over time, and phases of the recording",
    .takes = TAKES_TIMELINE | TAKES_COLUMNS,
    .columns = sets,
    .ranked_columns = true,
    .needs_times = true,
    .ranks_functions = true,
    .write = IN_EVERY_FORMAT(run),
};
