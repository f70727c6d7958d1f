/*
 * trace_format - what a reader of one input format is.
 *
 * `read` gets every entry of its format that was named together, fills the
 * profile through observations.h and leaves it unfinished. It returns an
 * error only when nothing useful could be read; damage is noted in the
 * quality.
 */
#ifndef TOPFN_TRACE_FORMAT_H
#define TOPFN_TRACE_FORMAT_H

#include "engine/base/progress.h"
#include "engine/container/container.h"
#include "engine/model/profile.h"

enum format_probe { PROBE_NO, PROBE_MAYBE, PROBE_YES };

struct read_options {
    unsigned threads;   /* 0: one per core */
    bool without_times; /* a database may give aggregated samples */
    bool without_idle;  /* idle samples may be counted and not kept */
    /* Traces that hold several kinds of events: which of them are the
     * samples, by name ("cswitch", "allocation"); NULL: CPU or thread
     * samples. */
    const char *event;
    /* .NET thread samples weigh the microseconds to the thread's next one,
     * as `dotnet-trace report` weighs them. */
    bool thread_weights;
    const struct progress *progress; /* may be NULL */
};

struct trace_format {
    const char *name;    /* "etl" */
    const char *summary; /* "Windows event trace log" */
    bool weighs_threads; /* knows read_options.thread_weights */
    enum format_probe (*probe)(const uint8_t *data, size_t size);
    enum err_code (*read)(const struct entry *entries, size_t count,
                          const struct read_options *options,
                          struct profile *profile, struct err *err);
};

#endif
