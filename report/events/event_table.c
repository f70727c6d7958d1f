/*
 * A table of the providers of a trace and their events, with counts, rates and
 * bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/base/vec.h"
#include "report/events/events.h"
#include "report/header/header.h"
#include "report/table/text.h"

struct tally {
    const struct event_kind *kind;
    uint64_t count, bytes;
    int64_t first, last;
};

struct tallies {
    VEC(struct tally) list; /* by kind; then sorted, one a name */
    double seconds;         /* from the first event to the last */
    int64_t span;           /* the same, in ns */
    uint64_t count, bytes;
};

static void take(struct tallies *t, const struct event *e)
{
    struct tally *tally;

    while (t->list.len <= e->kind->index)
        *vec_add(&t->list) = (struct tally){.kind = NULL};
    tally = &t->list.data[e->kind->index];
    if (!tally->count++) {
        tally->kind = e->kind;
        tally->first = tally->last = e->time;
    }
    tally->bytes += e->size;
    if (e->time < tally->first)
        tally->first = e->time;
    if (e->time > tally->last)
        tally->last = e->time;
}

static int compare_names(const void *a, const void *b)
{
    const struct tally *x = a, *y = b;
    int order;

    /* Kinds without events go to the end. */
    if (!x->kind || !y->kind)
        return !x->kind - !y->kind;
    order = strcmp(x->kind->provider, y->kind->provider);
    return order ? order : strcmp(x->kind->full_name, y->kind->full_name);
}

static int compare_counts(const void *a, const void *b)
{
    const struct tally *x = a, *y = b;

    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return compare_names(a, b);
}

/* Versions and widths of one event are one row. */
static void join(struct tallies *t)
{
    size_t kept = 0;

    if (t->list.len)
        qsort(t->list.data, t->list.len, sizeof(*t->list.data),
              compare_names);
    for (size_t i = 0; i < t->list.len && t->list.data[i].kind; i++) {
        struct tally *to = kept ? &t->list.data[kept - 1] : NULL;
        const struct tally *from = &t->list.data[i];

        if (!to || compare_names(to, from)) {
            t->list.data[kept++] = *from;
            continue;
        }
        to->count += from->count;
        to->bytes += from->bytes;
        if (from->first < to->first)
            to->first = from->first;
        if (from->last > to->last)
            to->last = from->last;
    }
    t->list.len = kept;
    if (kept)
        qsort(t->list.data, kept, sizeof(*t->list.data), compare_counts);
}

static void add_up(struct tallies *t)
{
    int64_t first = INT64_MAX, last = INT64_MIN;

    for (size_t i = 0; i < t->list.len; i++) {
        const struct tally *tally = &t->list.data[i];

        t->count += tally->count;
        t->bytes += tally->bytes;
        if (tally->first < first)
            first = tally->first;
        if (tally->last > last)
            last = tally->last;
    }
    if (first >= last)
        return;
    t->seconds = ((double)last - (double)first) / 1e9;
    if (__builtin_sub_overflow(last, first, &t->span))
        t->span = INT64_MAX;
}

static const struct tally *row_of(const void *rows, size_t row)
{
    const struct tallies *t = rows;

    return &t->list.data[row];
}

static struct value count_value(const void *rows, size_t row)
{
    return value_count(row_of(rows, row)->count);
}

static struct value percent_value(const void *rows, size_t row)
{
    const struct tallies *t = rows;

    return value_percent(row_of(rows, row)->count, t->count);
}

static struct value rate_value(const void *rows, size_t row)
{
    const struct tallies *t = rows;

    if (t->seconds <= 0)
        return value_none();
    return value_real((double)row_of(rows, row)->count / t->seconds, 1,
                      false);
}

static struct value bytes_value(const void *rows, size_t row)
{
    return value_count(row_of(rows, row)->bytes);
}

static struct value provider_value(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->kind->provider);
}

static struct value event_value_of(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->kind->full_name);
}

static struct value fields_value(const void *rows, size_t row)
{
    const struct event_schema *s = row_of(rows, row)->kind->schema;
    uint64_t n = 0;

    if (!s)
        return value_none();
    for (size_t i = 0; i < s->top; i++)
        n += !s->fields[i].hidden;
    return value_count(n);
}

static void write_heading(const struct tallies *t,
                          const struct event_trace *trace, size_t width,
                          struct out *out)
{
    struct out *line = out_memory();
    struct arena scratch = {0};
    const char *file = event_trace_file(trace, 0);

    out_plain(line, width ? shorten_path(file, width / 2, &scratch) : file);
    out_fmt(line, " \302\267 %s \302\267 ", event_trace_format(trace));
    out_grouped(line, t->count);
    out_str(line, " events in ");
    print_span(line, t->span);
    out_str(line, " \302\267 ");
    out_grouped(line, t->bytes);
    out_str(line, " bytes of payload\n\n");
    wrap(out_text(line, NULL), width, out);
    arena_release(&scratch);
    out_close(line, NULL);
}

static const struct column columns[] = {
    {"events", "events", false, count_value},
    {"events_percent", "%", false, percent_value},
    {"events_per_second", "per s", false, rate_value},
    {"bytes", "bytes", false, bytes_value},
    {"fields", "fields", false, fields_value},
    {"provider", "provider", false, provider_value},
    {"event", "event", true, event_value_of},
};

enum { COLUMNS = sizeof(columns) / sizeof(*columns) };

const struct column_set event_table_columns[] = {{columns, COLUMNS},
                                                 {NULL, 0}};

void event_table_write(struct event_trace *trace,
                       const struct event_options *options,
                       const struct event_print *p, struct out *out)
{
    struct event_options quick = *options;
    struct event_cursor *c;
    struct tallies t = {.count = 0};
    struct table table = {.columns = columns,
                          .column_count = COLUMNS,
                          .rows = &t};
    const struct event *e;

    quick.stacks = false;
    quick.numbered = false;
    quick.unordered = true;
    c = event_cursor_new(trace, &quick);
    while ((e = event_next(c)))
        take(&t, e);
    event_cursor_free(c);
    join(&t);
    add_up(&t);
    table.total = t.list.len;
    table.row_count = p->limit && p->limit < t.list.len ? p->limit
                                                        : t.list.len;
    if (p->format == FORMAT_JSON) {
        struct json json = report_json("events", out);

        json_text(&json, "file", event_trace_file(trace, 0));
        json_text(&json, "format", event_trace_format(trace));
        json_u64(&json, "events", t.count);
        json_u64(&json, "bytes", t.bytes);
        json_real(&json, "seconds", t.seconds, 6);
        table_json(&table, &json, "rows");
        report_json_end(&json);
    } else {
        if (p->format == FORMAT_TEXT)
            write_heading(&t, trace, p->width, out);
        table_write_chosen(&table, p->columns, p->format, p->width, out);
    }
    vec_release(&t.list);
}
