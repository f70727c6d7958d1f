#include "engine/input/recording.h"

#include <stdlib.h>
#include <string.h>

#include "engine/attribution/thread_time.h"
#include "engine/base/out.h"
#include "engine/base/text.h"
#include "engine/base/unpacking.h"
#include "engine/events/events.h"
#include "engine/input/formats.h"
#include "engine/input/join.h"
#include "engine/input/trace_events.h"
#include "engine/input/weighed_events.h"
#include "engine/store/store.h"

static bool is_used(const struct traces *t, const struct entry *e)
{
    for (size_t i = 0; i < t->entries.len; i++)
        if (t->entries.data[i].name == e->name)
            return true;
    return false;
}

/* Lists the entries of a container, and says which were read. */
static void describe_container(const struct traces *t,
                               const struct container *c, struct profile *p)
{
    static const char *const kinds[] = {
        [ENTRY_OTHER] = "other",
        [ENTRY_TRACE] = "trace",
        [ENTRY_SYMBOLS] = "symbols",
    };

    if (c->warning)
        profile_warn(p, "%s: %s", c->path, c->warning);
    for (size_t i = 0; i < c->count; i++) {
        const struct entry *e = &c->entries[i];
        const char *note = e->damage ? e->damage : e->note ? e->note : "";
        bool used = e->kind == ENTRY_TRACE && is_used(t, e);

        if (e->damage)
            profile_warn(p, "%s: %s", e->name, e->damage);
        if (!*e->inner || i >= CONTENTS_KEPT)
            continue;
        *vec_add(&p->trace.contents) = (struct trace_content){
            .name = strings_add(p->strings, e->name, strlen(e->name)),
            .kind = strings_add(p->strings, kinds[e->kind],
                                strlen(kinds[e->kind])),
            .size = e->claimed,
            .used = used,
            .note = strings_add(p->strings, note, strlen(note)),
        };
    }
}

static bool weighs_threads(const struct trace_format *format)
{
    return format->weighs_threads;
}

static bool chooses_events(const struct trace_format *format)
{
    return format->chooses_events;
}

static bool has_periods(const struct trace_format *format)
{
    return format->has_periods;
}

/* An option that the format does not know would be left out unnoticed: says
 * which formats know it. */
static bool refuse_option(const struct traces *t,
                          const struct trace_format *format,
                          bool (*knows)(const struct trace_format *format),
                          const char *what, struct err *err)
{
    struct out *others = out_memory();
    const char *before = "";
    bool several = false;

    for (size_t i = 0; trace_formats[i]; i++) {
        if (!knows(trace_formats[i]))
            continue;
        out_fmt(others, "%s%s", before, trace_formats[i]->name);
        several = *before != '\0';
        before = ", ";
    }
    err_set(err, ERR_UNSUPPORTED, "%s: is %s: only %s %s %s",
            t->entries.data[0].name, format->name, out_text(others, NULL),
            several ? "have" : "has", what);
    out_close(others, NULL);
    return false;
}

static bool knows_options(const struct traces *t,
                          const struct trace_format *format,
                          const struct read_options *options, struct err *err)
{
    if (options->thread_weights && !format->weighs_threads)
        return refuse_option(t, format, weighs_threads,
                             "samples that --dotnet-trace-weights can weigh",
                             err);
    if (options->periods && !format->has_periods)
        return refuse_option(t, format, has_periods, "periods of samples", err);
    return true;
}

/* Damage, and nothing else: a file without samples may as well be a recording
 * in which nothing happened, and of raw events there may be others. */
static bool nothing_readable(const struct trace_format *format,
                             const struct profile *p)
{
    bool damaged = p->quality.malformed || p->quality.skipped.len;

    return damaged && !p->samples.len && (format->named || !p->trace.events);
}

/* The samples that `observe` adds, while `seen` keeps none. */
static struct samples observe_others(const struct other_samples *others,
                                     struct observations *seen)
{
    struct samples made = {0};

    if (!others)
        return made;
    others->observe(others->context, seen);
    made = seen->samples;
    seen->samples = (struct samples){0};
    return made;
}

static void add_beside(struct observations *seen, struct samples *beside)
{
    observed_ends_state(seen, beside);
    for (size_t i = 0; i < beside->len; i++)
        observe_sample(seen,
                       &(struct observed_sample){
                           .time = beside->time[i],
                           .thread_key = beside->thread[i],
                           .outer = beside->stack[i],
                           .inner = beside->inner[i],
                           .leaf = beside->leaf[i],
                           .weight = 1,
                           .period = beside->period ? beside->period[i] : 0,
                           .cpu = beside->cpu[i],
                           .flags = beside->flags[i],
                       });
    samples_release(beside);
}

static int by_place(const void *x, const void *y)
{
    const struct event_stack_at *a = x, *b = y;

    return (a->place > b->place) - (a->place < b->place);
}

/* Call after attribute(): the stacks of events are known by their places, and
 * are no samples any more. */
static void take_event_stacks(struct profile *p)
{
    struct samples *s = &p->samples;
    uint32_t *order = mem_new(s->len + 1, sizeof(*order));
    bool periods = false;
    size_t n = 0;

    for (size_t i = 0; i < s->len; i++) {
        if (s->flags[i] & SAMPLE_OF_EVENT) {
            uint64_t place = s->period ? s->period[i] : 0;

            if (s->stack[i])
                *vec_add(&p->event_stacks) =
                    (struct event_stack_at){place, s->stack[i]};
            continue;
        }
        periods |= s->period && s->period[i];
        order[n++] = (uint32_t)i;
    }
    if (p->event_stacks.len)
        qsort(p->event_stacks.data, p->event_stacks.len,
              sizeof(*p->event_stacks.data), by_place);
    samples_reorder(s, order, n);
    if (!periods) {
        free(s->period);
        s->period = NULL;
    }
    free(order);
}

/* The last `logs` of the entries belong to the first one. */
static enum err_code read_and_attribute(const struct trace_format *format,
                                        const struct entry *entries,
                                        size_t count, size_t logs,
                                        const struct read_options *options,
                                        struct profile *p, struct err *err)
{
    struct observations *seen = observations_new(p);
    struct samples others, beside;
    uint64_t size = 0;
    enum err_code code;

    p->trace.format =
        strings_add(p->strings, format->name, strlen(format->name));
    seen->naming = event_naming_new();
    if (format->has_switches)
        seen->thread_states = thread_time_states(options->event);
    others = observe_others(options->others, seen);
    beside = observe_others(options->beside, seen);
    code = logs ? join_read(format, entries, logs, options, seen, err)
                : format->read(entries, count, options, seen, err);
    if (!code && seen->thread_states)
        code = thread_time_divide(seen, entries->name, err);
    if (!code && p->quality.negative_values && !p->samples.len)
        code = err_set(err, ERR_UNSUPPORTED,
                       "%s: all of its values are negative (%llu): it is a "
                       "difference of two profiles in which nothing grew",
                       entries->name,
                       (unsigned long long)p->quality.negative_values);
    if (!code && nothing_readable(format, p))
        code =
            err_set(err, ERR_CORRUPT,
                    "%s: no part of it could be read (damaged records: %llu)",
                    entries->name,
                    (unsigned long long)(p->quality.malformed +
                                         p->quality.skipped.len));
    if (options->others) {
        samples_release(&seen->samples);
        seen->samples = others;
        p->trace.idle_not_kept = 0;
        observed_ends_state(seen, &seen->samples);
    }
    event_naming_free(seen->naming);
    add_beside(seen, &beside);
    for (size_t i = 0; i < count; i++)
        size += entries[i].size;
    seen->most_cost = plain_most_of_profile(size + seen->unpacked);
    if (seen->most_cost > unpack_most_of_profile(size))
        seen->most_cost = unpack_most_of_profile(size);
    if (!code && !format->named)
        attribute(seen);
    if (!code && options->beside)
        take_event_stacks(p);
    observations_free(seen);
    return code;
}

enum err_code recording_read(const struct trace_format *format,
                             const struct entry *entries, size_t count,
                             const struct read_options *options,
                             struct profile *p, struct err *err)
{
    return read_and_attribute(format, entries, count, 0, options, p, err);
}

/* A format that has samples of one kind takes only --event of that kind. */
static bool has_event(const struct traces *t, const struct trace_format *format,
                      const struct read_options *options,
                      const struct profile *p, struct err *err)
{
    const char *kind = p->trace.metric.id == METRIC_CPU_SAMPLES
                           ? "cpu"
                           : profile_metric_word(p);
    struct out *what;

    if (!options->event || format->chooses_events ||
        ascii_same(options->event, kind) ||
        (format->has_switches && thread_time_states(options->event)))
        return true;
    what = out_memory();
    out_fmt(what, "events to choose from; --event %s is all there is", kind);
    refuse_option(t, format, chooses_events, out_text(what, NULL), err);
    out_close(what, NULL);
    return false;
}

static struct profile *describe_input(const struct traces *t,
                                      const char *const *paths, size_t count)
{
    struct profile *p = profile_new();

    for (size_t i = 0; i < count; i++)
        *vec_add(&p->trace.files) =
            strings_add(p->strings, paths[i], strlen(paths[i]));
    for (size_t i = 0; i < t->containers.len; i++)
        describe_container(t, t->containers.data[i], p);
    for (size_t i = 0; i < t->notes.len; i++)
        profile_warn(p, "%s", t->notes.data[i]);
    return p;
}

static struct profile *read_traces(struct traces *t, const char *const *paths,
                                   size_t count,
                                   const struct read_options *options,
                                   struct err *err)
{
    const struct trace_format *format = traces_format(t, err);
    struct err why = {0};
    struct profile *p;
    enum err_code code;

    if (!format || !knows_options(t, format, options, err))
        return NULL;
    p = describe_input(t, paths, count);
    code = read_and_attribute(format, t->entries.data, t->entries.len,
                              t->logs, options, p, &why);
    if (code)
        err_set(err, code, "%s", why.message);
    else if (has_event(t, format, options, p, err))
        return p;
    profile_free(p);
    return NULL;
}

static char *id_in_traces(struct traces *t, const char *name)
{
    struct event_trace *trace = traces_events(t, NULL);
    char *id = trace ? event_id_in_trace(trace, name) : NULL;

    event_trace_close(trace);
    return id;
}

/* Events by the names that raw ones have, too. */
static struct profile *read_events(struct traces *t, const char *const *paths,
                                   size_t count,
                                   const struct read_options *options,
                                   struct err *err)
{
    struct read_options by_id = *options;
    char *id = options->event ? event_id_of_name(options->event) : NULL;
    struct profile *p;

    by_id.event_id = id;
    p = read_traces(t, paths, count, &by_id, err);
    free(id);
    if (p || !options->event || err->code != ERR_NOT_FOUND)
        return p;
    id = id_in_traces(t, options->event);
    if (id) {
        *err = (struct err){0};
        by_id.event_id = id;
        p = read_traces(t, paths, count, &by_id, err);
        free(id);
    }
    return p;
}

/* The events take the place of the reader's samples, which it reads, too: it
 * says what is wrong with their name. */
static struct profile *read_weighed(struct traces *t, const char *const *paths,
                                    size_t count,
                                    const struct read_options *options,
                                    struct err *err)
{
    struct read_options with = *options;
    struct event_trace *trace = traces_events(t, err);
    struct weighed_events *w;
    struct profile *p;

    if (!trace)
        return NULL;
    w = weighed_events_new(trace, options);
    with.others = weighed_events_samples(w);
    with.event = weighed_events_read(w);
    p = read_events(t, paths, count, &with, err);
    if (weighed_events_end(w, p, paths[0], err)) {
        profile_free(p);
        p = NULL;
    }
    event_trace_close(trace);
    return p;
}

static struct profile *read_database(const char *path,
                                     const struct read_options *options,
                                     struct err *err)
{
    bool times = !options->without_times || options->periods;
    struct profile *p;

    if (options->event) {
        err_set(err, ERR_USAGE,
                "%s: a database keeps the events it was made with: choose them "
                "when importing",
                path);
        return NULL;
    }
    p = store_read(path, times, err);
    if (p && options->thread_weights &&
        p->trace.metric.id != METRIC_THREAD_TIME) {
        err_set(err, ERR_USAGE,
                "%s: a database keeps the weights it was made with: choose "
                "them when importing",
                path);
        profile_free(p);
        return NULL;
    }
    return p;
}

/* Where all stand for as many events, or it is not known for how many, a
 * database has no periods. */
static struct profile *weighed(struct profile *p, const char *path,
                               struct err *err)
{
    if (!p || p->trace.metric.id == METRIC_PERIODS || !p->samples.len ||
        profile_weigh_by_period(p))
        return p;
    err_set(err, ERR_USAGE,
            "%s: its samples have no periods, or all periods are equal", path);
    profile_free(p);
    return NULL;
}

static struct profile *read_all(struct traces *t, const char *const *paths,
                                size_t count,
                                const struct read_options *options,
                                struct err *err)
{
    struct read_options with = *options;
    const struct trace_format *format;
    struct event_trace *trace = NULL;
    struct other_samples beside;
    struct profile *p;

    if (!with.event)
        with.event = with.default_event;
    if (with.event && options->thread_weights) {
        err_set(err, ERR_USAGE,
                "events are chosen or weighed as dotnet-trace does, not both");
        return NULL;
    }
    if ((options->weight || options->value) && !options->event) {
        err_set(err, ERR_USAGE, "weights and fields are of events: --event NAME");
        return NULL;
    }
    if (traces_open(t, paths, count, err))
        return NULL;
    if (traces_are_database(t))
        return read_database(paths[0], options, err);
    format = traces_format(t, err);
    if (!format)
        return NULL;
    if (options->event_stacks && (trace = traces_events(t, NULL))) {
        beside = event_stacks_beside(trace);
        with.beside = &beside;
    }
    p = weighed_events_asked(&with) && !format->weighs_events
            ? read_weighed(t, paths, count, &with, err)
            : read_events(t, paths, count, &with, err);
    event_trace_close(trace);
    if (p && options->value)
        begin_with_values(p, options->value);
    return p;
}

struct recording *recording_open(const char *const *paths, size_t count,
                                 const struct read_options *options,
                                 struct err *err)
{
    struct recording *r = mem_new(1, sizeof(*r));
    struct traces t = {0};
    struct err own = {0};

    r->profile = read_all(&t, paths, count, options, err ? err : &own);
    if (options->periods)
        r->profile = weighed(r->profile, paths[0], err ? err : &own);
    traces_close_lists(&t);
    r->containers.data = t.containers.data;
    r->containers.len = t.containers.len;
    r->containers.cap = t.containers.cap;
    if (r->profile)
        return r;
    recording_close(r);
    return NULL;
}

void recording_close(struct recording *r)
{
    profile_free(recording_take(r));
}

void recording_close_files(struct recording *r)
{
    if (r->profile)
        saved_names_release(&r->profile->saved);
    for (size_t i = 0; i < r->containers.len; i++)
        container_close(r->containers.data[i]);
    r->containers.len = 0;
}

struct profile *recording_take(struct recording *r)
{
    struct profile *p;

    if (!r)
        return NULL;
    p = r->profile;
    recording_close_files(r);
    vec_release(&r->containers);
    free(r);
    return p;
}
