/*
 * event_stacks - what code the stacks of events are of.
 *
 *     struct event_stacks *s = event_stacks_read(trace, &options, 0, &read,
 *                                                &err);
 *     name_profile(s->recording.profile, ...);
 *     profile_finish(s->recording.profile);
 *     event_stack(s, 0);      // of the cursor's first event that has a stack
 *     event_stacks_free(s);
 *
 * What lay at an address is known when all of a trace was read: modules are
 * listed at its end, methods described after they ran. So the events that a
 * cursor with the same options gives are walked once before, and their stacks
 * become samples of a profile, in place of those of the trace, with names and
 * all that reports know. Memory grows with the number of these stacks.
 */
#ifndef TOPFN_EVENT_STACKS_H
#define TOPFN_EVENT_STACKS_H

#include "engine/events/events.h"
#include "engine/input/recording.h"

struct event_stacks {
    struct recording recording; /* its containers are the trace's */
    uint32_t *samples; /* by event that has a stack, in the cursor's order */
    size_t count;
};

/* Of the first `limit` events (0: of all). The trace must stay open as long.
 * NULL: its format has no samples, or cannot be read so; err says why. */
struct event_stacks *event_stacks_read(struct event_trace *trace,
                                       const struct event_options *options,
                                       uint64_t limit,
                                       const struct read_options *read,
                                       struct err *err);
void event_stacks_free(struct event_stacks *stacks);

/* The profile's stack of an event, by how many that have one were before. */
uint32_t event_stack(const struct event_stacks *stacks, size_t number);

#endif
