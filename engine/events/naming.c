/* A trace without events: kinds are described to it, and asked for. */
#include "engine/events/naming.h"

#include <stdlib.h>
#include <string.h>

#include "engine/events/builtin.h"
#include "engine/events/trace_impl.h"

struct naming {
    struct event_naming face;
    struct event_trace trace;
};

static void describe(struct event_naming *face,
                     const struct event_description *d)
{
    struct event_trace *trace = &((struct naming *)face)->trace;

    if (d->manifest)
        schemas_take_manifest(trace, d->guid, d->pid, d->tid, d->payload);
    else
        schemas_take_classic(trace, d->guid, d->opcode, d->payload);
}

static const char *name(struct event_naming *face,
                        const struct kind_request *request)
{
    struct event_trace *trace = &((struct naming *)face)->trace;
    const struct event_kind *k = &event_kind_of(trace, request)->kind;

    return strcmp(k->provider, builtin_providers[0].name) == 0
               ? k->full_name
               : kind_full_name(&trace->arena, k->provider, k->full_name);
}

struct event_naming *event_naming_new(void)
{
    struct naming *n = mem_new(1, sizeof(*n));

    n->face = (struct event_naming){describe, name};
    n->trace.notes = profile_new();
    n->trace.surveyed = true; /* by the reader */
    return &n->face;
}

void event_naming_free(struct event_naming *naming)
{
    event_trace_forget(&((struct naming *)naming)->trace);
    free(naming);
}
