#include "tests/support/events_of_bytes.h"

#include "engine/input/trace_events.h"

struct event_trace *events_of_bytes(const char *name, const void *data,
                                    size_t size, struct err *err)
{
    struct traces traces = {.logs = 0};
    struct event_trace *trace;

    *vec_add(&traces.entries) = (struct entry){
        .name = name,
        .inner = "",
        .kind = ENTRY_TRACE,
        .data = data,
        .size = size,
    };
    trace = traces_events(&traces, err);
    traces_close(&traces);
    return trace;
}
