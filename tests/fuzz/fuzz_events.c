/* A trace of events, from bytes to the text of every field. */
#include "engine/events/schema.h"
#include "engine/model/profile.h"
#include "tests/fuzz/target.h"
#include "tests/support/events_of_bytes.h"

static void walk(struct event_trace *trace, const struct event_options *o)
{
    struct event_cursor *c = event_cursor_new(trace, o);
    const struct event *e;
    uint64_t n = 0;

    while ((e = event_next(c))) {
        struct out *text = out_memory();

        event_payload_json(text, e);
        out_close(text, NULL);
        if (e->number != ++n)
            abort();
    }
    event_cursor_free(c);
}

FUZZ(events)
{
    const struct event_options options[] = {
        {.stacks = true},
        {.unordered = true},
    };
    struct err err = {0};
    struct event_trace *trace = events_of_bytes("fuzz", data, size, &err);

    if (!trace && !*err.message)
        abort();
    for (size_t i = 0; trace && i < 2; i++)
        walk(trace, &options[i]);
    if (trace)
        event_kinds_describe(trace, "*");
    event_trace_close(trace);
    return 0;
}
