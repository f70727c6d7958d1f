/*
 * between - the parts of a trace that its events mark.
 *
 *     struct time_ranges ranges = {0};
 *     events_between(trace, path, "GC/Start,GC/Stop", &ranges, &err);
 *     vec_release(&ranges);
 *
 * "A,B" is from each event A to the next event B, whatever threads they are
 * of: an A while a range is open changes nothing, and one that no B follows is
 * open to the end of the trace. "A" alone is from the first A to the last.
 * A name is a pattern (base/pattern.h) of the event's name,
 * "GC/Start", or of its provider's and its own, "*DotNETRuntime/GC/Start".
 */
#ifndef TOPFN_EVENTS_BETWEEN_H
#define TOPFN_EVENTS_BETWEEN_H

#include "engine/base/err.h"
#include "engine/base/vec.h"
#include "engine/model/profile.h"

struct event_trace;

typedef VEC(struct time_range) time_ranges;

/* Adds ranges, in order of time and apart. Fails where the trace has no event
 * of such a name, or one only where two are needed. `path` is for messages. */
enum err_code events_between(struct event_trace *trace, const char *path,
                             const char *words, time_ranges *ranges,
                             struct err *err);

#endif
