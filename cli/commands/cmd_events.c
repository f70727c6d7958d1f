/*
 * events: raw events of a trace, in the modes of LogParser's ETW input.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/load/load.h"
#include "cli/options/event_choice.h"
#include "cli/terminal/output.h"
#include "cli/terminal/say.h"
#include "engine/input/trace_events.h"
#include "report/events/event_modes.h"

/* Ranges that a damaged trace had, and what else is wrong with it. */
static bool say_notes(const struct profile *notes)
{
    const struct quality *q = &notes->quality;

    for (size_t i = 0; i < q->skipped.len && i < 5; i++) {
        const struct skipped *s = &q->skipped.data[i];

        say_warning("%s: offset 0x%llx: %s (%llu bytes skipped)",
                    strings_get(notes->strings, s->file),
                    (unsigned long long)s->offset,
                    strings_get(notes->strings, s->reason),
                    (unsigned long long)s->size);
    }
    for (size_t i = 0; i < q->warnings.len; i++)
        say_warning("%s", strings_get(notes->strings, q->warnings.data[i]));
    if (q->lost_events || q->lost_buffers)
        say_warning("lost while recording: %llu events, %llu buffers",
                    (unsigned long long)q->lost_events,
                    (unsigned long long)q->lost_buffers);
    return q->skipped_ranges > 0;
}

/* What is shown while a trace is followed. */
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

/* Names come late in a trace, so that it is read once before. What is still
 * being written shows addresses. */
static struct event_stacks *read_stacks(struct event_trace *trace,
                                        const struct event_choice *choice,
                                        const struct event_print *print,
                                        const struct options *o)
{
    struct read_options read = {
        .threads = o->threads,
        .jit_folder = o->jit_folder,
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
    return stacks;
}

/* Whether the trace has events that pass. */
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

static void say_strangers(const struct event_trace *trace,
                          const struct event_texts *texts, bool provider)
{
    for (size_t i = 0; i < texts->count; i++) {
        struct event_texts one = {&texts->list[i], 1};
        struct event_options options = {.providers = one};
        bool met = false;

        if (!provider)
            options = (struct event_options){.events = one};
        for (size_t k = 0; k < event_kind_count(trace) && !met; k++)
            met = event_kind_passes(&options, event_kind_at(trace, k));
        if (!met)
            say_warning("no %s is called \"%s\"; topfn events lists what there "
                        "is",
                        provider ? "provider" : "event", texts->list[i]);
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
    struct err err = {0};
    struct output *output = output_open(o->output, &err);

    print->labels = stacks ? &labels : NULL;
    if (output) {
        followed = output_out(output);
        event_modes_write(trace, &choice->options, print, output_out(output));
        followed = NULL;
        output_close(output, &err);
        if (!o->follow)
            explain_no_events(trace, &choice->options);
    }
    if (err.code)
        say("%s", err.message);
    print->labels = NULL;
    event_stacks_free(stacks);
    return status_of_output(err.code);
}

static struct event_print print_of(const struct options *o,
                                   const struct event_choice *choice)
{
    enum event_mode mode = o->event_mode;

    /* Filters of rows ask for rows. */
    if (mode == EVENTS_TABLE &&
        (o->event_stacks || o->follow) &&
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
    bool has = event_columns_asked(trace, &choice->options, print, &wrong, &n,
                                   there);

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
        say("%s", err.message);
        return status_of_input(err.code);
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
    event_choice_release(&choice);
    event_trace_close(trace);
    return status;
}

/* For report_is_possible. */
static void no_writer(const struct subject *subject, struct out *out)
{
    (void)subject, (void)out;
}

static const struct report events_report = {
    .name = "events",
    .write = {[FORMAT_TEXT] = no_writer,
              [FORMAT_JSON] = no_writer,
              [FORMAT_CSV] = no_writer},
};

const struct command events_command = {
    .name = "events",
    .arguments = "FILE...",
    .help = "raw events: which there are, or each with its fields",
    .takes = USE_EVENTS | USE_SYMBOLS | USE_INLINES | USE_WRITING |
             TAKES_COLUMNS,
    .run = run,
    .report = &events_report,
};
