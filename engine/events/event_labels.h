/*
 * event_labels - what a nettrace v6 label list says of an event, and what the
 * metadata says of a kind of event beside its fields, as JSON.
 */
#ifndef TOPFN_EVENTS_EVENT_LABELS_H
#define TOPFN_EVENTS_EVENT_LABELS_H

#include "engine/base/arena.h"
#include "engine/base/out.h"
#include "engine/events/events.h"

/* {"TraceId":"4bf9...","SpanId":"00f0...","user":"eve","shard":3}; nothing
 * where the event has no such label. Activity ids, level, keywords, opcode and
 * version are members of the event. */
void event_labels_json(struct out *out, const struct event *event);

/* Texts of a kind's optional metadata (format/nettrace/format.md, section
 * 5.6), "" for none; attributes as a JSON object. */
struct kind_texts {
    const char *message, *description, *attributes;
};

struct kind_texts event_kind_texts(struct arena *arena, struct bytes optional);

#endif
