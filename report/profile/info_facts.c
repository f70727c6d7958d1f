#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/analysis/trust.h"
#include "engine/base/hash.h"
#include "engine/base/map.h"
#include "engine/base/text.h"
#include "engine/model/labels.h"
#include "report/header/header.h"
#include "report/profile/info.h"
#include "report/table/weight.h"

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

static void add_span(struct info *info, const char *name, int64_t ns)
{
    struct out *text = out_memory();
    size_t n;

    print_span(text, ns);
    out_text(text, &n);
    add(info, name,
        value_text(arena_strndup(&info->scratch, out_text(text, NULL), n)));
    out_close(text, NULL);
}

static void add_trace(struct info *info)
{
    const struct trace_info *t = &info->p->trace;
    char text[UTC_SIZE];
    const char *start = utc_time(t->start_unix_ns, text);

    info->section = "trace";
    for (size_t i = 0; i < t->files.len; i++)
        add_string(info, "file", t->files.data[i]);
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
}

/* What the format's header says. */
static void add_header(struct info *info)
{
    const struct trace_info *t = &info->p->trace;

    info->section = "header";
    for (size_t i = 0; i < t->facts.len; i++)
        add_string(info, strings_get(info->p->strings, t->facts.data[i].name),
                   t->facts.data[i].value);
}

/* Of a single container its own name need not be repeated. */
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

/* "trace, used, 1234 bytes: note" */
static void add_content(struct info *info, const struct trace_content *c)
{
    const struct strings *strings = info->p->strings;
    const char *kind = strings_get(strings, c->kind);
    const char *note = strings_get(strings, c->note);
    size_t size = strlen(kind) + strlen(note) + 80;
    char *text = arena_new(&info->scratch, char, size);

    snprintf(text, size, "%s, %s, %llu bytes%s%s", kind,
             c->used ? "used" : "not used", (unsigned long long)c->size,
             *note ? ": " : "", note);
    add(info, content_name(info, c), value_text(text));
}

/* What the containers hold. */
static void add_contents(struct info *info)
{
    const struct trace_info *t = &info->p->trace;

    info->section = "container";
    for (size_t i = 0; i < t->contents.len; i++)
        add_content(info, &t->contents.data[i]);
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

static void add_skipped(struct info *info, const struct skipped *s)
{
    const struct strings *strings = info->p->strings;
    const char *file = strings_get(strings, s->file);
    const char *reason = strings_get(strings, s->reason);
    size_t size = strlen(file) + strlen(reason) + 80;
    char *text = arena_new(&info->scratch, char, size);

    snprintf(text, size, "%s at 0x%llx, %llu bytes: %s", file,
             (unsigned long long)s->offset, (unsigned long long)s->size,
             reason);
    add(info, "skipped", value_text(text));
}

/* How many samples have a complete stack, and why others have not. */
static void add_ends(struct info *info)
{
    enum { NAME = 64 };
    struct trust trust = {0};

    trust_stacks(&trust, info->sel);
    add(info, "complete stacks", value_weight(info->p, trust.complete));
    add(info, "truncated stacks", value_weight(info->p, trust.truncated));
    for (unsigned i = STACK_END_ROOT + 1; i < STACK_ENDS; i++) {
        char *name;

        if (!info->sel->by_end[i])
            continue;
        name = arena_new(&info->scratch, char, NAME);
        snprintf(name, NAME, "truncated: %s",
                 stack_end_phrase((enum stack_end)i));
        add(info, name, value_weight(info->p, info->sel->by_end[i]));
    }
    add(info, "completeness not known",
        value_weight(info->p, trust.unknown));
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
    add_count(info, "malformed records", q->malformed);
    add_count(info, "undefined stack keys", q->undefined_keys);
    add_count(info, "cut stacks", q->cut_stacks);
    for (size_t i = 0; i < q->skipped.len; i++)
        add_skipped(info, &q->skipped.data[i]);
    for (size_t i = 0; i < q->warnings.len; i++)
        add_string(info, "warning", q->warnings.data[i]);
}

static void add_processes(struct info *info)
{
    info->section = "processes";
    for (size_t i = 0; i < info->processes.len; i++) {
        const struct counted *c = &info->processes.data[i];

        add(info, process_title(info->p, c->id, &info->scratch),
            value_weight(info->p, c->count));
    }
}

static void add_events(struct info *info)
{
    info->section = "events";
    for (size_t i = 0; i < info->events.len; i++)
        add_count(info, info->events.data[i].name,
                  info->events.data[i].count);
}

static int by_count(const void *x, const void *y)
{
    const struct counted *a = x, *b = y;
    int order = (a->count < b->count) - (a->count > b->count);

    if (!order)
        order = strcmp(a->name, b->name);
    return order ? order : (a->id > b->id) - (a->id < b->id);
}

static void gather_events(struct info *info)
{
    const struct profile *p = info->p;

    for (size_t i = 0; i < p->trace.event_counts.len; i++) {
        const struct event_count *e = &p->trace.event_counts.data[i];

        *vec_add(&info->events) = (struct counted){
            strings_get(p->strings, e->name), e->count, 0};
    }
    if (info->events.len)
        qsort(info->events.data, info->events.len,
              sizeof(*info->events.data), by_count);
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

/* Those that changed their name have a row for each, with the times of all of
 * their life. Without a time nothing tells that two rows are of one. */
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

void info_add_facts(struct info *info)
{
    add_trace(info);
    add_contents(info);
    add_header(info);
    add_sizes(info);
    add_quality(info);
    add_processes(info);
    add_events(info);
}

struct info info_gather(const struct subject *s)
{
    struct info info = {.p = s->p, .sel = s->sel};

    gather_events(&info);
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
