#include "engine/recording.h"

#include <stdlib.h>
#include <string.h>

#include "engine/attribution/attribute.h"
#include "engine/base/out.h"
#include "engine/base/text.h"
#include "engine/foreign.h"
#include "engine/formats.h"
#include "engine/store/store.h"

/* A recording whose profile is being made. */
struct opened {
    struct recording *recording;
    VEC(struct entry) entries; /* traces of all containers, in order */
};

/* More are no recording, and every one is unpacked. */
enum { MOST_TRACES = 4096 };

static enum err_code refuse_without_traces(const struct container *c,
                                           struct err *err)
{
    return err_set(err, ERR_UNSUPPORTED,
                   "%s: a %s file with %zu entries, none of them a trace",
                   c->path, c->kind->name, c->count);
}

/* A trace that cannot be unpacked is a warning if there are others. */
static enum err_code load_traces(struct opened *o, struct container *c,
                                 struct err *err)
{
    struct err first = {0};
    size_t traces = 0, loaded = 0;

    for (size_t i = 0; i < c->count; i++) {
        struct entry *e = &c->entries[i];

        if (e->kind != ENTRY_TRACE)
            continue;
        if (++traces > MOST_TRACES)
            return err_set(err, ERR_LIMIT, "%s: more than %d traces", c->path,
                           MOST_TRACES);
        if (container_load(c, i, &first)) {
            e->damage = "cannot be unpacked";
            continue;
        }
        *vec_add(&o->entries) = *e;
        loaded++;
    }
    if (!traces)
        return refuse_without_traces(c, err);
    return loaded ? ERR_NONE : err_set(err, first.code, "%s", first.message);
}

static enum err_code open_all(struct opened *o, const char *const *paths,
                              size_t count, struct err *err)
{
    for (size_t i = 0; i < count; i++) {
        struct container *c = container_open(paths[i], err);

        if (!c)
            return err->code;
        *vec_add(&o->recording->containers) = c;
        if (load_traces(o, c, err))
            return err->code;
    }
    return ERR_NONE;
}

static void refuse_unknown(const struct entry *e, struct err *err)
{
    const struct foreign *kind = foreign_of(e->data, e->size);

    if (!kind)
        err_set(err, ERR_UNSUPPORTED,
                "%s: offset 0x0: not a trace of a known format", e->name);
    else
        err_set(err, ERR_UNSUPPORTED, "%s: not a trace: %s%s%s", e->name,
                kind->name, kind->advice ? "; " : "",
                kind->advice ? kind->advice : "");
}

/* The one format of all entries. */
static const struct trace_format *common_format(const struct opened *o,
                                                struct err *err)
{
    const struct trace_format *common = NULL;

    for (size_t i = 0; i < o->entries.len; i++) {
        const struct entry *e = &o->entries.data[i];
        const struct trace_format *format;

        if (!e->size) {
            err_set(err, ERR_TRUNCATED, "%s: the file is empty", e->name);
            return NULL;
        }
        format = trace_format_of(e->data, e->size);
        if (!format) {
            refuse_unknown(e, err);
            return NULL;
        }
        if (common && format != common) {
            err_set(err, ERR_UNSUPPORTED,
                    "%s: is %s, but %s is %s: read them one by one", e->name,
                    format->name, o->entries.data[0].name, common->name);
            return NULL;
        }
        common = format;
    }
    return common;
}

/* Of what a container holds, a file named like a trace that is none. */
static bool is_foreign(const struct entry *e)
{
    return *e->inner && (!e->size || !trace_format_of(e->data, e->size));
}

/* Leaves out files of containers that are no traces, if others are. */
static void drop_foreign(struct opened *o)
{
    size_t kept = 0;

    for (size_t i = 0; i < o->entries.len; i++)
        kept += !is_foreign(&o->entries.data[i]);
    if (!kept)
        return;
    kept = 0;
    for (size_t i = 0; i < o->entries.len; i++)
        if (!is_foreign(&o->entries.data[i]))
            o->entries.data[kept++] = o->entries.data[i];
    o->entries.len = kept;
}

static bool is_used(const struct opened *o, const struct entry *e)
{
    for (size_t i = 0; i < o->entries.len; i++)
        if (o->entries.data[i].name == e->name)
            return true;
    return false;
}

/* What is in a container, and what became of it. */
static void describe_container(const struct opened *o,
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
        bool used = e->kind == ENTRY_TRACE && is_used(o, e);

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

/* An option that the format does not know would be left out unnoticed: says
 * which formats know it. */
static bool refuse_option(const struct opened *o,
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
        before = " and ";
    }
    err_set(err, ERR_UNSUPPORTED, "%s: is %s: only %s %s %s",
            o->entries.data[0].name, format->name, out_text(others, NULL),
            several ? "have" : "has", what);
    out_close(others, NULL);
    return false;
}

static bool knows_options(const struct opened *o,
                          const struct trace_format *format,
                          const struct read_options *options, struct err *err)
{
    if (options->thread_weights && !format->weighs_threads)
        return refuse_option(o, format, weighs_threads,
                             "what dotnet-trace weighs", err);
    return true;
}

enum err_code recording_read(const struct trace_format *format,
                             const struct entry *entries, size_t count,
                             const struct read_options *options,
                             struct profile *p, struct err *err)
{
    struct observations *seen = observations_new(p);
    enum err_code code;

    p->trace.format =
        strings_add(p->strings, format->name, strlen(format->name));
    code = format->read(entries, count, options, seen, err);
    if (!code && !format->named)
        attribute(seen);
    observations_free(seen);
    return code;
}

/* Of a format that has samples of one kind, `event` is that or wrong. */
static bool has_event(const struct opened *o, const struct trace_format *format,
                      const struct read_options *options,
                      const struct profile *p, struct err *err)
{
    const char *kind = p->trace.metric.id == METRIC_CPU_SAMPLES
                           ? "cpu"
                           : profile_metric_word(p);
    struct out *what;

    if (!options->event || format->chooses_events ||
        ascii_same(options->event, kind))
        return true;
    what = out_memory();
    out_fmt(what, "events to choose from; --event %s is all there is", kind);
    refuse_option(o, format, chooses_events, out_text(what, NULL), err);
    out_close(what, NULL);
    return false;
}

static struct profile *read_traces(struct opened *o, const char *const *paths,
                                   size_t count,
                                   const struct read_options *options,
                                   struct err *err)
{
    const struct trace_format *format;
    struct profile *p;

    drop_foreign(o);
    format = common_format(o, err);
    if (!format || !knows_options(o, format, options, err))
        return NULL;
    p = profile_new();
    for (size_t i = 0; i < count; i++)
        *vec_add(&p->trace.files) =
            strings_add(p->strings, paths[i], strlen(paths[i]));
    for (size_t i = 0; i < o->recording->containers.len; i++)
        describe_container(o, o->recording->containers.data[i], p);
    if (!recording_read(format, o->entries.data, o->entries.len, options, p,
                        err) &&
        has_event(o, format, options, p, err))
        return p;
    profile_free(p);
    return NULL;
}

static bool is_database(const struct opened *o)
{
    return o->entries.len == 1 && !*o->entries.data[0].inner &&
           store_probe(o->entries.data[0].data, o->entries.data[0].size);
}

static struct profile *read_database(const char *path,
                                     const struct read_options *options,
                                     struct err *err)
{
    struct store_options store = {.times = !options->without_times};
    struct profile *p;

    if (options->event) {
        err_set(err, ERR_USAGE,
                "%s: a database holds the events it was made with: choose "
                "them when importing", path);
        return NULL;
    }
    p = store_read(path, &store, err);
    if (p && options->thread_weights &&
        p->trace.metric.id != METRIC_THREAD_TIME) {
        err_set(err, ERR_USAGE,
                "%s: a database holds the weights it was made with: choose "
                "them when importing", path);
        profile_free(p);
        return NULL;
    }
    return p;
}

static struct profile *read_all(struct opened *o, const char *const *paths,
                                size_t count,
                                const struct read_options *options,
                                struct err *err)
{
    if (options->event && options->thread_weights) {
        err_set(err, ERR_USAGE,
                "events are chosen or weighed as dotnet-trace does, not both");
        return NULL;
    }
    if (open_all(o, paths, count, err))
        return NULL;
    return is_database(o) ? read_database(paths[0], options, err)
                          : read_traces(o, paths, count, options, err);
}

struct recording *recording_open(const char *const *paths, size_t count,
                                 const struct read_options *options,
                                 struct err *err)
{
    struct recording *r = mem_new(1, sizeof(*r));
    struct opened o = {.recording = r};
    struct err own = {0};

    r->profile = read_all(&o, paths, count, options, err ? err : &own);
    vec_release(&o.entries);
    if (r->profile)
        return r;
    recording_close(r);
    return NULL;
}

void recording_close(struct recording *r)
{
    profile_free(recording_take(r));
}

struct profile *recording_take(struct recording *r)
{
    struct profile *p = r ? r->profile : NULL;

    if (p)
        saved_names_release(&p->saved);
    for (size_t i = 0; r && i < r->containers.len; i++)
        container_close(r->containers.data[i]);
    if (r)
        vec_release(&r->containers);
    free(r);
    return p;
}
