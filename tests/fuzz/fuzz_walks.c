/*
 * Walks over the events of a trace, with every kind of filter: what is let
 * through is a part of what there is, and keeps its number. Then the rows that
 * `topfn events` prints, in every mode and format.
 */
#include "engine/events/schema.h"
#include "report/events/events.h"
#include "tests/fuzz/target.h"
#include "tests/support/events_of_bytes.h"

enum { MOST_ROWS = 100 };

static const char *const names[] = {"Process/*", "Sample*", "GC/*", "141"};
static const char *const providers[] = {"Windows Kernel",
                                        "Microsoft-Windows-DotNETRuntime"};
static const uint32_t numbers[] = {0, 4, EVENT_UNKNOWN};

static const struct event_options filters[] = {
    {.stacks = true},
    {.unordered = true, .no_subjects = true},
    {.timed = true, .from = 1, .to = 1000000000, .numbered = true},
    {.timed = true, .from = INT64_MIN, .to = 0},
    {.events = {names, 4}, .numbered = true},
    {.providers = {providers, 2}, .level = 4, .keywords = 1},
    {.pids = {numbers, 3}, .numbered = true},
    {.tids = {numbers, 3}, .unordered = true},
};

static uint64_t count(struct event_trace *trace)
{
    const struct event_options all = {.unordered = true};
    struct event_cursor *c = event_cursor_new(trace, &all);
    uint64_t n = 0;

    while (event_next(c))
        n++;
    event_cursor_free(c);
    return n;
}

static void walk(struct event_trace *trace, const struct event_options *o,
                 uint64_t all)
{
    struct event_cursor *c = event_cursor_new(trace, o);
    const struct event *e;
    uint64_t n = 0, last = 0;

    for (; (e = event_next(c)); n++) {
        (void)event_process_at(trace, e->pid, e->time);
        if (o->timed && (e->time < o->from || e->time >= o->to))
            abort();
        if (o->numbered && !o->unordered && e->number <= last)
            abort();
        last = e->number;
    }
    if (n > all)
        abort();
    event_cursor_free(c);
}

/* Two cursors take turns. */
static void walk_two(struct event_trace *trace)
{
    struct event_cursor *c[2];
    bool more = true;

    for (int i = 0; i < 2; i++)
        c[i] = event_cursor_new(trace, &filters[i]);
    while (more)
        more = event_next(c[0]) && event_next(c[1]);
    for (int i = 0; i < 2; i++)
        event_cursor_free(c[i]);
}

static void print(struct event_trace *trace, const struct event_options *o)
{
    struct report_options options = REPORT_DEFAULTS;

    for (int m = 0; m < EVENT_MODES; m++)
        for (int f = 0; f < FORMATS; f++) {
            const struct event_print print = {.mode = (enum event_mode)m,
                                              .format = (enum format)f,
                                              .separator = "|",
                                              .limit = MOST_ROWS};
            struct events_subject s = {{.options = &options}, trace, o, &print};
            struct out *out = out_memory();

            if (events_report.write[f])
                events_report.write[f](&s.subject, out);
            out_close(out, NULL);
        }
}

FUZZ(walks)
{
    struct err err = {0};
    struct event_trace *trace = events_of_bytes("fuzz", data, size, &err);
    uint64_t all;

    if (!trace)
        return 0;
    all = count(trace);
    for (size_t i = 0; i < sizeof(filters) / sizeof(*filters); i++)
        walk(trace, &filters[i], all);
    walk_two(trace);
    print(trace, &filters[size % 2]);
    free(event_id_in_trace(trace, "PerfInfo/Sample"));
    event_trace_close(trace);
    return 0;
}
