/*
 * event_naming - what events are called where they are counted.
 *
 *     seen->naming->describe(seen->naming, &description);
 *     name = seen->naming->name(seen->naming, &request);
 *
 * A reader counts events by what its bytes tell of their kind; names come from
 * schemas, built in or in the trace, which are above a reader. So it hands on
 * what describes other events, as it meets it, and asks for names when all was
 * read. They are the names that raw events have.
 */
#ifndef TOPFN_EVENT_NAMING_H
#define TOPFN_EVENT_NAMING_H

#include "engine/base/reader.h"

/* The fields that tell events of one kind from others. Given strings are
 * copied. */
struct kind_request {
    const uint8_t *guid;   /* provider or class */
    const char *provider;  /* where the trace names it; or NULL */
    const char *name;      /* likewise */
    uint16_t hook;         /* of a kernel event; 0 is the log header */
    bool is_hook;
    bool classic;
    uint16_t id, task;
    uint8_t version, opcode, level, width;
    uint64_t keywords;
    /* TraceLogging: the schema in the event, and what names its provider. */
    struct bytes tracelogging, traits;
    /* nettrace: field descriptions, and the form they are in. */
    struct bytes fields, optional;
    bool described, v6;
};

/* An event that describes others: a part of a manifest, or a classic one. */
struct event_description {
    bool manifest;
    const uint8_t *guid;
    uint8_t opcode;    /* of a classic one */
    uint32_t pid, tid; /* who wrote the manifest */
    struct bytes payload;
};

struct event_naming {
    /* The payload is copied as far as it is needed. */
    void (*describe)(struct event_naming *naming,
                     const struct event_description *description);
    /* "Provider/Class/Type"; of the kernel's own, "Class/Type". The text lives
     * as long as the naming. */
    const char *(*name)(struct event_naming *naming,
                        const struct kind_request *kind);
};

#endif
