#include <math.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/fleet/fleet.h"
#include "cli/terminal/print_report.h"
#include "cli/terminal/say.h"
#include "engine/diff/stats.h"
#include "engine/fleet/having.h"

/* runs: the recordings of a fleet, with labels and quality, or those that
 * stand out for a function (--has). */

struct row {
    const struct fleet_run *run;
    struct share share; /* of its samples, with the function */
};

static const struct fleet_run *row_of(const void *rows, size_t row)
{
    return ((const struct row *)rows)[row].run;
}

static const struct share *share_of(const void *rows, size_t row)
{
    return &((const struct row *)rows)[row].share;
}

static struct value time_value(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->time);
}

static struct value samples(const void *rows, size_t row)
{
    return value_count(row_of(rows, row)->samples);
}

static struct value complete(const void *rows, size_t row)
{
    const struct fleet_run *run = row_of(rows, row);

    return value_percent(run->complete, run->samples);
}

static struct value named(const void *rows, size_t row)
{
    const struct fleet_run *run = row_of(rows, row);

    return value_percent(run->samples - run->unnamed, run->samples);
}

static struct value lost_events(const void *rows, size_t row)
{
    return value_count(row_of(rows, row)->lost_events);
}

static struct value lost_buffers(const void *rows, size_t row)
{
    return value_count(row_of(rows, row)->lost_buffers);
}

static struct value skipped(const void *rows, size_t row)
{
    return value_count(row_of(rows, row)->skipped_bytes);
}

static struct value recordings(const void *rows, size_t row)
{
    return value_count(row_of(rows, row)->recordings);
}

static struct value duration(const void *rows, size_t row)
{
    return value_count(row_of(rows, row)->duration_ns);
}

static struct value host(const void *rows, size_t row)
{
    return value_maybe(row_of(rows, row)->host);
}

static struct value os(const void *rows, size_t row)
{
    return value_maybe(row_of(rows, row)->os);
}

static struct value format(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->format);
}

static struct value metric(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->metric);
}

static struct value labels(const void *rows, size_t row)
{
    return value_maybe(row_of(rows, row)->labels);
}

static struct value file(const void *rows, size_t row)
{
    return value_path(row_of(rows, row)->file);
}

static struct value hash(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->hash);
}

static struct value share(const void *rows, size_t row)
{
    const struct share *s = share_of(rows, row);

    return value_percent(s->part, s->whole);
}

static struct value apart(const void *rows, size_t row)
{
    return value_real(share_of(rows, row)->apart, 1, true);
}

static struct value stands_out(const void *rows, size_t row)
{
    return value_flag(share_of(rows, row)->stands_out);
}

static const struct column columns[] = {
    {"time", "time", false, time_value},
    {"samples", "samples", false, samples},
    {"complete_percent", "complete", false, complete},
    {"named_percent", "named", false, named},
    {"lost_events", "lost", false, lost_events},
    {"lost_buffers", NULL, false, lost_buffers},
    {"skipped_bytes", NULL, false, skipped},
    {"duration_ns", NULL, false, duration},
    {"recordings", NULL, false, recordings},
    {"host", "host", false, host},
    {"os", NULL, false, os},
    {"format", NULL, false, format},
    {"metric", NULL, false, metric},
    {"labels", "labels", false, labels},
    {"run", NULL, false, hash},
    {"file", "file", true, file},
};

static const struct column columns_of_function[] = {
    {"share_percent", "share", false, share},
    {"apart", "apart", false, apart},
    {"stands_out", NULL, false, stands_out},
    {"time", "time", false, time_value},
    {"samples", "samples", false, samples},
    {"host", "host", false, host},
    {"labels", "labels", false, labels},
    {"run", NULL, false, hash},
    {"file", "file", true, file},
};

struct runs_subject {
    struct subject subject;
    struct fleet_runs runs;
    const char *has; /* the function; NULL: none is asked for */
    double usual;    /* share of it */
    size_t apart;    /* how many stand out */
    struct row *rows;
};

/* ---- order ---- */

static int by_distance(const void *x, const void *y)
{
    const struct row *a = x, *b = y;
    double first = fabs(a->share.apart), second = fabs(b->share.apart);

    if (first != second)
        return first < second ? 1 : -1;
    return (a->run > b->run) - (a->run < b->run);
}

static void fill_rows(struct runs_subject *s)
{
    size_t n = s->runs.all.len;
    struct share *shares = mem_new(n, sizeof(*shares));

    for (size_t i = 0; i < n; i++)
        shares[i] = (struct share){.part = s->runs.all.data[i].having,
                                   .whole = s->runs.all.data[i].samples};
    s->usual = outliers_find(shares, n);
    s->rows = mem_new(n, sizeof(*s->rows));
    for (size_t i = 0; i < n; i++) {
        s->rows[i] = (struct row){&s->runs.all.data[i], shares[i]};
        s->apart += shares[i].stands_out;
    }
    free(shares);
    if (s->has && n)
        qsort(s->rows, n, sizeof(*s->rows), by_distance);
}

/* ---- what is written ---- */

static struct table table_of(const struct runs_subject *s)
{
    struct table table = {
        .columns = columns,
        .column_count = sizeof(columns) / sizeof(*columns),
        .rows = s->rows,
        .row_count = s->runs.all.len,
        .total = s->runs.all.len,
    };

    if (s->has) {
        table.columns = columns_of_function;
        table.column_count =
            sizeof(columns_of_function) / sizeof(*columns_of_function);
    }
    return table;
}

static void write_table(const struct subject *subject, struct out *out)
{
    struct table table = table_of((const void *)subject);

    table_write(&table, subject->options->format, subject->options->width, out);
}

/* For people, of a function: those that stand out, or the first few. */
static void write_text(const struct subject *subject, struct out *out)
{
    enum { FEW = 5 };
    const struct runs_subject *s = (const void *)subject;
    struct table table = table_of(s);
    size_t shown = s->apart ? s->apart : FEW;

    if (s->has) {
        out_fmt(out, "%s: %.1f %% of a usual run; of %zu ", s->has,
                100 * s->usual, s->runs.all.len);
        if (s->apart)
            out_fmt(out, "%zu stand%s out\n\n", s->apart,
                    s->apart == 1 ? "s" : "");
        else
            out_str(out, "none stands out\n\n");
        if (table.row_count > shown)
            table.row_count = shown;
    }
    table_write(&table, subject->options->format, subject->options->width, out);
}

static void write_json(const struct subject *subject, struct out *out)
{
    const struct runs_subject *s = (const void *)subject;
    struct table table = table_of(s);
    struct json json = json_to(out);

    json_object(&json, NULL);
    json_text(&json, "schema", "topfn.runs/1");
    if (s->has) {
        json_text(&json, "function", s->has);
        json_real(&json, "usual_percent", 100 * s->usual, 2);
    }
    table_json(&table, &json, "rows");
    json_end(&json);
    out_char(out, '\n');
}

static const struct report runs_report = {
    .name = "runs",
    .write = {[FORMAT_TEXT] = write_text,
              [FORMAT_JSON] = write_json,
              [FORMAT_CSV] = write_table,
              [FORMAT_MARKDOWN] = write_table},
};

static enum status list(void *context, struct fleet *f,
                        const struct fleet_question *q,
                        const struct options *o)
{
    struct runs_subject s = {.subject = {.options = &o->report}, .has = o->has};
    struct err err = {0};
    enum status status;

    (void)context;
    if (fleet_runs(f, q, &s.runs, &err) ||
        (o->has && fleet_having(f, q, o->has, &s.runs, &err))) {
        say("%s", err.message);
        status = status_of_input(err.code);
    } else {
        fill_rows(&s);
        status = print_report(&runs_report, &s.subject, o);
    }
    free(s.rows);
    fleet_runs_release(&s.runs);
    return status;
}

static enum status run(const struct command *command, const struct options *o,
                       const char *const *files, size_t count)
{
    (void)command;
    if (count > 1) {
        say("runs is about one fleet");
        return STATUS_USAGE;
    }
    return fleet_do(files[0], o, list, NULL);
}

const struct command runs_command = {
    .name = "runs",
    .arguments = "FLEET",
    .help = "the recordings of a fleet, with labels and quality",
    .takes = USE_FLEET | USE_RUNS | USE_WRITING,
    .run = run,
    .report = &runs_report,
};
