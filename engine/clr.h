/*
 * clr - .NET runtime events (methods, modules) as facts, whatever container
 * they came in. Layouts: clr-events.md, section 2.
 */
#ifndef TOPFN_CLR_H
#define TOPFN_CLR_H

#include "engine/facts.h"

enum clr_provider { CLR_RUNTIME, CLR_RUNDOWN };

struct clr_event {
    enum clr_provider provider;
    uint16_t id;
    uint8_t version;
    uint32_t pid;
    int64_t time;
    /* How a managed module is called: its file name ("mscorlib.dll"), or
     * that without the extension. */
    bool name_without_extension;
};

/* Whether clr_event_take would use an event of this kind. */
bool clr_event_wanted(enum clr_provider provider, uint16_t id);

/* Reads the payload into facts. False when it is malformed. The payload must
 * stay valid until facts_finish. */
bool clr_event_take(struct facts *facts, const struct clr_event *event,
                    struct reader *payload);

#endif
