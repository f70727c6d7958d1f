/*
 * event_text - an event as text for a person: its fields in one line, and when
 * it was.
 *
 *     event_payload_text(out, event, "|", true);   // ProcessID=4|ImageFile...
 */
#ifndef TOPFN_EVENTS_EVENT_TEXT_H
#define TOPFN_EVENTS_EVENT_TEXT_H

#include "engine/events/schema.h"

/* All values, `separator` between them, as "Name=value" where `named`; what
 * no schema covers last, as below. */
void event_payload_text(struct out *out, const struct event *event,
                        const char *separator, bool named);

/* What the decoder left of an event without a schema, or with one that does
 * not fit, as "0x... (N bytes; why)"; nothing otherwise. */
void event_rest_text(struct out *out, const struct event *event,
                     const struct event_decoder *decoder);

/* "2020-07-29 00:06:19.7912345", or seconds since the start where the trace
 * does not tell when that was; `text` has room for EVENT_TIME_SIZE. */
void event_stamp_text(char *text, const struct event_trace *trace,
                      int64_t time);

#endif
