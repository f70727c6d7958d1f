#include "engine/input/join.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/events/events.h"
#include "engine/input/formats.h"

/* Where each kind of fact stood at a moment. */
struct mark {
    size_t processes, threads, images, methods, il_maps, samples;
    uint64_t events;
};

/* Facts about a whole file, which the reader of the next file overwrites. */
struct told {
    struct recorded_metric metric;
    int64_t interval_ns, start_unix_ns, duration_ns;
    uint32_t cpus, pointer_size, os, machine;
};

static struct mark mark_of(const struct observations *seen)
{
    return (struct mark){
        .processes = seen->processes.len,
        .threads = seen->threads.len,
        .images = seen->images.len,
        .methods = seen->methods.len,
        .il_maps = seen->il_maps.len,
        .samples = seen->samples.len,
        .events = seen->profile->trace.events,
    };
}

static struct told told_by(const struct trace_info *t)
{
    return (struct told){
        .metric = t->metric,
        .interval_ns = t->interval_ns,
        .start_unix_ns = t->start_unix_ns,
        .duration_ns = t->duration_ns,
        .cpus = t->cpus,
        .pointer_size = t->pointer_size,
        .os = t->os,
        .machine = t->machine,
    };
}

static void set_told(struct trace_info *t, const struct told *told)
{
    t->metric = told->metric;
    t->interval_ns = told->interval_ns;
    t->start_unix_ns = told->start_unix_ns;
    t->duration_ns = told->duration_ns;
    t->cpus = told->cpus;
    t->pointer_size = told->pointer_size;
    t->os = told->os;
    t->machine = told->machine;
}

/* ---- one clock ---- */

/* Moves all facts from one mark to another by `ns`. */
static void move_facts(struct observations *seen, const struct mark *from,
                       const struct mark *to, int64_t ns)
{
    for (size_t i = from->processes; i < to->processes; i++)
        seen->processes.data[i].time += ns;
    for (size_t i = from->threads; i < to->threads; i++)
        seen->threads.data[i].time += ns;
    for (size_t i = from->images; i < to->images; i++)
        seen->images.data[i].time += ns;
    for (size_t i = from->methods; i < to->methods; i++)
        seen->methods.data[i].time += ns;
    for (size_t i = from->il_maps; i < to->il_maps; i++)
        seen->il_maps.data[i].time += ns;
    for (size_t i = from->samples; i < to->samples; i++)
        seen->samples.time[i] += ns;
}

/* Puts the parts of logs and recording on one clock, whose zero is the
 * earlier start of the two. */
static void join_clocks(struct observations *seen, const struct mark *middle,
                        const struct told *logs, struct told *recording)
{
    const struct mark none = {0}, end = mark_of(seen);
    int64_t later = 0, end_of_logs = logs->duration_ns;

    if (logs->start_unix_ns > 0 && recording->start_unix_ns > 0)
        later = recording->start_unix_ns - logs->start_unix_ns;
    else
        profile_warn(seen->profile,
                     "the recording or its logs do not say when they began; "
                     "topfn assumes that they began together");
    if (later > 0) {
        move_facts(seen, middle, &end, later);
        recording->duration_ns += later;
        recording->start_unix_ns = logs->start_unix_ns;
    } else if (later < 0) {
        move_facts(seen, &none, middle, -later);
        end_of_logs -= later;
    }
    if (recording->duration_ns < end_of_logs)
        recording->duration_ns = end_of_logs;
    profile_fact(seen->profile, "clock of the logs",
                 "begins %.3f ms %s that of the recording",
                 (double)(later < 0 ? -later : later) / 1e6,
                 later < 0 ? "after" : "before");
}

/* ---- what both tell of ---- */

/* Takes the processes and threads of the recording away that logs know. */
static void forget_known_lives(struct observations *seen,
                               const struct mark *middle)
{
    struct map pids = {0}, tids = {0};
    size_t kept = middle->processes;

    for (size_t i = 0; i < middle->processes; i++)
        map_set(&pids, seen->processes.data[i].pid, 0, 0);
    for (size_t i = 0; i < middle->threads; i++)
        map_set(&tids, seen->threads.data[i].tid, 0, 0);
    for (size_t i = kept; i < seen->processes.len; i++)
        if (map_get(&pids, seen->processes.data[i].pid, 0) == MAP_NONE)
            seen->processes.data[kept++] = seen->processes.data[i];
    seen->processes.len = kept;
    kept = middle->threads;
    for (size_t i = kept; i < seen->threads.len; i++)
        if (map_get(&tids, seen->threads.data[i].tid, 0) == MAP_NONE)
            seen->threads.data[kept++] = seen->threads.data[i];
    seen->threads.len = kept;
    map_release(&pids);
    map_release(&tids);
}

/* Takes the images of the logs away that the recording has, too: those of
 * the same process at the same base. */
static void forget_known_images(struct observations *seen,
                                const struct mark *middle)
{
    struct map known = {0};
    size_t kept = 0;

    for (size_t i = middle->images; i < seen->images.len; i++)
        map_set(&known, seen->images.data[i].base, seen->images.data[i].pid, 0);
    for (size_t i = 0; i < seen->images.len; i++) {
        const struct observed_image *image = &seen->images.data[i];

        if (i >= middle->images || image->kernel ||
            map_get(&known, image->base, image->pid) == MAP_NONE)
            seen->images.data[kept++] = *image;
    }
    seen->images.len = kept;
    map_release(&known);
}

/* ---- reading ---- */

/* "kernel.etl: 3 process records, ..." as a fact of the profile. */
static void describe_file(struct profile *p, const struct entry *e,
                          const struct mark *from, const struct mark *to)
{
    profile_fact(p, path_base_name(e->name),
                 "%zu process records, %zu thread records, %zu image records, "
                 "%zu samples, %llu events",
                 to->processes - from->processes, to->threads - from->threads,
                 to->images - from->images, to->samples - from->samples,
                 (unsigned long long)(to->events - from->events));
}

/* Reads each of several logs once more, alone, to describe it. */
static void describe_alone(const struct trace_format *format,
                           const struct entry *log,
                           const struct read_options *options,
                           struct profile *p)
{
    struct profile *own = profile_new();
    struct observations *seen = observations_new(own);
    struct mark start = mark_of(seen), end;
    struct read_options how = *options;
    struct err why = {0};

    how.others = NULL;
    seen->naming = event_naming_new();
    if (format->read(log, 1, &how, seen, &why)) {
        profile_fact(p, path_base_name(log->name), "%s", why.message);
    } else {
        end = mark_of(seen);
        describe_file(p, log, &start, &end);
    }
    event_naming_free(seen->naming);
    observations_free(seen);
    profile_free(own);
}

/* Samples of the logs count where they are of the recording's kind. */
static void choose_samples(struct observations *seen, struct told *logs,
                           struct mark *middle, const struct told *recording)
{
    size_t own = seen->samples.len - middle->samples;

    if (!middle->samples)
        return;
    if (logs->metric.id == recording->metric.id) {
        if (own && logs->interval_ns != recording->interval_ns)
            profile_warn(seen->profile,
                         "the recording and its logs were sampled at different "
                         "intervals, but each sample counts once");
        return;
    }
    profile_warn(seen->profile,
                 "%zu samples of the logs are not counted, because the "
                 "recording counts something else",
                 middle->samples);
    for (size_t i = 0; i < own; i++) {
        struct observed_sample s =
            observed_samples_get(&seen->samples, middle->samples + i);

        if (!i)
            seen->samples.len = 0;
        observed_samples_add(&seen->samples, &s);
    }
    if (!own)
        seen->samples.len = 0;
    middle->samples = 0;
}

enum err_code join_read(const struct trace_format *format,
                        const struct entry *entries, size_t logs,
                        const struct read_options *options,
                        struct observations *seen, struct err *err)
{
    const struct trace_format *of_logs =
        trace_format_named(format->companion_format);
    struct profile *p = seen->profile;
    struct mark start = mark_of(seen), middle, end;
    struct told first, last;
    struct err why = {0};
    enum err_code code;

    code = of_logs->read(entries + 1, logs, options, seen, &why);
    if (code)
        profile_warn(p,
                     "the logs of the recording could be read only in part: %s",
                     why.message);
    first = told_by(&p->trace);
    middle = mark_of(seen);
    if (logs == 1)
        describe_file(p, entries + 1, &start, &middle);
    for (size_t i = 0; logs > 1 && i < logs; i++)
        describe_alone(of_logs, entries + 1 + i, options, p);
    set_told(&p->trace, &(struct told){.os = 0});
    code = format->read(entries, 1, options, seen, err);
    if (code)
        return code;
    last = told_by(&p->trace);
    end = mark_of(seen);
    describe_file(p, entries, &middle, &end);
    join_clocks(seen, &middle, &first, &last);
    choose_samples(seen, &first, &middle, &last);
    forget_known_lives(seen, &middle);
    forget_known_images(seen, &middle);
    samples_sort(&seen->samples, TIME_MIN);
    set_told(&p->trace, &last);
    return ERR_NONE;
}
