#include "cli/options/event_choice.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options/values.h"
#include "engine/base/text.h"
#include "engine/base/textfile.h"
#include "engine/events/schema.h"

static const char *own(struct event_choice *c, const char *text, size_t n)
{
    char *copy = text_copy(text, n);

    *vec_add(&c->owned) = copy;
    return copy;
}

static const char *trimmed(const char *text, size_t *n)
{
    while (*n && (*text == ' ' || *text == '\t')) {
        text++;
        --*n;
    }
    while (*n && (text[*n - 1] == ' ' || text[*n - 1] == '\t' ||
                  text[*n - 1] == '\r'))
        --*n;
    return text;
}

/* Names between commas. */
static void add_names(struct event_choice *c, event_text_list *list, const char *text)
{
    while (text) {
        size_t n = strcspn(text, ",");
        const char *next = text[n] ? text + n + 1 : NULL;

        text = trimmed(text, &n);
        if (n)
            *vec_add(list) = own(c, text, n);
        text = next;
    }
}

/* The lines of a file, but those that begin with #. */
static bool add_lines(struct event_choice *c, event_text_list *list, const char *path,
                      struct err *err)
{
    struct textfile *file = textfile_open(path, err);

    if (!file)
        return false;
    for (size_t i = 1; i <= textfile_lines(file); i++) {
        const char *line = textfile_line(file, i);
        size_t n = strlen(line);

        line = trimmed(line, &n);
        if (n && *line != '#')
            *vec_add(list) = own(c, line, n);
    }
    textfile_close(file);
    return true;
}

/* ---- processes by name ---- */

static bool is_wanted(const struct filter *f, uint32_t pid, const char *name)
{
    for (size_t i = 0; i < f->processes.len; i++)
        if (filter_word_is(f->processes.data[i], pid, name))
            return true;
    return false;
}

static void add_pid(struct event_choice *c, uint32_t pid)
{
    for (size_t i = 0; i < c->pids.len; i++)
        if (c->pids.data[i] == pid)
            return;
    *vec_add(&c->pids) = pid;
}

/* Events that name a process are about it: their pid is its. */
static void take_process(struct event_choice *c, const struct filter *f,
                         const struct event *e)
{
    struct event_decoder d = event_decode(e);
    struct event_value v;

    while (event_next_field(&d, &v)) {
        struct out *text;

        if (strcmp(v.field->name, "ImageFileName") != 0 &&
            strcmp(v.field->name, "Name") != 0)
            continue;
        text = out_memory();
        event_value_text(text, &d, &v);
        if (is_wanted(f, e->pid, out_text(text, NULL)))
            add_pid(c, e->pid);
        out_close(text, NULL);
    }
}

static void find_processes(struct event_choice *c, struct event_trace *trace,
                           const struct filter *f)
{
    static const char *const names[] = {"Process/*", "Process",
                                        "ExistingProcess", "ProcessCreate"};
    struct event_options options = {
        .events = {names, sizeof(names) / sizeof(names[0])},
        .unordered = true,
    };
    struct event_cursor *cursor = event_cursor_new(trace, &options);
    const struct event *e;

    while ((e = event_next(cursor)))
        take_process(c, f, e);
    event_cursor_free(cursor);
}

/* Names and ids; an id needs no trace to know it. */
static bool add_processes(struct event_choice *c, struct event_trace *trace,
                          const struct filter *f, struct err *err)
{
    size_t before = c->pids.len;
    uint64_t pid;

    for (size_t i = 0; i < f->processes.len; i++)
        if (parse_number(f->processes.data[i], UINT32_MAX, &pid))
            add_pid(c, (uint32_t)pid);
    if (c->pids.len - before < f->processes.len)
        find_processes(c, trace, f);
    if (f->processes.len && c->pids.len == before) {
        err_set(err, ERR_NOT_FOUND, "no process \"%s\" in the trace",
                f->processes.data[0]);
        return false;
    }
    return true;
}

/* Events say which thread they are of by its id alone. */
static bool add_threads(struct event_choice *c, const struct filter *f,
                        struct err *err)
{
    for (size_t i = 0; i < f->threads.len; i++) {
        uint64_t tid;

        if (!parse_number(f->threads.data[i], UINT32_MAX, &tid)) {
            err_set(err, ERR_USAGE,
                    "--thread: events know threads by their ids, not \"%s\"",
                    f->threads.data[i]);
            return false;
        }
        *vec_add(&c->tids) = (uint32_t)tid;
    }
    return true;
}

/* The length of a trace that still grows is not known. */
static bool is_possible(const struct options *o, struct err *err)
{
    const struct filter *f = &o->report.filter;
    bool negated = false;

    for (size_t i = 0; i < f->processes.len; i++)
        negated |= *f->processes.data[i] == '!';
    if (f->in_percent && o->follow)
        err_set(err, ERR_USAGE, "--time: with --follow in seconds, not "
                                "percent");
    else if (negated)
        err_set(err, ERR_USAGE, "--process: of events without a \"!\"");
    return !(f->in_percent && o->follow) && !negated;
}

/* Percent are of the time to the last event. */
static void set_times(struct event_choice *c, struct event_trace *trace,
                      struct filter times)
{
    const struct event_options all = {.unordered = true, .no_subjects = true};
    int64_t length = 0;

    if (times.in_percent) {
        struct event_cursor *cursor = event_cursor_new(trace, &all);
        const struct event *e;

        while ((e = event_next(cursor)))
            length = e->time > length ? e->time : length;
        event_cursor_free(cursor);
        filter_set_length(&times, length);
    }
    c->options.timed = times.has_time;
    c->options.from = times.from;
    c->options.to = times.to;
}

bool event_choice_make(struct event_choice *c, struct event_trace *trace,
                       const struct options *o, struct err *err)
{
    const struct filter *f = &o->report.filter;

    if (!is_possible(o, err))
        return false;
    for (size_t i = 0; i < o->providers.len; i++)
        add_names(c, &c->providers, o->providers.data[i]);
    add_names(c, &c->events, o->event);
    /* A list of them, unless there is such a file. */
    if (o->provider_columns && !access(o->provider_columns, R_OK)) {
        if (!add_lines(c, &c->columns, o->provider_columns, err))
            return false;
    } else {
        add_names(c, &c->columns, o->provider_columns);
    }
    if (!add_threads(c, f, err) || !add_processes(c, trace, f, err))
        return false;
    c->described = (struct event_texts){c->columns.data, c->columns.len};
    c->options = (struct event_options){
        .providers = {c->providers.data, c->providers.len},
        .events = {c->events.data, c->events.len},
        .pids = {c->pids.data, c->pids.len},
        .tids = {c->tids.data, c->tids.len},
        .level = (uint8_t)o->event_level,
        .keywords = o->event_keywords,
        .stacks = o->event_stacks,
        .numbered = true,
    };
    set_times(c, trace, *f);
    return true;
}

void event_choice_release(struct event_choice *c)
{
    for (size_t i = 0; i < c->owned.len; i++)
        free(c->owned.data[i]);
    vec_release(&c->owned);
    vec_release(&c->providers);
    vec_release(&c->events);
    vec_release(&c->columns);
    vec_release(&c->pids);
    vec_release(&c->tids);
}
