/*
 * weighed_events - events of a trace as samples that weigh what they say.
 *
 *     if (weighed_events_asked(options)) {
 *         struct weighed_events *w = weighed_events_new(trace, options);
 *
 *         with.others = weighed_events_samples(w);
 *         ...                              // read the trace into a profile
 *         code = weighed_events_end(w, p, path, err);
 *     }
 *
 * A weight is a field of the payload ("AllocationAmount64"), the time from an
 * event to the one that ends it, or 1. Contention/Stop ends Contention/Start of
 * the same activity or thread; a disk request ends the one with the same
 * packet. A sample has the time, the thread and the stack of the event that
 * begins, and as its value the text of another field, if one is asked for. Its
 * stack begins with a frame of that text then, in a module "[TypeName]".
 */
#ifndef TOPFN_WEIGHED_EVENTS_H
#define TOPFN_WEIGHED_EVENTS_H

#include "engine/attribution/trace_format.h"
#include "engine/events/events.h"

struct weighed_events;

/* True if a weight or a value is asked for, or if the events have a usual
 * weight that takes two events to know. */
bool weighed_events_asked(const struct read_options *options);

/* Both must live until weighed_events_end. */
struct weighed_events *weighed_events_new(struct event_trace *trace,
                                          const struct read_options *options);
const struct other_samples *weighed_events_samples(
    const struct weighed_events *w);

/* The events that the reader is to read beside; NULL: its usual samples, as it
 * does not know these by name. */
const char *weighed_events_read(const struct weighed_events *w);

/* Frees it. States what the profile's weights are (NULL: there is no profile).
 * ERR_NOT_FOUND, with the fields there are, where no event has the field that
 * was asked for; ERR_UNSUPPORTED where a time was asked for and no event
 * ends. */
enum err_code weighed_events_end(struct weighed_events *w, struct profile *p,
                                 const char *path, struct err *err);

/* Makes the stacks of samples begin with their values, in the module "[FIELD]",
 * so that trees, flame graphs, exports and pages are grouped by them. Call it
 * for every format that gives samples values, before locations are named. */
void begin_with_values(struct profile *p, const char *field);

#endif
