/*
 * Profiles of OpenTelemetry (OTLP, profiles/v1development): a message of
 * Protocol Buffers or JSON, as profilers send it to a collector.
 *
 * A message has profiles of several resources, each with one type of samples,
 * and one dictionary for all. The types of all profiles are what --event
 * chooses from; the profiles of the chosen type are read together. A collector
 * writes many messages into a file. (format.md)
 */
#include <string.h>

#include "engine/base/text.h"
#include "engine/format/named.h"
#include "engine/format/otlp/messages.h"
#include "engine/model/profile.h"

/* ---- what is counted, and how it is laid out ---- */

/* The type of a profile, which is one of the list if it was met before. */
static size_t type_of(struct otlp_file *f, uint32_t type, uint32_t unit)
{
    for (size_t i = 0; i < f->types.list.len; i++)
        if (f->types.list.data[i].type == type &&
            f->types.list.data[i].unit == unit)
            return i;
    *vec_add(&f->types.list) = (struct sample_type){.type = type, .unit = unit};
    return f->types.list.len - 1;
}

/* The period of samples tells their clock. */
static void note_types(struct otlp_file *f)
{
    enum { TYPES_MOST = 1000 };

    for (size_t i = 0; i < f->profiles.len; i++) {
        struct otlp_profile *profile = &f->profiles.data[i];
        struct otlp_dictionary *d = otlp_tables(f, profile);
        uint32_t type = otlp_string(d, profile->type.type);
        uint32_t period = otlp_string(d, profile->period_type.type);

        profile->kind =
            f->types.list.len < TYPES_MOST
                ? type_of(f, type, otlp_string(d, profile->type.unit))
                : TYPES_MOST;
        if (profile->kind < TYPES_MOST)
            f->types.list.data[profile->kind].used |= profile->used;
        if (period && (!f->types.period_type ||
                       !strcmp(strings_get(f->p->strings, type), "samples")))
            f->types.period_type = period;
    }
}

static enum err_code choose_layout(struct otlp_file *f, struct err *err)
{
    const struct layout_votes *v = &f->votes;

    if (f->is_old)
        return err_set(err, ERR_UNSUPPORTED,
                       "%s: an OTLP profile of opentelemetry-proto 1.7 or "
                       "older; topfn reads 1.8 to 1.11: record it with a "
                       "newer profiler",
                       f->name);
    if (v->of_1_8 && v->of_1_10)
        return err_set(err, ERR_UNSUPPORTED,
                       "%s: an OTLP profile in a layout that topfn does not "
                       "know: %zu samples are as in opentelemetry-proto 1.8, "
                       "%zu as in 1.10",
                       f->name, v->of_1_8, v->of_1_10);
    f->layout = v->of_1_8 ? LAYOUT_1_8 : LAYOUT_1_10;
    profile_fact(f->p, "layout", "opentelemetry-proto %s",
                 f->of_json                ? "1.8 or newer"
                 : f->layout == LAYOUT_1_8 ? "1.8 or 1.9"
                                           : "1.10 or newer");
    if (f->unknown_fields)
        profile_warn(f->p, "fields that topfn does not know are left out: the "
                           "file may be newer than opentelemetry-proto 1.11");
    return ERR_NONE;
}

/* ---- samples ---- */

struct otlp_sample {
    uint64_t stack;
    struct otlp_labels labels;
};

static void apply_attributes(struct otlp_dictionary *d, struct otlp_labels *l,
                             struct wire_field field)
{
    uint64_t index;

    while (wire_number(&field, &index)) {
        const struct otlp_attribute *a = otlp_attribute(d, index);

        if (a)
            otlp_apply_attribute(l, a);
        else
            d->code->profile->quality.malformed++;
    }
}

/* Eight bytes each, packed or alone. */
static void read_times(struct otlp_file *f, struct wire_field field)
{
    if (!field.is_message)
        *vec_add(&f->times) = field.value;
    while (field.is_message && reader_more(&field.message))
        *vec_add(&f->times) = reader_u64(&field.message);
}

static uint32_t thread_of(struct otlp_file *f, const struct otlp_labels *l)
{
    struct named_thread_ids ids = l->ids;

    if (!ids.process)
        ids.process = l->path ? l->path : l->service;
    f->knows_threads |= ids.tid != NO_PID;
    return named_thread_of(&f->code, &ids);
}

/* The time of a sample that has none is that of its profile. */
static int64_t time_at(const struct otlp_file *f, size_t i, uint64_t otherwise)
{
    uint64_t time = i < f->times.len ? f->times.data[i] : otherwise;

    return time && time < INT64_MAX ? (int64_t)time : TIME_MIN;
}

/* Without values each time is a 1, and one value is that of all times. */
static void put_values(struct otlp_file *f, const struct otlp_profile *profile,
                       const struct otlp_sample *sample, uint32_t stack)
{
    size_t count = f->times.len ? f->times.len : f->values.len;
    struct named_sample s = {.thread = thread_of(f, &sample->labels),
                             .stack = stack};

    for (size_t i = 0; i < count; i++) {
        int64_t value = 1;

        if (f->values.len)
            value = (int64_t)f->values.data[f->values.len > 1 ? i : 0];
        if (value < 0)
            named_negative(&f->code);
        s.weight = value > 0 ? (uint64_t)value : 0;
        s.time = time_at(f, i, profile->time);
        named_sample(&f->code, &s);
    }
}

static void read_sample(struct otlp_file *f, const struct otlp_profile *profile,
                        struct reader r)
{
    bool old = f->layout == LAYOUT_1_8;
    uint32_t values = old ? VALUES_1_8 : VALUES_1_10;
    uint32_t attributes = old ? ATTRIBUTES_1_8 : ATTRIBUTES_1_10;
    struct otlp_sample sample = {.labels = profile->labels};
    struct wire_field field;
    uint32_t stack = 0;
    uint64_t n;

    f->values.len = f->times.len = 0;
    while (wire_next(&r, &field)) {
        if (field.number == STACK_INDEX)
            sample.stack = field.value;
        else if (field.number == attributes)
            apply_attributes(otlp_tables(f, profile), &sample.labels, field);
        else if (field.number == values)
            while (wire_number(&field, &n))
                *vec_add(&f->values) = n;
        else if (field.number == TIMESTAMPS)
            read_times(f, field);
        else if (field.number == (old ? LINK_1_8 : LINK_1_10))
            f->linked += field.value != 0;
    }
    if (r.failed || !(f->values.len + f->times.len) ||
        (f->times.len && f->values.len > 1 && f->values.len != f->times.len) ||
        !otlp_stack(otlp_tables(f, profile), sample.stack, &stack))
        f->p->quality.malformed++;
    else
        put_values(f, profile, &sample, stack);
    f->samples++;
}

static void read_samples(struct otlp_file *f,
                         const struct otlp_profile *profile)
{
    struct reader r =
        reader_of(f->name, profile->bytes.data, profile->bytes.len, 0, NULL);
    struct wire_field field;

    while (!f->code.full && wire_next(&r, &field))
        if (field.number == 2 && field.is_message)
            read_sample(f, profile, field.message);
}

/* ---- the file ---- */

/* The recording begins with its first profile or sample. Times in the first
 * year of the clock count from the beginning of the recording. */
static void set_times(struct otlp_file *f)
{
    static const int64_t year = 365LL * 24 * 3600 * 1000000000;
    struct samples *s = &f->p->samples;
    int64_t start = TIME_MAX, end = TIME_MIN;

    for (size_t i = 0; i < f->profiles.len; i++) {
        const struct otlp_profile *profile = &f->profiles.data[i];
        int64_t time = (int64_t)profile->time, until;

        if (profile->kind != f->types.chosen ||
            __builtin_add_overflow(time, (int64_t)profile->duration, &until))
            continue;
        if (time > 0 && time < start)
            start = time;
        if (until > end)
            end = until;
    }
    for (size_t i = 0; i < s->len; i++) {
        if (s->time[i] != TIME_MIN && s->time[i] < start)
            start = s->time[i];
        if (s->time[i] > end)
            end = s->time[i];
    }
    if (start == TIME_MAX || start < year)
        start = 0;
    for (size_t i = 0; i < s->len; i++)
        s->time[i] = s->time[i] == TIME_MIN ? 0 : s->time[i] - start;
    f->p->trace.start_unix_ns = start;
    f->p->trace.duration_ns = end > start ? end - start : 0;
}

static void describe_otlp(struct otlp_file *f)
{
    uint64_t spans = 0;

    for (size_t i = 0; i < f->profiles.len; i++) {
        const struct otlp_profile *profile = &f->profiles.data[i];
        uint32_t unit =
            otlp_string(otlp_tables(f, profile), profile->period_type.unit);
        uint64_t ns = unit_nanoseconds(strings_get(f->p->strings, unit));

        if (profile->kind == f->types.chosen && ns && profile->period &&
            !profile_counts_time(f->p) && profile->period < INT64_MAX / ns) {
            f->p->trace.interval_ns = (int64_t)(profile->period * ns);
            break;
        }
    }
    profile_count_event(f->p, "sample", f->samples);
    /* The first link of a table stands for none. */
    for (size_t i = 0; i < f->batches.len; i++)
        spans += f->batches.data[i].tables.links > 0
                     ? f->batches.data[i].tables.links - 1
                     : 0;
    if (f->linked)
        profile_number(f->p, "samples linked to spans", f->linked,
                       "%llu, to %llu span%s", (unsigned long long)f->linked,
                       (unsigned long long)spans, spans == 1 ? "" : "s");
}

static void finish_otlp(struct otlp_file *f)
{
    char unsaid[64] = "";
    bool addresses = false;

    set_times(f);
    for (size_t i = 0; i < f->batches.len; i++) {
        addresses |= f->batches.data[i].tables.knows_addresses;
        otlp_dictionary_release(&f->batches.data[i].tables);
        proto_release(&f->batches.data[i].wire);
    }
    if (!f->knows_threads)
        strcat(unsaid, "threads, ");
    if (!profile_has_times(f->p))
        strcat(unsaid, "times, ");
    if (!addresses)
        strcat(unsaid, "addresses, ");
    strcat(unsaid, "losses");
    named_code_end(&f->code, unsaid);
    vec_release(&f->batches);
    sample_types_release(&f->types);
    vec_release(&f->profiles);
    vec_release(&f->values);
    vec_release(&f->times);
    map_release(&f->facts);
}

/* `damage` is what keeps the file from being read if it has no profile. */
static enum err_code check_profiles(struct otlp_file *f,
                                    const struct err *damage, struct err *err)
{
    size_t stacks = 0, used = 0;

    for (size_t i = 0; i < f->batches.len; i++)
        stacks += f->batches.data[i].tables.stacks.rows.len;
    for (size_t i = 0; i < f->profiles.len; i++)
        used += f->profiles.data[i].used;
    if (f->profiles.len && (stacks || !used))
        return ERR_NONE;
    if (damage->code)
        return err_set(err, damage->code, "%s", damage->message);
    if (f->is_cut)
        return err_set(err, ERR_TRUNCATED,
                       "%s: the file ends in the middle of a message", f->name);
    return err_set(err, ERR_CORRUPT, "%s: %s", f->name,
                   used ? "the dictionary with its stacks is missing"
                        : "no profile is in it");
}

static enum err_code read_profiles(struct otlp_file *f, const char *event,
                                   struct err *err)
{
    enum err_code code;

    note_types(f);
    code = sample_types_choose(&f->types, &f->code, event, f->name, err);
    for (size_t i = 0; !code && i < f->profiles.len; i++)
        if (f->profiles.data[i].kind == f->types.chosen)
            read_samples(f, &f->profiles.data[i]);
    if (!code)
        describe_otlp(f);
    return code;
}

static enum err_code otlp_read(const struct entry *e, size_t count,
                               const struct read_options *options,
                               struct observations *seen, struct err *err)
{
    struct otlp_file f = {.p = seen->profile,
                          .name = e->name,
                          .code = named_code_from(seen->profile, e)};
    struct err damage = {0};
    enum err_code code;

    (void)count;
    otlp_note_file(&f, e, &damage);
    code = choose_layout(&f, err);
    if (!code)
        code = check_profiles(&f, &damage, err);
    if (!code)
        code = read_profiles(&f, options->event, err);
    finish_otlp(&f);
    return code;
}

const struct trace_format otlp_format = {
    .name = "otlp",
    .summary = "OpenTelemetry profile (OTLP)",
    .named = true,
    .chooses_events = true,
    .alone = true,
    .probe = otlp_probe,
    .read = otlp_read,
};
