#include "report/profile/info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/analysis/trust.h"
#include "engine/base/hash.h"
#include "engine/base/map.h"
#include "engine/base/text.h"
#include "engine/model/labels.h"
#include "report/header/header.h"
#include "report/table/table.h"

/*
 * info - what is in this file and how good it is.
 *
 * Everything is a fact (section, name, value): CSV and Markdown list them,
 * text shows each section as a small table. JSON (info_json.c) has the same
 * facts as objects.
 */

static void add(struct info *info, const char *name, struct value value)
{
    *vec_add(&info->facts) = (struct fact){info->section, name, value};
}

static void add_count(struct info *info, const char *name, uint64_t n)
{
    add(info, name, value_count(n));
}

static void add_string(struct info *info, const char *name, uint32_t string)
{
    if (string)
        add(info, name, value_text(strings_get(info->p->strings, string)));
}

/* Closes `text`. */
static void add_printed(struct info *info, const char *name, struct out *text)
{
    add(info, name, value_text(out_close_to(text, &info->scratch)));
}

static void add_span(struct info *info, const char *name, int64_t ns)
{
    struct out *text = out_memory();

    print_span(text, ns);
    add_printed(info, name, text);
}

static void add_grouped(struct info *info, const char *name, uint64_t n)
{
    struct out *text = out_memory();

    out_grouped(text, n);
    add_printed(info, name, text);
}

/* The facts of the format's header. */
static void add_header(struct info *info)
{
    const struct trace_info *t = &info->p->trace;

    info->section = "header";
    for (size_t i = 0; i < t->facts.len; i++) {
        const struct trace_fact *f = &t->facts.data[i];
        const char *name = strings_get(info->p->strings, f->name);
        const char *text = strings_get(info->p->strings, f->value);

        const char *unit = text + strspn(text, "0123456789");

        if (info->for_people && f->number && !strcmp(unit, " ns"))
            add_span(info, name, (int64_t)f->number);
        else if (info->for_people && *text && f->number && !*unit)
            add_grouped(info, name, f->number);
        else
            add_string(info, name, f->value);
    }
}

/* A single container's name is not repeated. */
static const char *content_name(const struct info *info,
                                const struct trace_content *c)
{
    const struct strings *strings = info->p->strings;
    const struct trace_info *t = &info->p->trace;
    const char *name = strings_get(strings, c->name);
    size_t n;

    if (t->files.len != 1)
        return name;
    n = strings_len(strings, t->files.data[0]);
    return strncmp(name, strings_get(strings, t->files.data[0]), n) ||
                   name[n] != '!'
               ? name
               : name + n + 1;
}

/* "1.5 MB" for people, "1500000 bytes" as data. */
static void print_bytes(const struct info *info, uint64_t size, struct out *out)
{
    const struct value v = {
        .type = VALUE_COUNT, .number = size, .scale = SCALE_BYTES};

    if (info->for_people)
        value_print(out, &v, 0);
    else
        out_fmt(out, "%llu bytes", (unsigned long long)size);
}

/* The files in the containers. */
static void add_contents(struct info *info)
{
    const struct trace_info *t = &info->p->trace;

    info->section = "container";
    for (size_t i = 0; i < t->contents.len; i++) {
        /* "trace, used, 1234 bytes: note" */
        const struct strings *strings = info->p->strings;
        const char *kind = strings_get(strings, t->contents.data[i].kind);
        const char *note = strings_get(strings, t->contents.data[i].note);
        struct out *text = out_memory();

        out_fmt(text, "%s, %s, ", kind,
                t->contents.data[i].used ? "used" : "not used");
        print_bytes(info, t->contents.data[i].size, text);
        out_fmt(text, "%s%s", *note ? ": " : "", note);
        add_printed(info, content_name(info, &t->contents.data[i]), text);
    }
}

static void add_sizes(struct info *info)
{
    const struct profile *p = info->p;

    info->section = "contents";
    add_count(info, "events", p->trace.events);
    add(info, profile_unit_text(p, 0), value_weight(p, info->sel->samples));
    add(info, "idle samples left out", value_weight(p, info->sel->idle));
    add_count(info, "processes", info->process_count);
    add_count(info, "threads", info->thread_count);
    add_count(info, "modules", p->modules.len);
    add_count(info, "sampled methods", p->methods.len);
    add_count(info, "distinct stacks", info_stacks(p));
    add_count(info, "distinct addresses", profile_addresses(p));
    add_count(info, "stacks of other events", p->quality.event_stacks);
}

/* Adds the number of samples with complete stacks, and why others are
 * truncated. */
static void add_ends(struct info *info)
{
    struct trust trust = {0};

    trust_stacks(&trust, info->sel);
    add(info, "complete stacks", value_weight(info->p, trust.complete));
    add(info, "truncated stacks", value_weight(info->p, trust.truncated));
    for (unsigned i = STACK_END_ROOT + 1; i < STACK_ENDS; i++)
        if (info->sel->by_end[i])
            add(info,
                arena_fmt(&info->scratch, "truncated: %s",
                          stack_end_phrase((enum stack_end)i)),
                value_weight(info->p, info->sel->by_end[i]));
    add(info, "completeness not known", value_weight(info->p, trust.unknown));
}

static void add_quality(struct info *info)
{
    const struct quality *q = &info->p->quality;

    info->section = "quality";
    add_ends(info);
    add_count(info, "lost events", q->lost_events);
    add_count(info, "lost buffers", q->lost_buffers);
    add_count(info, "skipped bytes", q->skipped_bytes);
    add_count(info, "skipped ranges", q->skipped_ranges);
    add_count(info, "damaged records", q->malformed);
    add_count(info, "undefined stack keys", q->undefined_keys);
    add_count(info, "stacks too deep", q->cut_stacks);
    for (size_t i = 0; i < q->skipped.len; i++) {
        const struct strings *strings = info->p->strings;
        const struct skipped *s = &q->skipped.data[i];

        add(info, "skipped",
            value_text(arena_fmt(
                &info->scratch, "%s at 0x%llx, %llu bytes: %s",
                strings_get(strings, s->file), (unsigned long long)s->offset,
                (unsigned long long)s->size, strings_get(strings, s->reason))));
    }
    for (size_t i = 0; i < q->warnings.len; i++)
        add_string(info, "warning", q->warnings.data[i]);
}

static int by_count(const void *x, const void *y)
{
    const struct counted *a = x, *b = y;
    int order = (a->count < b->count) - (a->count > b->count);

    if (!order)
        order = strcmp(a->name, b->name);
    return order ? order : (a->id > b->id) - (a->id < b->id);
}

static void gather_processes(struct info *info)
{
    const struct profile *p = info->p;

    for (uint32_t i = 0; i < p->processes.len; i++)
        *vec_add(&info->processes) =
            (struct counted){process_label(p, i), 0, i};
    for (size_t i = 0; i < p->threads.len; i++)
        info->processes.data[p->threads.data[i].process].count +=
            info->sel->thread_counts[i];
    if (info->processes.len)
        qsort(info->processes.data, info->processes.len,
              sizeof(*info->processes.data), by_count);
}

/* A process that changed its name has a row for each name, with the times of
 * its whole life. Without a time nothing tells that two rows are of one. */
static void count_tasks(struct info *info)
{
    const struct profile *p = info->p;
    struct map processes = {0}, threads = {0};
    uint32_t *process_of = mem_new(p->processes.len, sizeof(*process_of));

    for (uint32_t i = 0; i < p->processes.len; i++) {
        const struct process *process = &p->processes.data[i];
        uint64_t life =
            hash_pair((uint64_t)process->start, (uint64_t)process->end);

        process_of[i] = process->start > TIME_MIN || process->end < TIME_MAX
                            ? map_add(&processes, life, process->pid, i)
                            : i;
        info->process_count += process_of[i] == i;
    }
    for (uint32_t i = 0; i < p->threads.len; i++) {
        const struct thread *t = &p->threads.data[i];
        uint64_t life =
            hash_pair(hash_pair((uint64_t)t->start, (uint64_t)t->end),
                      process_of[t->process]);

        info->thread_count += (t->start == TIME_MIN && t->end == TIME_MAX) ||
                              map_add(&threads, life, t->tid, i) == i;
    }
    map_release(&processes);
    map_release(&threads);
    free(process_of);
}

/* Every fact, section by section in the order of the report. */
static void info_add_facts(struct info *info)
{
    const struct trace_info *t = &info->p->trace;
    char text[UTC_SIZE];
    const char *start = utc_time(t->start_unix_ns, text);

    info->section = "trace";
    for (size_t i = 0; i < t->files.len; i++)
        add(info, "file",
            value_path(strings_get(info->p->strings, t->files.data[i])));
    add_string(info, "format", t->format);
    add_string(info, "metric", t->metric.word);
    if (t->interval_ns > 0)
        add_span(info, "interval", t->interval_ns);
    if (start)
        add(info, "start",
            value_text(arena_strndup(&info->scratch, start, strlen(start))));
    add_span(info, "duration", selection_duration(info->p, info->sel));
    add_string(info, "system", t->os);
    add_string(info, "machine", t->machine);
    if (t->cpus)
        add_count(info, "CPUs", t->cpus);
    if (t->pointer_size)
        add_count(info, "bits", (uint64_t)t->pointer_size * 8);
    add_contents(info);
    add_header(info);
    add_sizes(info);
    add_quality(info);
    info->section = "processes";
    for (size_t i = 0; i < info->processes.len; i++) {
        const struct counted *c = &info->processes.data[i];

        add(info, process_title(info->p, c->id, &info->scratch),
            value_weight(info->p, c->count));
    }
    info->section = "events";
    for (size_t i = 0; i < info->events.len; i++)
        add_count(info, info->events.data[i].name, info->events.data[i].count);
}

struct info info_gather(const struct subject *s)
{
    struct info info = {.p = s->p, .sel = s->sel};
    const struct profile *p = info.p;

    for (size_t i = 0; i < p->trace.event_counts.len; i++) {
        const struct event_count *e = &p->trace.event_counts.data[i];

        *vec_add(&info.events) =
            (struct counted){strings_get(p->strings, e->name), e->count, 0};
    }
    if (info.events.len)
        qsort(info.events.data, info.events.len, sizeof(*info.events.data),
              by_count);
    gather_processes(&info);
    count_tasks(&info);
    return info;
}

void info_release(struct info *info)
{
    vec_release(&info->events);
    vec_release(&info->processes);
    vec_release(&info->facts);
    arena_release(&info->scratch);
}

/* Rows are the facts of one section, or all of them. */
static struct value section(const void *rows, size_t row)
{
    return value_text(((const struct fact *)rows)[row].section);
}

static struct value name(const void *rows, size_t row)
{
    return value_text(((const struct fact *)rows)[row].name);
}

static struct value fact_value(const void *rows, size_t row)
{
    return ((const struct fact *)rows)[row].value;
}

static void print_all(const struct subject *s, const struct info *info,
                      struct out *out)
{
    static const struct column columns[] = {
        {"section", "section", false, section},
        {"name", "name", true, name},
        {"value", "value", false, fact_value},
    };
    struct table table = {.columns = columns,
                          .column_count = 3,
                          .rows = info->facts.data,
                          .row_count = info->facts.len};

    if (s->options->format == FORMAT_MARKDOWN)
        header_text(s, NULL, out);
    table_write(&table, s->options->format, 0, out);
}

enum { LIST_SHOWN = 20 };

/* The number of facts of a list that are shown, at most `most`. Processes
 * without samples come last and tell nothing beside the others. */
static size_t shown_of_list(const struct fact *facts, size_t most)
{
    size_t n = most;

    while (n && facts[n - 1].value.type == VALUE_COUNT &&
           !facts[n - 1].value.number)
        n--;
    return n ? n : most;
}

static void print_section(const struct fact *facts, size_t count,
                          const struct subject *s, struct out *out)
{
    const struct report_options *o = s->options;
    /* Lists may be long; what the trace and its quality are is not. */
    bool list = !strcmp(facts->section, "processes") ||
                !strcmp(facts->section, "events") ||
                !strcmp(facts->section, "container");
    size_t most = o->limited ? o->rows : LIST_SHOWN;
    bool cut = list && !o->all && most && count > most;
    size_t shown = cut ? shown_of_list(facts, most) : count;
    struct column columns[] = {
        {NULL, facts->section, list, name},
        {NULL, "value", false, fact_value},
    };
    struct table table = {.columns = columns,
                          .column_count = 2,
                          .rows = facts,
                          .row_count = shown};

    if (!strcmp(facts->section, "processes"))
        columns[1].header = profile_unit_text(s->p, 0);
    if (!strcmp(facts->section, "events"))
        columns[1].header = "count";
    table_write(&table, FORMAT_TEXT, o->width, out);
    if (cut) {
        out_grouped(out, count - shown);
        out_str(out, " more; --all shows them\n");
    }
}

static void print_number(struct out *out, const char *before, uint64_t n,
                         const char *what)
{
    out_str(out, before);
    out_grouped(out, n);
    out_fmt(out, " %s%s", what, n == 1 ? "" : "s");
}

/* Damaged parts of the input that were left out. */
static void print_damage(const struct quality *q, struct out *out)
{
    const struct {
        uint64_t n;
        const char *what;
    } damage[] = {
        {q->lost_events, "lost event"},       {q->lost_buffers, "lost buffer"},
        {q->skipped_ranges, "skipped range"}, {q->malformed, "damaged record"},
        {q->cut_stacks, "too deep stack"},    {q->warnings.len, "warning"},
    };
    const char *before = " · ";

    for (size_t i = 0; i < sizeof(damage) / sizeof(*damage); i++) {
        if (!damage[i].n)
            continue;
        print_number(out, before, damage[i].n, damage[i].what);
        before = ", ";
    }
    out_str(out, *before == ',' ? "\n" : " · everything was read\n");
}

static void print_sections(const struct subject *s, const struct info *info,
                           struct out *out)
{
    const struct fact *facts = info->facts.data;
    size_t start = 0;
    const struct profile *p;
    struct out *line;

    header_text(s, NULL, out);
    for (size_t i = 0; i < info->facts.len; i++) {
        if (i + 1 < info->facts.len &&
            facts[i + 1].section == facts[start].section)
            continue;
        if (start)
            out_char(out, '\n');
        print_section(facts + start, i + 1 - start, s, out);
        start = i + 1;
    }
    /* The end of what may be several screens. */
    p = s->p;
    line = out_memory();
    out_str(line, "in short: ");
    print_number(line, "", p->trace.events, "event");
    out_str(line, ", ");
    out_weight_unit(line, p, s->sel->samples);
    print_number(line, " of ", info->thread_count, "thread");
    out_str(line, " in ");
    out_grouped(line, info->process_count);
    out_str(line, info->process_count == 1 ? " process" : " processes");
    print_damage(&p->quality, line);
    out_char(out, '\n');
    header_lines(out_text(line, NULL), s->options, "", out);
    out_close(line, NULL);
}

/* Text shows less than this by itself. */
static void cut_lists(struct info *info, const struct report_options *o)
{
    if (!o->limited || !o->rows ||
        (info->processes.len <= o->rows && info->events.len <= o->rows))
        return;
    info->all_processes = info->processes.len;
    info->all_events = info->events.len;
    if (info->processes.len > o->rows)
        info->processes.len = o->rows;
    if (info->events.len > o->rows)
        info->events.len = o->rows;
}

static void write_json(const struct subject *s, struct out *out)
{
    struct info info = info_gather(s);

    cut_lists(&info, s->options);
    info_json(&info, out);
    info_release(&info);
}

static void write_text(const struct subject *s, struct out *out)
{
    struct info info = info_gather(s);

    info.for_people = true;
    info_add_facts(&info);
    print_sections(s, &info, out);
    info_release(&info);
}

static void write_facts(const struct subject *s, struct out *out)
{
    struct info info = info_gather(s);

    cut_lists(&info, s->options);
    info_add_facts(&info);
    print_all(s, &info, out);
    info_release(&info);
}

const struct report info_report = {
    .name = "info",
    .help = "contents and quality of a file",
    .takes = TAKES_CONTENTS,
    .lists_contents = true,
    .write = {[FORMAT_TEXT] = write_text,
              [FORMAT_JSON] = write_json,
              [FORMAT_CSV] = write_facts,
              [FORMAT_MARKDOWN] = write_facts},
};
