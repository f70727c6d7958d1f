#include "cli/load/between.h"

#include <stdlib.h>

#include "cli/terminal/say.h"
#include "engine/events/between.h"
#include "engine/input/trace_events.h"

static int compare_ranges(const void *a, const void *b)
{
    const struct time_range *x = a, *y = b;

    return (x->from > y->from) - (x->from < y->from);
}

/* In order, those that touch made one. */
static void take_ranges(struct profile *p, time_ranges *ranges)
{
    if (ranges->len)
        qsort(ranges->data, ranges->len, sizeof(*ranges->data),
              compare_ranges);
    for (size_t i = 0; i < ranges->len; i++) {
        const struct time_range *r = &ranges->data[i];
        struct time_range *last =
            p->between.len ? &p->between.data[p->between.len - 1] : NULL;

        if (!last || last->to < r->from)
            *vec_add(&p->between) = *r;
        else if (last->to < r->to)
            last->to = r->to;
    }
}

bool mark_between(struct profile *p, const struct options *o,
                  const char *const *files, size_t count, enum status *status)
{
    const struct words *words = &o->report.filter.between;
    time_ranges ranges = {0};
    struct event_trace *trace;
    struct err err = {0};

    if (!words->len)
        return true;
    trace = event_trace_open(files, count, &err);
    for (size_t i = 0; i < words->len && !err.code; i++)
        events_between(trace, files[0], words->data[i], &ranges, &err);
    event_trace_close(trace);
    if (!err.code)
        take_ranges(p, &ranges);
    else
        say("%s", err.message);
    vec_release(&ranges);
    if (err.code)
        *status = err.code == ERR_NOT_FOUND || err.code == ERR_UNSUPPORTED
                      ? STATUS_USAGE
                      : status_of_input(err.code);
    return !err.code;
}
