#include "tests/support/same_profile.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static bool same_text(const struct profile *a, uint32_t x,
                      const struct profile *b, uint32_t y)
{
    return !strcmp(strings_get(a->strings, x), strings_get(b->strings, y));
}

/* What is compared: bytes, or the text that a number stands for. */
struct member {
    const char *name;
    size_t list, size; /* of a vector of such elements; 0: of the profile */
    size_t at, width;
    bool is_text;
};

#define MEMBER_OF(vec, type, member, is_text)                                  \
    {#vec "." #member, offsetof(struct profile, vec), sizeof(type),            \
     offsetof(type, member), sizeof(((type *)0)->member), is_text}
#define NUMBER(vec, type, member) MEMBER_OF(vec, struct type, member, false)
#define TEXT(vec, type, member) MEMBER_OF(vec, struct type, member, true)
#define ELEMENT(vec, type, is_text)                                            \
    {#vec, offsetof(struct profile, vec), sizeof(type), 0, sizeof(type), is_text}
#define ONE(member, is_text)                                                   \
    {#member, 0, 0, offsetof(struct profile, member),                          \
     sizeof(((struct profile *)0)->member), is_text}

static const struct member members[] = {
    ONE(trace.format, true),
    ONE(trace.metric.id, false),
    ONE(trace.metric.word, true),
    ONE(trace.interval_ns, false),
    ONE(trace.start_unix_ns, false),
    ONE(trace.duration_ns, false),
    ONE(trace.cpus, false),
    ONE(trace.pointer_size, false),
    ONE(trace.os, true),
    ONE(trace.machine, true),
    ONE(trace.events, false),
    ELEMENT(trace.files, uint32_t, true),
    TEXT(trace.event_counts, event_count, name),
    NUMBER(trace.event_counts, event_count, count),
    TEXT(trace.facts, trace_fact, name),
    TEXT(trace.facts, trace_fact, value),
    NUMBER(trace.facts, trace_fact, caveat),
    TEXT(trace.contents, trace_content, name),
    TEXT(trace.contents, trace_content, kind),
    NUMBER(trace.contents, trace_content, size),
    NUMBER(trace.contents, trace_content, used),
    TEXT(trace.contents, trace_content, note),
    ONE(quality.lost_events, false),
    ONE(quality.lost_buffers, false),
    ONE(quality.skipped_bytes, false),
    ONE(quality.skipped_ranges, false),
    ONE(quality.malformed, false),
    ONE(quality.event_stacks, false),
    ONE(quality.undefined_keys, false),
    ONE(quality.cut_stacks, false),
    ELEMENT(quality.warnings, uint32_t, true),
    TEXT(quality.skipped, skipped, file),
    NUMBER(quality.skipped, skipped, offset),
    NUMBER(quality.skipped, skipped, size),
    TEXT(quality.skipped, skipped, reason),
    NUMBER(processes, process, pid),
    NUMBER(processes, process, parent_pid),
    NUMBER(processes, process, start),
    NUMBER(processes, process, end),
    TEXT(processes, process, name),
    TEXT(processes, process, command_line),
    NUMBER(threads, thread, tid),
    NUMBER(threads, thread, process),
    NUMBER(threads, thread, start),
    NUMBER(threads, thread, end),
    TEXT(threads, thread, name),
    TEXT(modules, module, path),
    TEXT(modules, module, name),
    NUMBER(modules, module, managed),
    TEXT(modules, module, identity.pdb_name),
    NUMBER(modules, module, identity.age),
    NUMBER(modules, module, identity.timestamp),
    NUMBER(modules, module, identity.image_size),
    NUMBER(modules, module, identity.guid),
    NUMBER(modules, module, identity.build_id_size),
    NUMBER(modules, module, identity.build_id),
    TEXT(modules, module, version),
    TEXT(modules, module, symbols),
    NUMBER(mappings, mapping, process),
    NUMBER(mappings, mapping, module),
    NUMBER(mappings, mapping, base),
    NUMBER(mappings, mapping, size),
    NUMBER(mappings, mapping, from),
    NUMBER(mappings, mapping, to),
    NUMBER(locations, location, address),
    NUMBER(locations, location, module),
    NUMBER(locations, location, method),
    NUMBER(locations, location, kind),
    NUMBER(locations, location, cause),
    NUMBER(locations, location, caller),
    ELEMENT(frame_start, uint32_t, false),
    NUMBER(frames, frame, function),
    TEXT(frames, frame, file),
    NUMBER(frames, frame, line),
    NUMBER(frames, frame, inlined),
    TEXT(functions, function, name),
    TEXT(functions, function, module),
    NUMBER(functions, function, address),
    NUMBER(functions, function, kind),
    NUMBER(functions, function, cause),
    NUMBER(stacks, stack, parent),
    NUMBER(stacks, stack, location),
};

static bool same_member(const struct member *m, const struct profile *a,
                        const void *x, const struct profile *b, const void *y)
{
    const uint8_t *from_x = (const uint8_t *)x + m->at;
    const uint8_t *from_y = (const uint8_t *)y + m->at;
    uint32_t text[2];

    if (!m->is_text)
        return !memcmp(from_x, from_y, m->width);
    memcpy(&text[0], from_x, sizeof(text[0]));
    memcpy(&text[1], from_y, sizeof(text[1]));
    return same_text(a, text[0], b, text[1]);
}

static bool same_members(const struct member *m, const struct profile *a,
                         const struct profile *b)
{
    VEC(uint8_t) x, y; /* as every vector is */

    if (!m->size)
        return same_member(m, a, a, b, b);
    memcpy(&x, (const uint8_t *)a + m->list, sizeof(x));
    memcpy(&y, (const uint8_t *)b + m->list, sizeof(y));
    if (x.len != y.len)
        return false;
    for (size_t i = 0; i < x.len; i++)
        if (!same_member(m, a, x.data + i * m->size, b, y.data + i * m->size))
            return false;
    return true;
}

/* Methods are no rows of a vector. */
static bool same_methods(const struct profile *a, const struct profile *b)
{
    if (a->methods.len != b->methods.len)
        return false;
    for (uint32_t i = 0; i < a->methods.len; i++) {
        struct method x = methods_get(&a->methods, i);
        struct method y = methods_get(&b->methods, i);

        if (x.process != y.process || x.start != y.start || x.size != y.size ||
            x.from != y.from || x.to != y.to || x.module != y.module ||
            x.token != y.token || x.tier != y.tier ||
            !same_text(a, x.space, b, y.space) ||
            !same_text(a, x.name, b, y.name) ||
            !same_text(a, x.signature, b, y.signature) ||
            !same_text(a, x.full_name, b, y.full_name))
            return false;
    }
    return true;
}

static bool same_samples(const struct samples *s, const struct samples *t)
{
    if (s->len != t->len || !s->weight != !t->weight ||
        !s->period != !t->period)
        return false;
    for (size_t i = 0; i < s->len; i++)
        if (s->time[i] != t->time[i] || s->thread[i] != t->thread[i] ||
            s->stack[i] != t->stack[i] || s->cpu[i] != t->cpu[i] ||
            s->flags[i] != t->flags[i] ||
            (s->weight && s->weight[i] != t->weight[i]) ||
            (s->period && s->period[i] != t->period[i]))
            return false;
    return true;
}

const char *same_profile(const struct profile *a, const struct profile *b)
{
    for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
        if (!same_members(&members[i], a, b))
            return members[i].name;
    if (!same_methods(a, b))
        return "methods";
    return same_samples(&a->samples, &b->samples) ? NULL : "samples";
}
