/*
 * trace_events - raw events of traces by path, and the code their stacks name.
 *
 *     trace = event_trace_open(paths, n, &err);
 *     struct event_stacks *s = event_stacks_read(trace, &options, 0, &read,
 *                                                &err);
 *     name_profile(s->recording.profile, ...);
 *     profile_finish(s->recording.profile);
 *     event_stack(s, 0);      // of the cursor's first event that has a stack
 *     event_stacks_free(s);
 *     event_trace_close(trace);
 *
 * A trace lists modules at its end and describes methods after they ran, so
 * addresses have names only when all of it was read. event_stacks_read walks
 * the events of the cursor once before: their stacks become samples of a
 * profile, in place of those of the trace. Memory grows with the number of
 * these stacks.
 */
#ifndef TOPFN_TRACE_EVENTS_H
#define TOPFN_TRACE_EVENTS_H

#include "engine/events/events.h"
#include "engine/input/recording.h"
#include "engine/input/traces.h"

/* Paths as recording_open takes them: traces, containers of traces, "-". */
struct event_trace *event_trace_open(const char *const *paths, size_t count,
                                     struct err *err);

/* Over traces that are open and stay so. The events of a recording are those
 * of its logs. */
struct event_trace *traces_events(struct traces *traces, struct err *err);

struct event_stacks {
    struct recording recording; /* its containers are the trace's */
    uint32_t *samples; /* by event that has a stack, in the cursor's order */
    size_t count;
    bool cut; /* later events have stacks, too: as many as would need more
                 memory than a file of this size may have */
};

/* Reads the stacks of the first `limit` events (0: of all) of a trace by
 * event_trace_open, which must stay open as long.
 * NULL: its format has no samples, or cannot be read so; err says why. */
struct event_stacks *event_stacks_read(struct event_trace *trace,
                                       const struct event_options *options,
                                       uint64_t limit,
                                       const struct read_options *read,
                                       struct err *err);
void event_stacks_free(struct event_stacks *stacks);

/* The stacks of all events of a trace, for read_options.beside. */
struct other_samples event_stacks_beside(struct event_trace *trace);

/* An event as a sample of weight 1: its time, thread, processor and stack.
 * `known` is the caller's, for all events of a cursor: a stack that many name
 * is gone through once. */
struct observed_sample event_sample(struct observations *seen,
                                    struct map *known, const struct event *e);

/* The profile's stack of an event, by how many that have one were before. */
uint32_t event_stack(const struct event_stacks *stacks, size_t number);

#endif
