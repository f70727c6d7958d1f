#include "engine/format/pprof/pprof.h"

#include <stdlib.h>
#include <string.h>

#include "engine/format/pprof/file.h"
#include "engine/model/profile.h"

/*
 * Parts are noted first (parts.c) and read when a sample refers to them
 * (code.c); which of its values counts is said in counts.c.
 */

enum { FIELDS_PROBED = 4096 };

/* ---- samples ---- */

struct labels_met {
    uint64_t pid, tid;
    uint32_t process, thread; /* strings */
};

static uint64_t number_in(struct bytes text)
{
    enum { DIGITS_MOST = 20 }; /* many samples may name one long text */
    uint64_t n = 0;

    if (text.len > DIGITS_MOST)
        return NO_PID;
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] < '0' || text.data[i] > '9' || n > UINT32_MAX)
            return NO_PID;
        n = n * 10 + (text.data[i] - '0');
    }
    return text.len ? n : NO_PID;
}

static void read_label(struct pprof_file *f, struct reader r,
                       struct labels_met *l)
{
    uint64_t key = 0, text = 0, number = 0;
    struct wire_field field;

    while (wire_next(&r, &field)) {
        if (field.number == 1)
            key = field.value;
        else if (field.number == 2)
            text = field.value;
        else if (field.number == 3)
            number = field.value;
    }
    if (text)
        number = number_in(pprof_text(f, text));
    if (pprof_text_is(f, key, "pid"))
        l->pid = number;
    else if (pprof_text_is(f, key, "tid") || pprof_text_is(f, key, "thread_id"))
        l->tid = number;
    else if (text && pprof_text_is(f, key, "process"))
        l->process = pprof_string(f, text);
    else if (text && (pprof_text_is(f, key, "thread") ||
                      pprof_text_is(f, key, "thread_name")))
        l->thread = pprof_string(f, text);
}

/* Of a file that says nothing of it: called as its first module. */
static uint32_t process_of(struct pprof_file *f, const struct labels_met *l)
{
    uint32_t fresh = mem_next_id(f->p->processes.len), name = l->process;
    uint32_t pid = l->pid < NO_PID ? (uint32_t)l->pid : NO_PID, id;

    if (pid == NO_PID && !name && l->tid == NO_PID && f->mappings.len &&
        f->mappings.data[0].module != NO_ID)
        name = f->p->modules.data[f->mappings.data[0].module].name;
    id = map_add(&f->processes, (uint64_t)pid << 32 | name, 0, fresh);
    if (id == fresh)
        named_process(&f->code, pid, name);
    return id;
}

static uint32_t thread_of(struct pprof_file *f, const struct labels_met *l)
{
    uint32_t fresh = mem_next_id(f->p->threads.len);
    uint32_t process = process_of(f, l);
    uint32_t tid = l->tid < NO_PID ? (uint32_t)l->tid : 0;
    uint32_t id =
        map_add(&f->threads, (uint64_t)process << 32 | tid, l->thread, fresh);

    if (l->tid != NO_PID)
        f->knows_threads = true;
    if (id == fresh)
        named_thread(&f->code, process, tid, l->thread);
    return id;
}

typedef VEC(uint32_t) locations_met;

static void add_locations(struct pprof_file *f, struct wire_field field,
                          locations_met *list)
{
    uint64_t id;

    while (wire_number(&field, &id)) {
        uint32_t location = pprof_location(f, id);

        if (location == NO_ID)
            f->p->quality.malformed++;
        else
            *vec_add(list) = location;
    }
}

/* The value that is read, of the fields that hold them; `at` counts. */
static int64_t read_value(struct pprof_file *f, struct wire_field field,
                          size_t *at, int64_t value)
{
    uint64_t n;

    while (wire_number(&field, &n))
        if ((*at)++ == f->value)
            value = (int64_t)n;
    return value;
}

static void put_sample(struct pprof_file *f, const struct labels_met *labels,
                       const locations_met *list, int64_t value)
{
    struct named_stack stack = {0};

    if (value < 0)
        named_negative(&f->code);
    if (value <= 0)
        return;
    for (size_t i = list->len; i-- > 0;)
        stack = named_push(&f->code, stack, list->data[i]);
    named_sample(&f->code,
                 &(struct named_sample){.thread = thread_of(f, labels),
                                        .stack = stack.whole,
                                        .weight = (uint64_t)value});
}

static void read_sample(struct pprof_file *f, struct reader r,
                        locations_met *list)
{
    struct labels_met labels = {.pid = NO_PID, .tid = NO_PID};
    struct wire_field field;
    int64_t value = 0;
    size_t at = 0;

    list->len = 0;
    while (wire_next(&r, &field)) {
        if (field.number == 1)
            add_locations(f, field, list);
        else if (field.number == 2)
            value = read_value(f, field, &at, value);
        else if (field.number == 3 && field.is_message)
            read_label(f, field.message, &labels);
    }
    if (r.failed || at != f->types.len)
        f->p->quality.malformed++;
    else
        put_sample(f, &labels, list, value);
}

static void read_samples(struct pprof_file *f)
{
    locations_met list = {0};

    for (size_t i = 0; i < f->samples.len && !f->code.full; i++)
        read_sample(f, f->samples.data[i], &list);
    vec_release(&list);
}

/* ---- the file ---- */

static void describe(struct pprof_file *f)
{
    struct trace_info *t = &f->p->trace;
    uint64_t ns = unit_nanoseconds(strings_get(
        f->p->strings, pprof_string(f, f->period_type.unit)));

    if (pprof_text(f, f->drop_frames).len)
        profile_warn(f->p,
                     "the file wants pprof to drop frames (drop_frames): they "
                     "are kept here");
    t->start_unix_ns = (int64_t)f->time;
    t->duration_ns = f->duration < INT64_MAX ? (int64_t)f->duration : 0;
    if (ns && !profile_counts_time(f->p) && f->period < INT64_MAX / ns)
        t->interval_ns = (int64_t)(f->period * ns);
    profile_count_event(f->p, "sample", f->samples.len);
}

static void finish(struct pprof_file *f)
{
    char unsaid[64] = "";

    if (!f->knows_threads)
        strcat(unsaid, "threads, ");
    strcat(unsaid, "times, ");
    if (!f->knows_addresses)
        strcat(unsaid, "addresses, ");
    strcat(unsaid, "losses");
    named_code_end(&f->code, unsaid);
}

static void release(struct pprof_file *f)
{
    vec_release(&f->samples);
    vec_release(&f->functions);
    vec_release(&f->strings);
    free(f->texts);
    vec_release(&f->types);
    vec_release(&f->mappings);
    vec_release(&f->mapping_parts);
    vec_release(&f->locations);
    map_release(&f->mapping_ids);
    map_release(&f->location_ids);
    map_release(&f->function_ids);
    map_release(&f->processes);
    map_release(&f->threads);
}

static enum err_code read_file(const struct entry *e,
                               const struct read_options *options,
                               struct profile *p, struct err *err)
{
    struct reader r = reader_of(e->name, e->data, e->size, 0, NULL);
    struct pprof_file f = {.p = p, .code = named_code_from(p, e)};
    enum err_code code;

    pprof_note_parts(&f, &r);
    f.texts = mem_new(f.strings.len, sizeof(*f.texts));
    if (r.failed)
        profile_skip(p, e->name, r.pos, e->size - r.pos, "damaged");
    code = pprof_choose_metric(&f, options->event, e->name, err);
    if (!code) {
        pprof_read_mappings(&f);
        describe(&f);
        read_samples(&f);
    }
    finish(&f);
    release(&f);
    return code;
}

static enum err_code pprof_read(const struct entry *entries, size_t count,
                                const struct read_options *options,
                                struct observations *seen, struct err *err)
{
    (void)count;
    return read_file(entries, options, seen->profile, err);
}

/* A type of samples: a message of two numbers, each a string. */
static bool is_type(struct reader r)
{
    struct wire_field part;

    while (wire_next(&r, &part))
        if (part.number > 2 || part.is_message)
            return false;
    return !r.failed;
}

/* Fields that a profile has, each of its kind, and a type of samples among
 * the first. */
static enum format_probe pprof_probe(const uint8_t *data, size_t size)
{
    static const uint16_t messages =
        1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 11 | 1 << 13;
    struct reader r = reader_of("", data, size, 0, NULL);
    struct wire_field f;
    bool types = false;

    for (size_t i = 0; i < FIELDS_PROBED && wire_next(&r, &f); i++) {
        if (f.number > 15 || (f.number < 15 && f.number != 13 &&
                              f.is_message != (messages >> f.number & 1)))
            return PROBE_NO;
        if (types && i > 2)
            return PROBE_MAYBE;
        if (f.number == 1 && !is_type(f.message))
            return PROBE_NO;
        types |= f.number == 1;
    }
    return types ? PROBE_MAYBE : PROBE_NO;
}

const struct trace_format pprof_format = {
    .name = "pprof",
    .summary = "pprof profile (profile.proto)",
    .recorders = "Go, pprof, Parca, Pyroscope",
    .named = true,
    .chooses_events = true,
    .alone = true,
    .probe = pprof_probe,
    .read = pprof_read,
};
