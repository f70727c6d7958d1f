#include "engine/events/event_text.h"

#include <inttypes.h>
#include <stdio.h>

void event_rest_text(struct out *out, const struct event *e,
                     const struct event_decoder *d)
{
    struct bytes rest = event_rest(d);
    struct event_value v = {.kind = FIELD_BYTES, .bytes = rest};
    struct event_decoder none = {.schema = NULL};

    if (!rest.len || (e->kind->schema && !d->stopped))
        return;
    event_value_text(out, &none, &v);
    out_fmt(out, " (%zu byte%s%s%s)", rest.len, rest.len == 1 ? "" : "s",
            d->stopped ? "; " : "", d->stopped ? d->stopped : "");
}

void event_payload_text(struct out *out, const struct event *e,
                        const char *separator, bool named)
{
    struct event_decoder d = event_decode(e);
    struct out *rest = out_memory();
    const char *before = "";
    struct event_value v;

    while (event_next_field(&d, &v)) {
        out_str(out, before);
        if (named)
            out_fmt(out, "%s=", v.field->name);
        event_value_text(out, &d, &v);
        before = separator;
    }
    event_rest_text(rest, e, &d);
    if (*out_text(rest, NULL))
        out_fmt(out, "%s%s", before, out_text(rest, NULL));
    out_close(rest, NULL);
}

/* 100 ns units since 1601 of a time in a trace; 0 for a trace without a
 * start. */
static uint64_t filetime(const struct event_trace *trace, int64_t time)
{
    enum { NS = 100 };
    const int64_t unix_epoch = 116444736000000000;
    int64_t start = event_trace_start(trace);
    int64_t since;

    if (!start)
        return 0;
    /* Rounded down, as clocks are read. */
    since = start / NS + time / NS + (start % NS + time % NS) / NS;
    return (uint64_t)(since + unix_epoch);
}

void event_stamp_text(char *text, const struct event_trace *trace,
                      int64_t time)
{
    uint64_t stamp = filetime(trace, time);

    if (stamp)
        event_time_text(text, stamp);
    else
        snprintf(text, EVENT_TIME_SIZE, "%s%" PRId64 ".%09" PRId64,
                 time < 0 ? "-" : "", (time < 0 ? -time : time) / 1000000000,
                 (time < 0 ? -time : time) % 1000000000);
}
