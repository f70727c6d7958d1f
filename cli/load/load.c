#include "cli/load/load.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/fleet/fleet.h"
#include "cli/load/hints.h"
#include "cli/load/places.h"
#include "engine/analysis/algebra.h"
#include "engine/analysis/waiting.h"
#include "engine/base/threads.h"
#include "engine/events/between.h"
#include "engine/input/trace_events.h"
#include "engine/model/profile.h"
#include "symbols/frame_images.h"

struct stack_frames {
    struct frame_rules_source source;
    const struct options *options;
    struct places places;
    bool ready;        /* the places are filled */
    char *perf_folder; /* for read_options, which has jitdumps; or NULL */
};

static int compare_ranges(const void *a, const void *b)
{
    const struct time_range *x = a, *y = b;

    return (x->from > y->from) - (x->from < y->from);
}

/* In order, those that touch made one. */
static void take_ranges(struct profile *p, time_ranges *ranges)
{
    if (ranges->len)
        qsort(ranges->data, ranges->len, sizeof(*ranges->data), compare_ranges);
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

/* Finds the times in the files that the profile was read from. False, and
 * says why, when they do not tell any. */
static bool mark_between(struct profile *p, const struct options *o,
                         const char *const *files, size_t count,
                         enum status *status)
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

static void *open_image(void *state, const struct profile *p, uint32_t module)
{
    struct stack_frames *f = state;

    if (!f->ready) {
        for (size_t i = 0; i < p->trace.files.len; i++)
            places_add_beside(&f->places,
                              strings_get(p->strings, p->trace.files.data[i]));
        symbol_places(&f->places, f->options);
        f->ready = true;
    }
    return frame_image_open(&f->places, p, module);
}

static void *open_code(void *state, struct bytes eh_frame, uint64_t address)
{
    (void)state;
    return frame_image_of_code(eh_frame, address);
}

static void stack_frames_init(struct stack_frames *f,
                              const struct options *options)
{
    *f = (struct stack_frames){
        .source = {.state = f,
                   .identify = frame_image_identify,
                   .open = open_image,
                   .open_code = open_code,
                   .machine = frame_image_machine,
                   .find = frame_image_find,
                   .is_cut = frame_image_is_cut,
                   .close = frame_image_close},
        .options = options,
        .perf_folder = perf_folder(),
    };
}

enum { KINDS_SAID = 8 };

/* True if a part of the input could not be read. */
static bool is_damaged(const struct profile *p)
{
    return p->quality.skipped_ranges || p->quality.malformed;
}

static const char *string(const struct profile *p, uint32_t id)
{
    return strings_get(p->strings, id);
}

static bool is_one_kind(const struct skipped *a, const struct skipped *b)
{
    return a->file == b->file && a->reason == b->reason;
}

/* The ranges from `first` on that were skipped for its reason. False: one
 * before it was, too, and has told of them. */
static bool warn_of_kind(const struct profile *p, size_t first)
{
    const struct quality *q = &p->quality;
    const struct skipped *list = q->skipped.data, *s = &list[first];
    unsigned long long bytes = 0, count = 0;

    for (size_t i = 0; i < first; i++)
        if (is_one_kind(&list[i], s))
            return false;
    for (size_t i = first; i < q->skipped.len; i++) {
        bytes += is_one_kind(&list[i], s) ? list[i].size : 0;
        count += is_one_kind(&list[i], s);
    }
    if (count > 1)
        say_warning("warning: %s: %llu bytes skipped in %llu ranges, the first "
                    "at 0x%llx: %s",
                    string(p, s->file), bytes, count,
                    (unsigned long long)s->offset, string(p, s->reason));
    else
        say_warning("warning: %s: %llu bytes skipped at 0x%llx: %s",
                    string(p, s->file), bytes, (unsigned long long)s->offset,
                    string(p, s->reason));
    return true;
}

void warn_of_skipped(const struct profile *p)
{
    const struct quality *q = &p->quality;
    size_t said = 0, i;

    for (i = 0; i < q->skipped.len && said < KINDS_SAID; i++)
        said += warn_of_kind(p, i);
    if (i < q->skipped.len)
        say_warning("warning: more ranges skipped; topfn info lists them");
    else if (q->skipped_ranges > q->skipped.len)
        say_warning("warning: %llu more ranges skipped",
                    (unsigned long long)(q->skipped_ranges - q->skipped.len));
}

static void warn_of_damage(const struct profile *p)
{
    const struct quality *q = &p->quality;

    warn_of_skipped(p);
    if (q->malformed)
        say_warning("warning: %llu damaged record%s left out",
                    (unsigned long long)q->malformed,
                    q->malformed == 1 ? "" : "s");
    for (size_t i = 0; i < q->warnings.len; i++)
        say_warning("warning: %s", string(p, q->warnings.data[i]));
}

/* A database keeps the names and stack ends that it was imported with. Code
 * without a name is looked up only when the user says where to look. */
static void name(struct recording *r, const struct options *o,
                 struct naming_log *log)
{
    struct places places = {.paths = {0}};
    struct bar bar;
    struct progress progress = bar_start(&bar);
    struct naming_options options = {
        .places = &places,
        .style = o->names,
        .threads = o->threads,
        /* Servers that are asked have a bar of their own. */
        .progress = o->online ? NULL : &progress,
    };
    bool is_database = r->profile->frame_start.len;

    if (is_database && !o->symbols.len && !o->online)
        return;
    if (is_database)
        symbol_places(&places, o);
    else
        symbol_places_of_trace(&places, r, o);
    name_profile(r->profile, &options, log);
    bar_end(&bar);
    profile_finish(r->profile);
    if (!is_database)
        stack_ends_find(r->profile, &places);
    symbol_places_release(&places);
}

void load_names(struct recording *r, const struct options *o,
                struct naming_log *log)
{
    name(r, o, log);
    profile_finish(r->profile);
    if (demangle_gave_up())
        profile_warn(r->profile, "names that take too long to demangle are "
                                 "shown as the compiler wrote them");
    if (o->no_inlines)
        inlines_fold(r->profile);
    waiting_fold(r->profile);
}

/* Other samples than those of .NET threads have no type. */
static bool has_types(const struct profile *p)
{
    for (size_t i = 0; i < p->samples.len; i++)
        if (p->samples.flags[i] & (SAMPLE_MANAGED | SAMPLE_EXTERNAL))
            return true;
    return !p->samples.len;
}

static bool knows_types(const struct profile *p, const struct options *o)
{
    if (!o->report.filter.types || has_types(p))
        return true;
    say("%s: has %s; --sample-type is for samples of .NET threads, which "
        "nettrace files have (dotnet-trace, netperf)",
        profile_file(p), profile_metric_word(p));
    return false;
}

struct files {
    const char *const *list;
    size_t count;
};

static struct {
    const char *file; /* NULL: none is kept */
    struct recording *recording;
} kept;

/* Prints the warnings of a recording, or the error if there is none (NULL). */
static struct recording *finish(struct recording *r, const struct options *o,
                                const struct files *files,
                                const struct err *err, struct naming_log *log,
                                enum status *status)
{
    if (!r) {
        *status = say_input_error(err);
        return NULL;
    }
    *status = STATUS_USAGE;
    if (!knows_types(r->profile, o) ||
        !mark_between(r->profile, o, files->list, files->count, status)) {
        recording_close(r);
        return NULL;
    }
    if (r != kept.recording)
        load_names(r, o, log);
    warn_of_damage(r->profile);
    *status =
        is_damaged(r->profile) && o->strict ? STATUS_BAD_INPUT : STATUS_OK;
    return r;
}

static const struct input_scheme *const schemes[] = {
    &fleet_scheme,
};

static const struct input_scheme *scheme_of(const char *input)
{
    for (size_t i = 0; i < sizeof(schemes) / sizeof(*schemes); i++)
        if (schemes[i]->has(input))
            return schemes[i];
    return NULL;
}

/* Reads the inputs as one recording. */
static struct recording *read_inputs(const struct options *o,
                                     const char *const *files, size_t count,
                                     enum load_what what,
                                     const struct progress *progress,
                                     bool each_run, struct err *err)
{
    const struct filter *filter = &o->report.filter;
    struct recording *r = NULL;
    struct stack_frames frames;
    struct read_options options = {
        .threads = o->threads,
        .without_times = what >= LOAD_COUNTS && !filter_needs_times(filter) &&
                         !o->report.when && o->report.by != RANK_LABEL,
        .without_idle =
            what == LOAD_BUSY && !o->periods && filter_only_counts_idle(filter),
        .event = o->event,
        .default_event = o->default_event,
        .weight = o->weight,
        .value = o->report.field,
        .symbol_folders = o->symbols.data,
        .symbol_folder_count = o->symbols.len,
        .frames = &frames.source,
        .thread_weights = o->thread_weights,
        .periods = o->periods,
        .event_stacks = what == LOAD_EVENTS,
        .progress = progress,
    };
    const struct input_scheme *scheme = NULL;

    stack_frames_init(&frames, o);
    options.perf_folder = frames.perf_folder;
    for (size_t i = 0; i < count && !scheme; i++)
        scheme = scheme_of(files[i]);
    r = scheme ? scheme->open(o, files, count, &options, each_run, err)
               : recording_open(files, count, &options, err);
    if (frames.ready)
        symbol_places_release(&frames.places);
    free(frames.perf_folder);
    return r;
}

struct recording *load_recording(const struct options *o,
                                 const char *const *files, size_t count,
                                 enum load_what what, struct naming_log *log,
                                 enum status *status)
{
    struct recording *r = NULL;
    struct err err = {0};

    if (kept.file && count == 1 && !strcmp(kept.file, files[0])) {
        r = kept.recording;
    } else {
        struct bar bar;
        struct progress progress = bar_start(&bar);

        r = read_inputs(o, files, count, what, &progress, false, &err);
        bar_end(&bar);
    }
    return finish(r, o, &(struct files){files, count}, &err, log, status);
}

void load_keep(const struct options *o, const char *file)
{
    struct bar bar;
    struct progress progress = bar_start(&bar);
    struct err err = {0};
    struct recording *r =
        read_inputs(o, &file, 1, LOAD_ALL, &progress, false, &err);

    bar_end(&bar);
    if (!r)
        return;
    load_names(r, o, NULL);
    kept.recording = r;
    kept.file = file;
}

struct profile *load(const struct options *o, const char *const *files,
                     size_t count, enum load_what what, enum status *status)
{
    return recording_take(load_recording(o, files, count, what, NULL, status));
}

void load_labels(struct profile *p, const struct options *o)
{
    p->jit_in_modules = true;
    unnamed_fold(p);
    if (o->names != DEMANGLE_SHORT)
        labels_as_recorded(p->labels);
}

void load_for_people(struct profile *p, const struct options *o)
{
    load_labels(p, o);
    waiting_mark(p);
    load_filtered(p, o);
}

void load_filtered(struct profile *p, const struct options *o)
{
    struct algebra_notes notes = {.unmet = {0}};

    warn_of_strangers(p, &o->report.filter);
    algebra_apply(p, &o->report.filter, &notes);
    warn_of_patterns(p, &notes);
    algebra_notes_release(&notes);
}

/* Each reader has threads of its own, too. */
struct loading {
    const struct options *options;
    const char *const *files;
    struct recording **recordings;
    struct err *errors;
    const struct progress *progress; /* of what the caller's thread reads */
};

static void load_one(void *context, size_t task, unsigned worker)
{
    struct loading *l = context;

    l->recordings[task] =
        read_inputs(l->options, &l->files[task], 1, LOAD_ALL,
                    worker ? NULL : l->progress, true, &l->errors[task]);
}

/* Large files are read side by side. Small ones are not, as nobody waits for
 * them, and a reader may need far more memory than the file has bytes. */
static unsigned readers_for(const struct options *o, const char *const *files,
                            size_t count)
{
    enum { SMALL = 32 << 20 };
    uint64_t size = 0;

    for (size_t i = 0; i < count; i++) {
        struct stat st;

        if (stat(files[i], &st))
            return o->threads;
        size += (uint64_t)st.st_size;
    }
    return size < SMALL ? 1 : o->threads;
}

/* Names what the `n` recordings have. False: one of them could not be read. */
static bool finish_each(const struct loading *l, size_t n, enum status *status)
{
    bool all = true;

    for (size_t i = 0; i < n; i++) {
        enum status one = STATUS_OK;
        struct recording **r = &l->recordings[i];

        *r = finish(*r, l->options, &(struct files){&l->files[i], 1},
                    &l->errors[i], NULL, &one);
        all &= *r != NULL;
        if (*r && !l->options->report.with_source)
            recording_close_files(*r);
        if (one && !*status)
            *status = one;
    }
    return all;
}

bool load_recordings(const struct options *o, const char *const *files,
                     size_t count, struct recording **recordings,
                     enum status *status)
{
    struct threads *pool = threads_new(readers_for(o, files, count));
    struct err *errors = mem_new(count, sizeof(*errors));
    bool all = true;

    *status = STATUS_OK;
    if (count > 1)
        mem_return_freed();
    for (size_t done = 0, n = threads_count(pool); done < count; done += n) {
        struct bar bar;
        struct progress progress = bar_start(&bar);
        struct loading l = {o, files + done, recordings + done, errors + done,
                            &progress};

        if (n > count - done)
            n = count - done;
        threads_run(pool, n, load_one, &l);
        bar_end(&bar);
        all &= finish_each(&l, n, status);
    }
    for (size_t i = 0; i < count && !all; i++)
        recording_close(recordings[i]);
    threads_free(pool);
    free(errors);
    return all;
}

bool load_each(const struct options *o, const char *const *files, size_t count,
               struct profile **profiles, enum status *status)
{
    struct recording **recordings = mem_new(count, sizeof(*recordings));
    bool all = load_recordings(o, files, count, recordings, status);

    for (size_t i = 0; i < count && all; i++)
        profiles[i] = recording_take(recordings[i]);
    free(recordings);
    return all;
}
