/*
 * trace - from paths on a command line to one profile.
 *
 *     struct trace_options options = {.threads = 0};
 *     struct profile *p = trace_open(paths, n, &options, &err);
 *     profile_finish(p);
 *
 * Every path may be a trace, a container of traces or a topfn database;
 * several traces of one format become one profile, databases cannot be mixed
 * with traces. Formats are told by content, never by name.
 */
#ifndef TOPFN_TRACE_H
#define TOPFN_TRACE_H

#include "engine/base/err.h"
#include "engine/base/progress.h"
#include "engine/profile.h"

struct trace_options {
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

/* A profile to be finished, or NULL: no such file, not a trace, nothing
 * readable in it. Damage that leaves something is noted in its quality. */
struct profile *trace_open(const char *const *paths, size_t count,
                           const struct trace_options *options,
                           struct err *err);

#endif
