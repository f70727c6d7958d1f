#include "tests/support/same_profile.h"

#include <stdio.h>
#include <string.h>

static char different[128];

static const char *differs(const char *what, size_t i, const char *member)
{
    snprintf(different, sizeof(different), "%s[%zu].%s", what, i, member);
    return different;
}

static bool same_text(const struct profile *a, uint32_t x,
                      const struct profile *b, uint32_t y)
{
    return !strcmp(strings_get(a->strings, x), strings_get(b->strings, y));
}

/* Inside EACH: `x` and `y` are the i-th elements of both. */
#define EACH(vec)                                                              \
    const char *what = #vec;                                                   \
    if (a->vec.len != b->vec.len)                                              \
        return differs(what, a->vec.len, "len");                               \
    for (size_t i = 0; i < a->vec.len; i++)
#define X(vec) a->vec.data[i]
#define Y(vec) b->vec.data[i]
#define NUMBER(vec, member)                                                    \
    if (X(vec).member != Y(vec).member)                                        \
    return differs(what, i, #member)
#define TEXT(vec, member)                                                      \
    if (!same_text(a, X(vec).member, b, Y(vec).member))                        \
    return differs(what, i, #member)
#define ONE_NUMBER(member)                                                     \
    if (a->member != b->member)                                                \
    return #member
#define ONE_TEXT(member)                                                       \
    if (!same_text(a, a->member, b, b->member))                                \
    return #member

typedef const char *compare(const struct profile *a, const struct profile *b);

static const char *same_trace(const struct profile *a, const struct profile *b)
{
    ONE_TEXT(trace.format);
    ONE_NUMBER(trace.metric.id);
    ONE_TEXT(trace.metric.word);
    ONE_NUMBER(trace.interval_ns);
    ONE_NUMBER(trace.start_unix_ns);
    ONE_NUMBER(trace.duration_ns);
    ONE_NUMBER(trace.cpus);
    ONE_NUMBER(trace.pointer_size);
    ONE_TEXT(trace.os);
    ONE_TEXT(trace.machine);
    ONE_NUMBER(trace.events);
    EACH(trace.files)
    {
        if (!same_text(a, X(trace.files), b, Y(trace.files)))
            return differs(what, i, "path");
    }
    return NULL;
}

static const char *same_events(const struct profile *a, const struct profile *b)
{
    EACH(trace.event_counts)
    {
        TEXT(trace.event_counts, name);
        NUMBER(trace.event_counts, count);
    }
    return NULL;
}

static const char *same_header(const struct profile *a,
                               const struct profile *b)
{
    EACH(trace.facts)
    {
        TEXT(trace.facts, name);
        TEXT(trace.facts, value);
        NUMBER(trace.facts, caveat);
    }
    return NULL;
}

static const char *same_contents(const struct profile *a,
                                 const struct profile *b)
{
    EACH(trace.contents)
    {
        TEXT(trace.contents, name);
        TEXT(trace.contents, kind);
        NUMBER(trace.contents, size);
        NUMBER(trace.contents, used);
        TEXT(trace.contents, note);
    }
    return NULL;
}

static const char *same_quality(const struct profile *a,
                                const struct profile *b)
{
    ONE_NUMBER(quality.lost_events);
    ONE_NUMBER(quality.lost_buffers);
    ONE_NUMBER(quality.skipped_bytes);
    ONE_NUMBER(quality.skipped_ranges);
    ONE_NUMBER(quality.malformed);
    ONE_NUMBER(quality.event_stacks);
    ONE_NUMBER(quality.undefined_keys);
    ONE_NUMBER(quality.cut_stacks);
    EACH(quality.warnings)
    {
        if (!same_text(a, X(quality.warnings), b, Y(quality.warnings)))
            return differs(what, i, "message");
    }
    return NULL;
}

static const char *same_skipped(const struct profile *a,
                                const struct profile *b)
{
    EACH(quality.skipped)
    {
        TEXT(quality.skipped, file);
        NUMBER(quality.skipped, offset);
        NUMBER(quality.skipped, size);
        TEXT(quality.skipped, reason);
    }
    return NULL;
}

static const char *same_processes(const struct profile *a,
                                  const struct profile *b)
{
    EACH(processes)
    {
        NUMBER(processes, pid);
        NUMBER(processes, parent_pid);
        NUMBER(processes, start);
        NUMBER(processes, end);
        TEXT(processes, name);
        TEXT(processes, command_line);
    }
    return NULL;
}

static const char *same_threads(const struct profile *a,
                                const struct profile *b)
{
    EACH(threads)
    {
        NUMBER(threads, tid);
        NUMBER(threads, process);
        NUMBER(threads, start);
        NUMBER(threads, end);
        TEXT(threads, name);
    }
    return NULL;
}

static const char *same_modules(const struct profile *a,
                                const struct profile *b)
{
    EACH(modules)
    {
        TEXT(modules, path);
        TEXT(modules, name);
        NUMBER(modules, managed);
        TEXT(modules, identity.pdb_name);
        NUMBER(modules, identity.age);
        NUMBER(modules, identity.timestamp);
        NUMBER(modules, identity.image_size);
        NUMBER(modules, identity.build_id_size);
        TEXT(modules, version);
        TEXT(modules, symbols);
        if (memcmp(X(modules).identity.guid, Y(modules).identity.guid, 16))
            return differs(what, i, "guid");
        if (memcmp(X(modules).identity.build_id, Y(modules).identity.build_id,
                   sizeof(X(modules).identity.build_id)))
            return differs(what, i, "build_id");
    }
    return NULL;
}

static const char *same_mappings(const struct profile *a,
                                 const struct profile *b)
{
    EACH(mappings)
    {
        NUMBER(mappings, process);
        NUMBER(mappings, module);
        NUMBER(mappings, base);
        NUMBER(mappings, size);
        NUMBER(mappings, from);
        NUMBER(mappings, to);
    }
    return NULL;
}

/* Methods are no rows of a vector. */
#define METHOD_NUMBER(member)                                                  \
    if (x.member != y.member)                                                  \
    return differs(what, i, #member)
#define METHOD_TEXT(member)                                                    \
    if (!same_text(a, x.member, b, y.member))                                  \
    return differs(what, i, #member)

static const char *same_methods(const struct profile *a,
                                const struct profile *b)
{
    EACH(methods)
    {
        struct method x = methods_get(&a->methods, (uint32_t)i);
        struct method y = methods_get(&b->methods, (uint32_t)i);

        METHOD_NUMBER(process);
        METHOD_NUMBER(start);
        METHOD_NUMBER(size);
        METHOD_NUMBER(from);
        METHOD_NUMBER(to);
        METHOD_TEXT(space);
        METHOD_TEXT(name);
        METHOD_TEXT(signature);
        METHOD_TEXT(full_name);
        METHOD_NUMBER(module);
        METHOD_NUMBER(token);
        METHOD_NUMBER(tier);
    }
    return NULL;
}

static const char *same_locations(const struct profile *a,
                                  const struct profile *b)
{
    EACH(locations)
    {
        NUMBER(locations, address);
        NUMBER(locations, module);
        NUMBER(locations, method);
        NUMBER(locations, kind);
        NUMBER(locations, cause);
        NUMBER(locations, caller);
        if (X(frame_start) != Y(frame_start))
            return differs(what, i, "frame_start");
    }
    return a->frame_start.len == b->frame_start.len ? NULL : "frame_start";
}

static const char *same_frames(const struct profile *a, const struct profile *b)
{
    EACH(frames)
    {
        NUMBER(frames, function);
        TEXT(frames, file);
        NUMBER(frames, line);
        NUMBER(frames, inlined);
    }
    return NULL;
}

static const char *same_functions(const struct profile *a,
                                  const struct profile *b)
{
    EACH(functions)
    {
        TEXT(functions, name);
        TEXT(functions, module);
        NUMBER(functions, address);
        NUMBER(functions, kind);
        NUMBER(functions, cause);
    }
    return NULL;
}

static const char *same_stacks(const struct profile *a, const struct profile *b)
{
    EACH(stacks)
    {
        NUMBER(stacks, parent);
        NUMBER(stacks, location);
    }
    return NULL;
}

static const char *same_samples(const struct profile *a,
                                const struct profile *b)
{
    const struct samples *s = &a->samples, *t = &b->samples;

    if (s->len != t->len || !s->weight != !t->weight ||
        !s->period != !t->period)
        return "samples.len";
    for (size_t i = 0; i < s->len; i++) {
        if (s->time[i] != t->time[i] || s->thread[i] != t->thread[i] ||
            s->stack[i] != t->stack[i] || s->cpu[i] != t->cpu[i] ||
            s->flags[i] != t->flags[i])
            return differs("samples", i, "*");
        if (s->weight && s->weight[i] != t->weight[i])
            return differs("samples", i, "weight");
        if (s->period && s->period[i] != t->period[i])
            return differs("samples", i, "period");
    }
    return NULL;
}

const char *same_profile(const struct profile *a, const struct profile *b)
{
    static compare *const all[] = {
        same_trace,     same_events,    same_header,
        same_contents,  same_quality,   same_skipped,
        same_processes, same_threads,   same_modules, same_mappings,
        same_methods,   same_locations, same_frames,  same_functions,
        same_stacks,    same_samples,
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        const char *what = all[i](a, b);

        if (what)
            return what;
    }
    return NULL;
}
