#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/load/load.h"
#include "cli/options/options.h"
#include "cli/options/values.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "engine/base/text.h"
#include "engine/base/text_line.h"
#include "engine/base/textfile.h"
#include "engine/events/events.h"
#include "engine/events/schema.h"
#include "engine/input/trace_events.h"
#include "report/events/events.h"

/*
 * events: raw events of a trace, in the modes of LogParser's ETW input.
 */

typedef VEC(const char *) event_text_list;

struct event_choice {
    struct event_options options; /* refers to the lists */
    struct event_texts described; /* --providers */
    event_text_list providers, events, columns;
    VEC(char *) owned;
    VEC(uint32_t) pids, tids;
};

static const char *own(struct event_choice *c, const char *text, size_t n)
{
    char *copy = text_copy(text, n);

    *vec_add(&c->owned) = copy;
    return copy;
}

/* A text without the blanks around it, unless nothing is left. */
static void add_trimmed(struct event_choice *c, event_text_list *list,
                        const char *text, size_t n)
{
    struct text_line l = line_next(&text, text + n);

    line_skip_blanks(&l);
    if (l.at < l.end)
        *vec_add(list) = own(c, l.at, (size_t)(l.end - l.at));
}

/* Names between commas. */
static void add_names(struct event_choice *c, event_text_list *list,
                      const char *text)
{
    while (text) {
        size_t n = strcspn(text, ",");
        const char *next = text[n] ? text + n + 1 : NULL;

        add_trimmed(c, list, text, n);
        text = next;
    }
}

/* The lines of a file, but those that begin with #. */
static bool add_lines(struct event_choice *c, event_text_list *list,
                      const char *path, struct err *err)
{
    struct textfile *file = textfile_open(path, err);

    if (!file)
        return false;
    for (size_t i = 1; i <= textfile_lines(file); i++) {
        const char *line = textfile_line(file, i);

        if (line[strspn(line, " \t")] != '#')
            add_trimmed(c, list, line, strlen(line));
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

    while ((e = event_next(cursor))) {
        /* Events that name a process are about it: their pid is its. */
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
        err_set(err, ERR_USAGE,
                "--time: with --follow in seconds, not "
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

/* False when a file of providers cannot be read or a process is not there. */
static bool event_choice_make(struct event_choice *c, struct event_trace *trace,
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

/* Ranges that a damaged trace had, and what else is wrong with it. */
static bool say_notes(const struct profile *notes)
{
    const struct quality *q = &notes->quality;

    warn_of_skipped(notes);
    for (size_t i = 0; i < q->warnings.len; i++)
        say_warning("%s", strings_get(notes->strings, q->warnings.data[i]));
    if (q->lost_events || q->lost_buffers)
        say_warning("lost while recording: %llu events, %llu buffers",
                    (unsigned long long)q->lost_events,
                    (unsigned long long)q->lost_buffers);
    return q->skipped_ranges > 0;
}

/* Writes the events of a trace while it grows. */
static struct out *followed;

static void show(void *context)
{
    (void)context;
    if (followed)
        out_flush(followed);
}

static struct event_trace *open_trace(const struct options *o,
                                      const char *const *files, size_t count,
                                      struct err *err)
{
    if (!o->follow)
        return event_trace_open(files, count, err);
    if (count == 1)
        return event_trace_follow(files[0], show, NULL, err);
    err_set(err, ERR_USAGE, "--follow takes one file");
    return NULL;
}

/* A trace has its names at its end, so read it once before. A trace that is
 * still being written shows addresses. */
static struct event_stacks *read_stacks(struct event_trace *trace,
                                        const struct event_choice *choice,
                                        const struct event_print *print,
                                        const struct options *o)
{
    struct read_options read = {
        .threads = o->threads,
        .symbol_folders = o->symbols.data,
        .symbol_folder_count = o->symbols.len,
    };
    struct err err = {0};
    struct event_stacks *stacks;

    if (!choice->options.stacks || o->follow || print->mode == EVENTS_META ||
        print->mode == EVENTS_TABLE)
        return NULL;
    stacks =
        event_stacks_read(trace, &choice->options, print->limit, &read, &err);
    if (!stacks) {
        say_warning("stacks are shown as addresses: %s", err.message);
        return NULL;
    }
    load_names(&stacks->recording, o, NULL);
    load_labels(stacks->recording.profile, o);
    if (stacks->cut)
        say_warning("stacks behind the first %zu are shown as addresses: the "
                    "file has more than its size lets one expect",
                    stacks->count);
    return stacks;
}

/* True if the trace has events that pass. */
static bool has_events(struct event_trace *trace,
                       const struct event_options *options)
{
    struct event_options quick = *options;
    struct event_cursor *c;
    bool any;

    quick.unordered = true;
    quick.stacks = quick.numbered = false;
    c = event_cursor_new(trace, &quick);
    any = event_next(c) != NULL;
    event_cursor_free(c);
    return any;
}

static const char *event_at(const void *trace, size_t i)
{
    return i < event_kind_count(trace) ? event_kind_at(trace, i)->full_name
                                       : NULL;
}

static const char *provider_at(const void *trace, size_t i)
{
    return i < event_kind_count(trace) ? event_kind_at(trace, i)->provider
                                       : NULL;
}

static void say_strangers(const struct event_trace *trace,
                          const struct event_texts *texts, bool provider)
{
    for (size_t i = 0; i < texts->count; i++) {
        struct event_texts one = {&texts->list[i], 1};
        struct event_options options = {.providers = one};
        const char *near;
        bool met = false;

        if (!provider)
            options = (struct event_options){.events = one};
        for (size_t k = 0; k < event_kind_count(trace) && !met; k++)
            met = event_kind_passes(&options, event_kind_at(trace, k));
        if (met)
            continue;
        near = text_nearest(texts->list[i], provider ? provider_at : event_at,
                            trace);
        say_warning("no %s is called \"%s\"%s%s%s; topfn events lists them",
                    provider ? "provider" : "event", texts->list[i],
                    near ? "; did you mean " : "", near ? near : "",
                    near ? "?" : "");
    }
}

/* All of the trace was walked, so that its kinds of events are known, unless
 * parts of it were out of the time range. */
static void explain_no_events(struct event_trace *trace,
                              const struct event_options *o)
{
    if (has_events(trace, o))
        return;
    if (!o->timed) {
        say_strangers(trace, &o->providers, true);
        say_strangers(trace, &o->events, false);
    }
    say_warning(event_kind_count(trace) || o->timed
                    ? "no events match the filter"
                    : "the trace has no events");
}

static enum status write_events(struct event_trace *trace,
                                const struct event_choice *choice,
                                struct event_print *print,
                                const struct options *o)
{
    struct event_stacks *stacks = read_stacks(trace, choice, print, o);
    struct event_labels labels = {
        .stacks = stacks,
        .style = {.module = o->report.with_module},
    };
    struct events_subject s = {
        {.options = &o->report}, trace, &choice->options, print};
    struct err err = {0};
    struct output *output = output_open(o->output, &err);

    print->labels = stacks ? &labels : NULL;
    if (output) {
        followed = output_out(output);
        events_report.write[print->format](&s.subject, followed);
        followed = NULL;
        output_close(output, &err);
        if (!o->follow)
            explain_no_events(trace, &choice->options);
    }
    print->labels = NULL;
    event_stacks_free(stacks);
    return say_output_error(&err);
}

static struct event_print print_of(const struct options *o,
                                   const struct event_choice *choice)
{
    enum event_mode mode = o->event_mode;

    /* Filters of rows ask for rows. */
    if (mode == EVENTS_TABLE && (o->event_stacks || o->follow) &&
        !options_given(o, "mode"))
        mode = EVENTS_FNAMES;
    return (struct event_print){
        .mode = mode,
        .format = o->report.format,
        .width = o->report.width,
        .separator = o->separator ? o->separator : "|",
        .limit = options_given(o, "limit") ? o->report.rows : 0,
        .providers = choice->described,
        .columns = o->report.columns,
    };
}

static bool has_columns(struct event_trace *trace,
                        const struct event_choice *choice,
                        const struct event_print *print)
{
    struct out *there = out_memory();
    const char *wrong;
    size_t n;
    bool has =
        event_columns_asked(trace, &choice->options, print, &wrong, &n, there);

    if (!has && print->mode == EVENTS_FULL)
        say("no column is called \"%.*s\"; --mode meta lists the properties "
            "of events",
            (int)n, wrong);
    else if (!has)
        say("no column is called \"%.*s\"; there are %s", (int)n, wrong,
            out_text(there, NULL));
    out_close(there, NULL);
    return has;
}

static enum status run(const struct command *command, const struct options *o,
                       const char *const *files, size_t count)
{
    struct event_choice choice = {.options = {.timed = false}};
    struct event_print print;
    struct event_trace *trace;
    enum status status;
    struct err err = {0};

    (void)command;
    if (output_is_input(o->output, files, count))
        return STATUS_USAGE;
    trace = open_trace(o, files, count, &err);
    if (!trace) {
        return say_input_error(&err);
    }
    if (!event_choice_make(&choice, trace, o, &err)) {
        say("%s", err.message);
        status = STATUS_USAGE;
    } else {
        print = print_of(o, &choice);
        status = has_columns(trace, &choice, &print)
                     ? write_events(trace, &choice, &print, o)
                     : STATUS_USAGE;
    }
    if (say_notes(event_trace_notes(trace)) && o->strict && !status)
        status = STATUS_BAD_INPUT;
    for (size_t i = 0; i < choice.owned.len; i++)
        free(choice.owned.data[i]);
    vec_release(&choice.owned);
    vec_release(&choice.providers);
    vec_release(&choice.events);
    vec_release(&choice.columns);
    vec_release(&choice.pids);
    vec_release(&choice.tids);
    event_trace_close(trace);
    return status;
}

const struct command events_command = {
    .name = "events",
    .arguments = "FILE...",
    .help = "raw events: their kinds, or each with its fields",
    .takes =
        USE_EVENTS | USE_SYMBOLS | USE_INLINES | USE_WRITING | TAKES_COLUMNS,
    .columns = event_table_columns,
    .run = run,
    .report = &events_report,
};
