#include "report/fleet/runs.h"

#include "report/header/header.h"

/* runs: the recordings of a fleet, with labels and quality. */

static const struct fleet_run *row_of(const void *rows, size_t row)
{
    return &((const struct fleet_run *)rows)[row];
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

static const struct column columns[] = {
    {"time", "time", false, time_value},
    {"samples", "samples", false, samples},
    {"complete_percent", "complete", false, complete},
    {"named_percent", "named", false, named},
    {"lost_events", "lost", false, lost_events},
    {"lost_buffers", NULL, false, lost_buffers},
    {"skipped_bytes", NULL, false, skipped},
    {"duration_ns", NULL, false, duration},
    {"host", "host", false, host},
    {"os", NULL, false, os},
    {"format", NULL, false, format},
    {"metric", NULL, false, metric},
    {"labels", "labels", false, labels},
    {"run", NULL, false, hash},
    {"file", "file", true, file},
};

static struct table table_of(const struct subject *subject)
{
    const struct runs_subject *s = (const void *)subject;

    return (struct table){
        .columns = columns,
        .column_count = sizeof(columns) / sizeof(*columns),
        .rows = s->runs.all.data,
        .row_count = s->runs.all.len,
        .total = s->runs.all.len,
    };
}

static void write_table(const struct subject *subject, struct out *out)
{
    struct table table = table_of(subject);

    table_write(&table, subject->options->format, subject->options->width, out);
}

static void write_json(const struct subject *subject, struct out *out)
{
    struct table table = table_of(subject);
    struct json json = report_json("runs", out);

    table_json(&table, &json, "rows");
    report_json_end(&json);
}

const struct report runs_report = {
    .name = "runs",
    .write = {[FORMAT_TEXT] = write_table,
              [FORMAT_JSON] = write_json,
              [FORMAT_CSV] = write_table,
              [FORMAT_MARKDOWN] = write_table},
};
