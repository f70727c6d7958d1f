#include "engine/input/trace_events.h"

#include <stdlib.h>
#include <string.h>

#include "engine/input/formats.h"
#include "engine/store/store.h"

struct event_trace *traces_events(struct traces *t, struct err *err)
{
    const struct trace_format *format = traces_format(t, err);

    if (format && t->logs)
        return event_trace_of(trace_format_named(format->companion_format),
                              t->entries.data + 1, t->logs, err);
    return format ? event_trace_of(format, t->entries.data, t->entries.len, err)
                  : NULL;
}

static void close_traces(void *owner)
{
    traces_close(owner);
    free(owner);
}

struct event_trace *event_trace_open(const char *const *paths, size_t count,
                                     struct err *err)
{
    struct traces *traces = mem_new(1, sizeof(*traces));
    struct event_trace *trace = NULL;

    if (!traces_open(traces, paths, count, err)) {
        if (traces_are_database(traces))
            store_refuse_events(paths[0], err);
        else
            trace = traces_events(traces, err);
    }
    if (trace)
        event_trace_own(trace, close_traces, traces);
    else
        close_traces(traces);
    return trace;
}

/* ---- stacks ---- */

/* The events that are walked before. */
struct walk {
    struct event_trace *trace;
    const struct event_options *options;
    uint64_t limit, most; /* events; stacks */
    bool cut;
    struct map known;   /* of event_sample */
    VEC(int64_t) times; /* of the samples, in the cursor's order */
};

/* The call chain of the frames [first, end) of the event's stack. */
static uint32_t observe_part(struct observations *seen, struct map *known,
                             const struct event *e, uint32_t first,
                             uint32_t end)
{
    struct callchain run = {.count = end - first, .width = e->stack_width};
    uint32_t chain = MAP_NONE;
    uint64_t place;

    if (!run.count)
        return 0;
    run.frames = e->stack + (size_t)first * e->stack_width;
    place = (uint64_t)(uintptr_t)run.frames;
    if (e->stack_lasts)
        chain = map_get(known, place, run.count);
    if (chain != MAP_NONE)
        return chain;
    chain = callchains_add(&seen->callchains, &run, callchain_fingerprint(&run),
                           e->stack_lasts);
    if (e->stack_lasts)
        map_set(known, place, run.count, chain);
    return chain;
}

struct observed_sample event_sample(struct observations *seen,
                                    struct map *known, const struct event *e)
{
    uint32_t pid = e->stack_pid == EVENT_UNKNOWN ? NO_PID : e->stack_pid;
    uint32_t kernel = e->stack_kernel;

    return (struct observed_sample){
        .time = e->time,
        .thread_key = observe_thread_key(seen, e->stack_tid, pid),
        .outer = observe_part(seen, known, e, kernel, e->stack_count),
        .inner = observe_part(seen, known, e, 0, kernel),
        .weight = 1,
        .cpu = e->cpu < NO_CPU ? (uint16_t)e->cpu : NO_CPU,
    };
}

static void observe(void *context, struct observations *seen)
{
    struct walk *w = context;
    struct event_cursor *c = event_cursor_new(w->trace, w->options);
    struct observed_sample sample;
    const struct event *e;

    for (uint64_t n = 0; (!w->limit || n < w->limit) && (e = event_next(c));
         n++) {
        if (!e->stack_count)
            continue;
        w->cut = e->stack_lasts && w->times.len >= w->most;
        if (w->cut)
            break;
        sample = event_sample(seen, &w->known, e);
        observe_sample(seen, &sample);
        *vec_add(&w->times) = e->time;
    }
    map_release(&w->known);
    event_cursor_free(c);
}

static void observe_beside(void *context, struct observations *seen)
{
    struct event_options options = {.stacks = true, .unordered = true};
    struct event_cursor *c = event_cursor_new(context, &options);
    uint64_t left = samples_most(event_trace_size(context));
    struct map known = {0};
    const struct event *e;

    while ((e = event_next(c))) {
        struct observed_sample sample;

        if (!e->stack_count)
            continue;
        if (e->stack_lasts && !left--)
            break;
        sample = event_sample(seen, &known, e);
        sample.flags = SAMPLE_OF_EVENT;
        sample.period = e->place;
        observe_sample(seen, &sample);
    }
    map_release(&known);
    event_cursor_free(c);
}

struct other_samples event_stacks_beside(struct event_trace *trace)
{
    return (struct other_samples){observe_beside, trace};
}

/* ---- which sample is whose ---- */

struct timed {
    int64_t time;
    uint32_t number;
};

static int compare_timed(const void *a, const void *b)
{
    const struct timed *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* A profile puts samples in order of time, those of the same as they came. */
static uint32_t *find_samples(const int64_t *times, size_t count)
{
    struct timed *order = mem_new(count + 1, sizeof(*order));
    uint32_t *samples = mem_new(count + 1, sizeof(*samples));

    for (size_t i = 0; i < count; i++)
        order[i] = (struct timed){times[i], (uint32_t)i};
    qsort(order, count, sizeof(*order), compare_timed);
    for (size_t i = 0; i < count; i++)
        samples[order[i].number] = (uint32_t)i;
    free(order);
    return samples;
}

/* ---- the profile ---- */

static void name_files(struct profile *p, const struct traces *sources)
{
    for (size_t i = 0; i < sources->containers.len; i++) {
        const char *path = sources->containers.data[i]->path;

        *vec_add(&p->trace.files) = strings_add(p->strings, path, strlen(path));
    }
}

struct event_stacks *event_stacks_read(struct event_trace *trace,
                                       const struct event_options *options,
                                       uint64_t limit,
                                       const struct read_options *read,
                                       struct err *err)
{
    const struct traces *sources = event_trace_owner(trace);
    const struct entry *entries = sources->entries.data;
    struct walk walk = {.trace = trace, .options = options, .limit = limit};
    struct other_samples others = {observe, &walk};
    struct read_options with = *read;
    struct event_stacks *s = mem_new(1, sizeof(*s));
    struct profile *p = profile_new();
    enum err_code code;

    with.others = &others;
    name_files(p, sources);
    walk.most = samples_most(event_trace_size(trace));
    s->recording.profile = p;
    s->recording.containers.data = sources->containers.data;
    s->recording.containers.len = sources->containers.len;
    code = recording_read(trace_format_of(entries->data, entries->size),
                          entries, sources->entries.len, &with, p, err);
    s->samples = find_samples(walk.times.data, walk.times.len);
    s->count = walk.times.len;
    s->cut = walk.cut;
    vec_release(&walk.times);
    if (!code)
        return s;
    event_stacks_free(s);
    return NULL;
}

void event_stacks_free(struct event_stacks *s)
{
    if (!s)
        return;
    saved_names_release(&s->recording.profile->saved);
    profile_free(s->recording.profile);
    free(s->samples);
    free(s);
}

uint32_t event_stack(const struct event_stacks *s, size_t number)
{
    const struct samples *samples = &s->recording.profile->samples;
    uint32_t sample = s->samples[number];

    return sample < samples->len ? samples->stack[sample] : 0;
}
