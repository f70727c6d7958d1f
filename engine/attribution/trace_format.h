/*
 * trace_format - what a reader of one input format is.
 *
 * `read` gets every entry of its format that was named together and reports
 * what they hold to `seen`, which is attributed then (recording.h). It returns
 * an error only when nothing useful could be read; damage is noted in the
 * quality of the profile.
 */
#ifndef TOPFN_TRACE_FORMAT_H
#define TOPFN_TRACE_FORMAT_H

#include "engine/attribution/frame_rules.h"
#include "engine/attribution/observations.h"
#include "engine/base/progress.h"
#include "engine/container/container.h"

enum format_probe { PROBE_NO, PROBE_MAYBE, PROBE_YES };

/* Other samples than those of a trace, to be attributed in their place. They
 * are observed before the trace is read: a reader converts only the methods
 * that lie under stacks which it knows. */
struct other_samples {
    void (*observe)(void *context, struct observations *seen);
    void *context;
};

struct read_options {
    unsigned threads;   /* 0: one per core */
    bool without_times; /* a database may be asked for its samples added up:
                           those of equal thread, stack and flags */
    bool without_idle;  /* idle samples may be counted and not kept */
    /* Traces that hold several kinds of events: which of them are the
     * samples, by name ("cswitch", "allocation"); NULL: CPU or thread
     * samples. */
    const char *event;
    /* The events of a command if none are named. A database has its own. */
    const char *default_event;
    /* Weight of these events, and the field whose values they are ranked by
     * (input/weighed_events.h); NULL: as usual, none. */
    const char *weight, *value;
    /* The same as PROVIDER/ID, a line for each kind of events that is called
     * so, for a format that has no names of its own; NULL: none is known. */
    const char *event_id;
    /* .NET thread samples weigh the microseconds to the thread's next one,
     * as `dotnet-trace report` weighs them. */
    bool thread_weights;
    /* Samples weigh the events that they stand for: "cycles". */
    bool periods;
    /* Folders that may have lists of generated code (perf-PID.map,
     * jit-PID.dump). They are read before the trace's own folder. */
    const char *const *symbol_folders;
    size_t symbol_folder_count;
    const char *perf_folder; /* "~/.debug", which has jitdumps, too; or NULL */
    /* For recordings that hold stack memory; NULL: such stacks end at their
     * first frame. */
    const struct frame_rules_source *frames;
    const struct other_samples *others; /* NULL: those of the trace */
    /* NULL: none. Attributed with the samples, then in event_stacks. */
    const struct other_samples *beside;
    bool event_stacks; /* recording_open sets `beside` to all events */
    const struct progress *progress; /* may be NULL */
};

enum { MOST_COMPANIONS = 2, COMPANION_PATH = 800 };

/* A log that a recording names: its path as written, and what it is. */
struct companion {
    char path[COMPANION_PATH]; /* UTF-8 */
    const char *what;          /* "kernel" */
};

struct trace_format {
    const char *name;    /* "etl" */
    const char *summary; /* "Windows event trace log" */
    /* Commands that record samples, as advice for a trace without samples; or
     * NULL. */
    const char *how_to_record;
    /* `read` fills the profile itself (named_code.h): its code has names, and
     * nothing is left to attribute. */
    bool named;
    /* A file is a profile of its own: `read` gets one. */
    bool alone;
    /* The read_options that it supports. */
    bool weighs_threads, chooses_events, has_periods;
    bool weighs_events; /* `read` heeds their weight and value itself */
    bool has_switches; /* `read` heeds seen->thread_states (thread_time.h) */
    enum format_probe (*probe)(const uint8_t *data, size_t size);
    /* Logs of another format that belong to a recording of this one, and the
     * name of their format; NULL: there are none. They are read together
     * (join.h). Returns how many the recording names. */
    size_t (*companions)(const struct entry *entry,
                         struct companion list[MOST_COMPANIONS]);
    const char *companion_format;
    enum err_code (*read)(const struct entry *entries, size_t count,
                          const struct read_options *options,
                          struct observations *seen, struct err *err);
};

#endif
