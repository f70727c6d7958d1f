/*
 * spans - from an event that starts something to the one that stops it.
 *
 *     struct event_spans spans = {0};
 *     event_spans_find(&spans, trace, is_over, context);
 *     use(spans.list.data, spans.list.len);
 *     event_spans_release(&spans);
 *
 * X/Start and X/Stop, XBegin and XEnd of one provider belong together, in the
 * same activity or else on the same thread, the innermost first. Requests to
 * disks and files belong to the event with the same request.
 */
#ifndef TOPFN_EVENTS_SPANS_H
#define TOPFN_EVENTS_SPANS_H

#include "engine/base/map.h"
#include "engine/base/strings.h"
#include "engine/base/vec.h"
#include "engine/events/events.h"

struct event_span {
    const struct event_kind *kind; /* of the event that starts it */
    uint32_t name;                 /* string: "GC" of "GC/Start" */
    uint32_t pid, tid;
    int64_t start, end;
    bool open; /* it has no end in the trace */
    bool has_activity;
    uint8_t activity[16];
    uint64_t place; /* of the event that starts it */
};

struct event_spans {
    VEC(struct event_span) list; /* in order of time */
    struct strings *names;
};

/* The trace must outlive the spans. `is_over` ends it early, as in
 * event_options. */
void event_spans_find(struct event_spans *spans, struct event_trace *trace,
                      int (*is_over)(void *context), void *context);
void event_spans_release(struct event_spans *spans);

/* The name of the event that ends "Contention/Start", to be freed; NULL: the
 * name does not say it. */
char *event_ending(const char *event);

/* By activity where an event has one, else by thread. */
uint64_t event_partner_key(const struct event *e);

/*
 * Things that have begun and not ended, numbered from 0 on as they began.
 *
 *     id = open_events_begin(&open, key, kind);
 *     ...
 *     id = open_events_end(&open, key, kind);     // MAP_NONE: nothing began
 */
struct open_events {
    struct map ids;      /* the one that began last */
    VEC(uint32_t) outer; /* that began before with the same key; MAP_NONE */
};

uint32_t open_events_begin(struct open_events *open, uint64_t key,
                           uint32_t kind);
/* The one that would end next; MAP_NONE. */
uint32_t open_events_last(const struct open_events *open, uint64_t key,
                          uint32_t kind);
uint32_t open_events_end(struct open_events *open, uint64_t key, uint32_t kind);
void open_events_release(struct open_events *open);

/* Events that are joined by a field that both have. */
struct event_partners {
    const char *event, *ending, *key;
};

/* A row without an event ends the list. */
extern const struct event_partners event_partners[];

#endif
