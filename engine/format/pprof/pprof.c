/*
 * Profiles of github.com/google/pprof (profile.proto): Go, gperftools in newer
 * versions, many others; most often packed by gzip.
 *
 * A file counts several things ("samples" and "cpu", or "alloc_space");
 * one of them is read, --event says which.
 *
 * Parts of a file are noted in one pass, and read when a sample refers to them.
 * (format.md, section 1)
 */
#include <stdlib.h>
#include <string.h>

#include "engine/attribution/named_code.h"
#include "engine/base/wire.h"
#include "engine/format/named.h"
#include "engine/format/otlp/dictionary.h"
#include "engine/format/pprof/sample_types.h"
#include "engine/model/profile.h"

enum pprof_field {
    SAMPLE_TYPE = 1,
    SAMPLE,
    MAPPING,
    LOCATION,
    FUNCTION,
    STRING_TABLE,
    DROP_FRAMES, /* a string: which frames pprof does not show */
    TIME = 9,
    DURATION,
    PERIOD_TYPE,
    PERIOD,
    DEFAULT_TYPE = 14,
    FIELDS
};

struct pprof_file {
    struct profile *p;
    struct named_code code;
    struct otlp_dictionary tables;
    VEC(struct bytes) samples;
    VEC(struct otlp_type) type_parts;
    struct sample_types types; /* the same, with the texts */
    VEC(uint32_t) stack;       /* locations of the sample that is read */
    struct otlp_type period_type;
    uint64_t numbers[FIELDS]; /* of fields that are numbers */
    bool knows_threads;
};

static uint32_t string_at(struct pprof_file *f, uint64_t id)
{
    return otlp_string(&f->tables, id);
}

static void note_part(struct pprof_file *f, const struct wire_field *field)
{
    static const uint16_t messages = 0x7E | 1 << PERIOD_TYPE; /* those below */
    struct reader r = field->message;
    struct bytes bytes = {r.base, r.len};

    if (field->number >= FIELDS ||
        field->is_message != (messages >> field->number & 1))
        return;
    switch (field->number) {
    case SAMPLE_TYPE:
        *vec_add(&f->type_parts) = otlp_read_type(r);
        break;
    case SAMPLE:
        *vec_add(&f->samples) = bytes;
        break;
    case MAPPING:
        otlp_note_row(&f->tables.mappings, r);
        break;
    case LOCATION:
        otlp_note_row(&f->tables.locations, r);
        break;
    case FUNCTION:
        otlp_note_row(&f->tables.functions, r);
        break;
    case STRING_TABLE:
        *vec_add(&f->tables.strings.rows) = (struct otlp_row){.bytes = bytes};
        break;
    case PERIOD_TYPE:
        f->period_type = otlp_read_type(r);
        break;
    default:
        f->numbers[field->number] = field->value;
    }
}

/* ---- which of the values of a sample is read ---- */

static struct reader sample_reader(const struct pprof_file *f, size_t i)
{
    return reader_of("", f->samples.data[i].data, f->samples.data[i].len, 0,
                     NULL);
}

/* Notes for each type whether any value is not 0. */
static void note_used_types(struct pprof_file *f)
{
    for (size_t i = 0; i < f->samples.len; i++) {
        struct reader r = sample_reader(f, i);
        struct wire_field field;
        size_t at = 0;
        uint64_t n;

        while (wire_next(&r, &field))
            while (field.number == 2 && wire_number(&field, &n)) {
                if (at < f->types.list.len && n)
                    f->types.list.data[at].used = true;
                at++;
            }
    }
}

/* Chooses `event`, or what the file or custom prefers where it is NULL. */
static enum err_code choose_metric(struct pprof_file *f, const char *event,
                                   const char *name, struct err *err)
{
    for (size_t i = 0; i < f->type_parts.len; i++)
        *vec_add(&f->types.list) = (struct sample_type){
            .type = string_at(f, f->type_parts.data[i].type),
            .unit = string_at(f, f->type_parts.data[i].unit)};
    f->types.default_type = string_at(f, f->numbers[DEFAULT_TYPE]);
    f->types.period_type = string_at(f, f->period_type.type);
    if (!event)
        note_used_types(f);
    return sample_types_choose(&f->types, &f->code, event, name, err);
}

/* ---- samples ---- */

struct labels_met {
    uint64_t pid, tid;
    uint32_t process, thread; /* strings */
};

static void read_label(struct pprof_file *f, struct reader r,
                       struct labels_met *l)
{
    uint64_t values[4] = {0};
    uint64_t text, number;
    struct bytes key;

    wire_numbers(r, values, 4);
    key = otlp_text(&f->tables, values[1]);
    text = values[2];
    number = text ? named_number(otlp_text(&f->tables, text)) : values[3];
    if (bytes_are(key, "pid"))
        l->pid = number;
    else if (bytes_are(key, "tid") || bytes_are(key, "thread_id"))
        l->tid = number;
    else if (text && bytes_are(key, "process"))
        l->process = string_at(f, text);
    else if (text &&
             (bytes_are(key, "thread") || bytes_are(key, "thread_name")))
        l->thread = string_at(f, text);
}

/* Where the file does not name the process, its first module does. */
static uint32_t thread_of(struct pprof_file *f, const struct labels_met *l)
{
    struct named_thread_ids ids = {.pid = named_id(l->pid),
                                   .tid = named_id(l->tid),
                                   .process = l->process,
                                   .thread = l->thread};
    uint32_t first = f->tables.read_mappings.len
                         ? f->tables.read_mappings.data[0].module
                         : NO_ID;

    if (ids.tid != NO_PID)
        f->knows_threads = true;
    else if (ids.pid == NO_PID && !ids.process && first != NO_ID)
        ids.process = f->p->modules.data[first].name;
    return named_thread_of(&f->code, &ids);
}

static void add_locations(struct pprof_file *f, struct wire_field field)
{
    uint64_t id;

    while (wire_number(&field, &id)) {
        uint32_t location = otlp_location(&f->tables, id);

        if (location == NO_ID)
            f->p->quality.malformed++;
        else
            *vec_add(&f->stack) = location;
    }
}

/* The value that is read, of the fields that hold them; `at` counts. */
static int64_t read_value(struct pprof_file *f, struct wire_field field,
                          size_t *at, int64_t value)
{
    uint64_t n;

    while (wire_number(&field, &n))
        if ((*at)++ == f->types.chosen)
            value = (int64_t)n;
    return value;
}

static void put_sample(struct pprof_file *f, const struct labels_met *labels,
                       int64_t value)
{
    struct named_stack stack;

    if (value < 0)
        named_negative(&f->code);
    if (value <= 0)
        return;
    stack = named_stack_of(&f->code, f->stack.data, f->stack.len);
    named_sample(&f->code,
                 &(struct named_sample){.thread = thread_of(f, labels),
                                        .stack = stack.whole,
                                        .weight = (uint64_t)value});
}

static void read_sample(struct pprof_file *f, struct reader r)
{
    struct labels_met labels = {.pid = NO_PID, .tid = NO_PID};
    struct wire_field field;
    int64_t value = 0;
    size_t at = 0;

    f->stack.len = 0;
    while (wire_next(&r, &field)) {
        if (field.number == 1)
            add_locations(f, field);
        else if (field.number == 2)
            value = read_value(f, field, &at, value);
        else if (field.number == 3 && field.is_message)
            read_label(f, field.message, &labels);
    }
    if (r.failed || at != f->types.list.len)
        f->p->quality.malformed++;
    else
        put_sample(f, &labels, value);
}

/* ---- the file ---- */

static void describe_pprof(struct pprof_file *f)
{
    struct trace_info *t = &f->p->trace;
    uint64_t ns = unit_nanoseconds(
        strings_get(f->p->strings, string_at(f, f->period_type.unit)));

    if (otlp_text(&f->tables, f->numbers[DROP_FRAMES]).len)
        profile_warn(f->p, "the file asks pprof to drop frames (drop_frames); "
                           "topfn keeps them");
    t->start_unix_ns = (int64_t)f->numbers[TIME];
    t->duration_ns =
        f->numbers[DURATION] < INT64_MAX ? (int64_t)f->numbers[DURATION] : 0;
    if (ns && !profile_counts_time(f->p) && f->numbers[PERIOD] < INT64_MAX / ns)
        t->interval_ns = (int64_t)(f->numbers[PERIOD] * ns);
    profile_count_event(f->p, "sample", f->samples.len);
}

static enum err_code pprof_read(const struct entry *e, size_t count,
                                const struct read_options *options,
                                struct observations *seen, struct err *err)
{
    struct profile *p = seen->profile;
    struct reader r = reader_of(e->name, e->data, e->size, 0, NULL);
    struct pprof_file f = {.p = p,
                           .code = named_code_from(p, e),
                           .tables = {.code = &f.code, .of_pprof = true}};
    char unsaid[64] = "";
    struct wire_field field;
    enum err_code code;

    (void)count;
    while (wire_next(&r, &field))
        note_part(&f, &field);
    if (r.failed)
        profile_skip(p, e->name, r.pos, e->size - r.pos, "damaged");
    code = choose_metric(&f, options->event, e->name, err);
    if (!code) {
        otlp_read_mappings(&f.tables);
        describe_pprof(&f);
        for (size_t i = 0; i < f.samples.len && !f.code.full; i++)
            read_sample(&f, sample_reader(&f, i));
    }
    if (!f.knows_threads)
        strcat(unsaid, "threads, ");
    strcat(unsaid, f.tables.knows_addresses ? "times, losses"
                                            : "times, addresses, losses");
    named_code_end(&f.code, unsaid);
    otlp_dictionary_release(&f.tables);
    sample_types_release(&f.types);
    vec_release(&f.samples);
    vec_release(&f.type_parts);
    vec_release(&f.stack);
    return code;
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
    enum { FIELDS_PROBED = 4096 };
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
    .named = true,
    .chooses_events = true,
    .alone = true,
    .probe = pprof_probe,
    .read = pprof_read,
};
