#include "report/profile/gc.h"

#include <stdlib.h>
#include <string.h>

#include "report/header/header.h"

/* gc: the garbage collections of .NET and Java, one row each. */

typedef VEC(const struct collection *) collections;

/* Adds those in the processes and the time that are selected. */
static void select_collections(const struct profile *p,
                               const struct selection *sel, collections *list)
{
    const struct filter *f = &sel->filter;
    bool *wanted = filter_wanted_processes(p, f);

    for (size_t i = 0; i < p->collections.len; i++) {
        const struct collection *c = &p->collections.data[i];
        bool in_time =
            !f->has_time || (c->start >= f->from && c->start < f->to);

        if (in_time && (!wanted || wanted[c->process]))
            *vec_add(list) = c;
    }
    free(wanted);
}

static bool of_one_process(const collections *list)
{
    for (size_t i = 1; i < list->len; i++)
        if (list->data[i]->process != list->data[0]->process)
            return false;
    return true;
}

struct collection_sums collection_sums(const struct profile *p,
                                       const struct selection *sel)
{
    int64_t span = selection_duration(p, sel);
    struct collection_sums sums = {0};
    collections list = {0};

    select_collections(p, sel, &list);
    sums.count = list.len;
    for (size_t i = 0; i < list.len; i++) {
        const struct collection *c = list.data[i];

        if (c->generation < GENERATIONS_TOLD)
            sums.by_generation[c->generation]++;
        if (c->paused == COLLECTION_UNKNOWN)
            continue;
        sums.paused += c->paused;
        if (c->longest > sums.longest)
            sums.longest = c->longest;
    }
    if (of_one_process(&list) && span > 0)
        sums.span = (uint64_t)span;
    vec_release(&list);
    return sums;
}

void print_collections(const struct collection_sums *sums, struct out *out)
{
    const char *between = " (";

    out_count(out, sums->count, "garbage collection");
    for (int i = 0; i < GENERATIONS_TOLD; i++) {
        if (!sums->by_generation[i])
            continue;
        out_str(out, between);
        out_grouped(out, sums->by_generation[i]);
        out_fmt(out, " gen %d", i);
        between = ", ";
    }
    out_str(out, *between == ',' ? ")" : "");
    if (!sums->paused)
        return;
    out_str(out, ", ");
    print_span(out, (int64_t)sums->paused);
    out_str(out, " paused");
    if (sums->span) {
        out_str(out, " (");
        out_percent(out, sums->paused, sums->span, 1);
        out_str(out, " %)");
    }
    if (sums->count > 1) {
        out_str(out, ", longest ");
        print_span(out, (int64_t)sums->longest);
    }
}

void print_compiling(const struct profile *p, bool tiers, struct out *out)
{
    const struct trace_fact *methods = profile_fact_named(p, FACT_COMPILED);
    const struct trace_fact *ns = profile_fact_named(p, FACT_COMPILING);
    const char *between = " (";

    if (!methods)
        return;
    out_count(out, methods->number, "method");
    out_str(out, " compiled");
    if (ns) {
        out_str(out, " in ");
        print_span(out, (int64_t)ns->number);
    }
    for (size_t i = 0; tiers && i < p->trace.facts.len; i++) {
        const struct trace_fact *f = &p->trace.facts.data[i];
        const char *name = strings_get(p->strings, f->name);

        if (strncmp(name, FACT_COMPILED ", ", sizeof(FACT_COMPILED ", ") - 1) !=
            0)
            continue;
        out_str(out, between);
        out_grouped(out, f->number);
        out_fmt(out, " %s", name + sizeof(FACT_COMPILED ", ") - 1);
        between = ", ";
    }
    out_str(out, *between == ',' ? ")" : "");
}

/* ---- rows ---- */

struct rows {
    const struct profile *p;
    collections shown;
};

static const struct collection *row_of(const void *rows, size_t row)
{
    return ((const struct rows *)rows)->shown.data[row];
}

static struct value known(uint64_t number, enum value_scale scale)
{
    struct value v = value_count(number);

    v.scale = scale;
    v.whole = 1;
    return number == COLLECTION_UNKNOWN ? value_none() : v;
}

static struct value number(const void *rows, size_t row)
{
    return value_id(row_of(rows, row)->number);
}

static struct value start(const void *rows, size_t row)
{
    return known((uint64_t)row_of(rows, row)->start, SCALE_TIME);
}

static struct value process(const void *rows, size_t row)
{
    const struct rows *r = rows;

    return value_text(process_label(r->p, row_of(rows, row)->process));
}

static struct value pid(const void *rows, size_t row)
{
    const struct rows *r = rows;

    return value_id(r->p->processes.data[row_of(rows, row)->process].pid);
}

static struct value generation(const void *rows, size_t row)
{
    uint8_t oldest = row_of(rows, row)->generation;

    return oldest == COLLECTION_NO_GENERATION ? value_none() : value_id(oldest);
}

static struct value kind(const void *rows, size_t row)
{
    return value_maybe(collection_kind(row_of(rows, row)->kind));
}

static struct value reason(const void *rows, size_t row)
{
    return value_maybe(collection_reason(row_of(rows, row)->reason));
}

static struct value pause(const void *rows, size_t row)
{
    return known(row_of(rows, row)->paused, SCALE_TIME);
}

static struct value lasted(const void *rows, size_t row)
{
    return known(row_of(rows, row)->lasted, SCALE_TIME);
}

static struct value before(const void *rows, size_t row)
{
    return known(row_of(rows, row)->before, SCALE_BYTES);
}

static struct value after(const void *rows, size_t row)
{
    return known(row_of(rows, row)->after, SCALE_BYTES);
}

static struct value promoted(const void *rows, size_t row)
{
    return known(row_of(rows, row)->promoted, SCALE_BYTES);
}

static const struct column columns[] = {
    {"number", "gc", false, number},
    {"start_ns", "start", false, start},
    {"process", "process", true, process},
    {"pid", NULL, false, pid},
    {"generation", "gen", false, generation},
    {"kind", "kind", false, kind},
    {"reason", "reason", false, reason},
    {"pause_ns", "pause", false, pause},
    {"duration_ns", NULL, false, lasted},
    {"before_bytes", "before", false, before},
    {"after_bytes", "after", false, after},
    {"promoted_bytes", "promoted", false, promoted},
};

enum { COLUMNS = sizeof(columns) / sizeof(*columns), PROCESS_COLUMN = 2 };

static void write_text(const struct subject *s, const struct table *table,
                       struct out *out)
{
    struct collection_sums sums = collection_sums(s->p, s->sel);
    struct out *more = out_memory();

    print_collections(&sums, more);
    out_char(more, '\n');
    print_compiling(s->p, true, more);
    if (profile_fact_named(s->p, FACT_COMPILED))
        out_char(more, '\n');
    header_text(s, out_text(more, NULL), out);
    out_close(more, NULL);
    table_write_chosen(table, s->options->columns, s->options->format,
                       s->options->width, out);
}

static void write_gc(const struct subject *s, struct out *out)
{
    const struct report_options *o = s->options;
    struct column shown[COLUMNS];
    struct rows rows = {.p = s->p};
    struct table table = {
        .columns = shown, .column_count = COLUMNS, .rows = &rows};

    select_collections(s->p, s->sel, &rows.shown);
    table.total = rows.shown.len;
    table.row_count = o->rows && o->rows < table.total ? o->rows : table.total;
    memcpy(shown, columns, sizeof(shown));
    if (of_one_process(&rows.shown))
        shown[PROCESS_COLUMN].header = NULL;
    if (format_is_for_people(o->format))
        write_text(s, &table, out);
    else
        report_table(s, "gc", &table, out);
    vec_release(&rows.shown);
}

static const struct column_set sets[] = {{columns, COLUMNS}, {NULL, 0}};

const struct report gc_report = {
    .name = "gc",
    .help = "garbage collections of .NET, Java: when, why, pause, heap",
    .takes = TAKES_COLUMNS,
    .columns = sets,
    .write = IN_EVERY_FORMAT(write_gc),
};
