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
#include "engine/format/pprof/sample_types.h"
#include "engine/model/profile.h"

typedef VEC(struct reader) parts;

struct value_type {
    uint64_t type, unit; /* strings */
};

struct noted_mapping {
    uint64_t start, offset;
    uint32_t module; /* of the profile; NO_ID: no name */
};

struct noted_location {
    struct reader bytes;
    uint32_t location; /* of the profile; NO_ID: not yet */
};

struct noted_function {
    struct reader bytes;
    bool known; /* its texts were read */
    uint32_t name, file;
};

struct pprof_file {
    struct profile *p;
    struct named_code code;
    parts samples, strings, mapping_parts;
    uint32_t *texts; /* by string: that of the profile + 1; 0: not yet */
    VEC(struct value_type) type_parts;
    struct sample_types types; /* the same, with the texts */
    VEC(struct noted_mapping) mappings;
    VEC(struct noted_location) locations;
    VEC(struct noted_function) functions;
    struct map mapping_ids, location_ids, function_ids;
    struct value_type period_type;
    uint64_t period, time, duration, default_type;
    uint64_t drop_frames; /* a string: which ones pprof does not show */
    uint64_t drop;        /* a string: which frames pprof leaves out */
    bool knows_threads, knows_addresses;
};

/* ---- texts and parts ---- */

/* A text of the file's table; empty if there is none of that number. */
static struct bytes text_at(const struct pprof_file *f, uint64_t id)
{
    if (id >= f->strings.len)
        return (struct bytes){(const uint8_t *)"", 0};
    return (struct bytes){f->strings.data[id].base, f->strings.data[id].len};
}

/* Gone through once, as many may name a string that is long. */
static uint32_t string_at(struct pprof_file *f, uint64_t id)
{
    struct bytes text = text_at(f, id);

    if (id >= f->strings.len)
        return 0;
    if (!f->texts[id])
        f->texts[id] =
            strings_add(f->p->strings, (const char *)text.data, text.len) + 1;
    return f->texts[id] - 1;
}

static bool text_is(const struct pprof_file *f, uint64_t id, const char *word)
{
    struct bytes text = text_at(f, id);

    return text.len == strlen(word) && !memcmp(text.data, word, text.len);
}

static struct value_type read_type(struct reader r)
{
    struct value_type type = {0};
    struct wire_field field;

    while (wire_next(&r, &field)) {
        if (field.number == 1)
            type.type = field.value;
        else if (field.number == 2)
            type.unit = field.value;
    }
    return type;
}

/* The number that field 1 of a part is: its id. */
static uint64_t id_of(struct reader r)
{
    struct wire_field field;

    while (wire_next(&r, &field))
        if (field.number == 1)
            return field.value;
    return 0;
}

static void note_part(struct pprof_file *f, const struct wire_field *field)
{
    static const uint16_t messages = 0x7E | 1 << 11; /* of those below */
    struct reader r = field->message;

    if (field->number > 14 ||
        field->is_message != (messages >> field->number & 1))
        return;
    switch (field->number) {
    case 1:
        *vec_add(&f->type_parts) = read_type(r);
        break;
    case 2:
        *vec_add(&f->samples) = r;
        break;
    case 3:
        *vec_add(&f->mapping_parts) = r;
        break;
    case 4:
        map_add(&f->location_ids, id_of(r), 0, (uint32_t)f->locations.len);
        *vec_add(&f->locations) = (struct noted_location){r, NO_ID};
        break;
    case 5:
        map_add(&f->function_ids, id_of(r), 0, (uint32_t)f->functions.len);
        *vec_add(&f->functions) = (struct noted_function){.bytes = r};
        break;
    case 6:
        *vec_add(&f->strings) = r;
        break;
    case 7:
        f->drop_frames = field->value;
        break;
    case 9:
        f->time = field->value;
        break;
    case 10:
        f->duration = field->value;
        break;
    case 11:
        f->period_type = read_type(r);
        break;
    case 12:
        f->period = field->value;
        break;
    case 14:
        f->default_type = field->value;
        break;
    }
}

/* ---- code: what becomes the profile's when it is met first ---- */

enum { MOST_INLINED = 64 };

static void read_mapping(struct pprof_file *f, struct reader r)
{
    struct noted_mapping m = {.module = NO_ID};
    struct bytes build_id = {0};
    struct module *module;
    struct wire_field field;
    uint64_t id = 0;
    uint32_t path = 0;

    while (wire_next(&r, &field)) {
        if (field.number == 1)
            id = field.value;
        else if (field.number == 2)
            m.start = field.value;
        else if (field.number == 4)
            m.offset = field.value;
        else if (field.number == 5)
            path = string_at(f, field.value);
        else if (field.number == 6)
            build_id = text_at(f, field.value);
    }
    if (path) {
        m.module = named_module(&f->code, path);
        module = &f->p->modules.data[m.module];
        /* Addresses in a file become offsets in it. A mapping from
         * nowhere near the beginning of one is no file: the kernel. */
        module->by_file_offset |= *strings_get(f->p->strings, path) == '/' &&
                                  m.offset < (uint64_t)1 << 48;
        /* Several mappings may be of one module: the first says what it is. */
        if (!module->identity.build_id_size && !module->identity.timestamp)
            code_id_read(&module->identity, (const char *)build_id.data,
                         build_id.len);
    }
    map_add(&f->mapping_ids, id, 0, (uint32_t)f->mappings.len);
    *vec_add(&f->mappings) = m;
}

/* Reads a function once, since each location may name the same long one. NULL:
 * the file has none of that number. */
static const struct noted_function *function_of(struct pprof_file *f,
                                                uint64_t id)
{
    uint32_t at = map_get(&f->function_ids, id, 0);
    struct noted_function *function;
    struct wire_field field;

    if (at == MAP_NONE)
        return NULL;
    function = &f->functions.data[at];
    if (function->known)
        return function;
    function->known = true;
    while (wire_next(&function->bytes, &field)) {
        if (field.number == 2 || (field.number == 3 && !function->name))
            function->name = string_at(f, field.value); /* 3: as mangled */
        else if (field.number == 4)
            function->file = string_at(f, field.value);
    }
    return function;
}

static struct named_frame read_line(struct pprof_file *f, struct reader r)
{
    const struct noted_function *function = NULL;
    struct named_frame frame = {0};
    struct wire_field field;

    while (wire_next(&r, &field)) {
        if (field.number == 1)
            function = function_of(f, field.value);
        else if (field.number == 2 && field.value < UINT32_MAX)
            frame.line = (uint32_t)field.value;
    }
    if (function) {
        frame.name = function->name;
        frame.file = function->file;
    }
    return frame;
}

struct read_location {
    uint64_t mapping, address;
    struct named_frame frames[MOST_INLINED];
    size_t count;
};

static void read_location(struct pprof_file *f, struct reader r,
                          struct read_location *l)
{
    struct wire_field field;

    while (wire_next(&r, &field)) {
        if (field.number == 2)
            l->mapping = field.value;
        else if (field.number == 3)
            l->address = field.value;
        else if (field.number == 4 && field.is_message &&
                 l->count < MOST_INLINED)
            l->frames[l->count++] = read_line(f, field.message);
    }
}

/* Where it was, and what it is called. An address in a file is kept: names can
 * be looked for. */
static uint32_t add_location(struct pprof_file *f, struct read_location *l)
{
    uint32_t at = map_get(&f->mapping_ids, l->mapping, 0);
    const struct noted_mapping *m =
        at == MAP_NONE || !l->mapping ? NULL : &f->mappings.data[at];
    uint32_t module = m ? m->module : NO_ID;
    uint32_t path = module == NO_ID ? 0 : f->p->modules.data[module].path;

    for (size_t i = 0; i < l->count; i++)
        l->frames[i].module = path;
    if (l->address)
        f->knows_addresses = true;
    return named_location_at(&f->code, module,
                             m && l->address >= m->start
                                 ? l->address - m->start + m->offset
                                 : l->address,
                             l->frames, l->count);
}

/* The profile's location; NO_ID: the file has none of that number. */
static uint32_t location_of(struct pprof_file *f, uint64_t id)
{
    uint32_t at = map_get(&f->location_ids, id, 0);
    struct read_location l = {0};

    if (at == MAP_NONE)
        return NO_ID;
    if (f->locations.data[at].location == NO_ID) {
        read_location(f, f->locations.data[at].bytes, &l);
        f->locations.data[at].location = add_location(f, &l);
    }
    return f->locations.data[at].location;
}

/* ---- which of the values of a sample is read ---- */

/* Notes for each type whether any value is not 0. */
static void note_used_types(struct pprof_file *f)
{
    for (size_t i = 0; i < f->samples.len; i++) {
        struct reader r = f->samples.data[i];
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
    f->types.default_type = string_at(f, f->default_type);
    f->types.period_type = string_at(f, f->period_type.type);
    if (!event)
        note_used_types(f);
    return sample_types_choose(&f->types, &f->code, event, name, err);
}

enum { FIELDS_PROBED = 4096 };

/* ---- samples ---- */

struct labels_met {
    uint64_t pid, tid;
    uint32_t process, thread; /* strings */
};

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
        number = named_number(text_at(f, text));
    if (text_is(f, key, "pid"))
        l->pid = number;
    else if (text_is(f, key, "tid") || text_is(f, key, "thread_id"))
        l->tid = number;
    else if (text && text_is(f, key, "process"))
        l->process = string_at(f, text);
    else if (text &&
             (text_is(f, key, "thread") || text_is(f, key, "thread_name")))
        l->thread = string_at(f, text);
}

/* Where the file does not name the process, its first module does. */
static uint32_t thread_of(struct pprof_file *f, const struct labels_met *l)
{
    struct named_thread_ids ids = {.pid = named_id(l->pid),
                                   .tid = named_id(l->tid),
                                   .process = l->process,
                                   .thread = l->thread};

    if (ids.tid != NO_PID)
        f->knows_threads = true;
    else if (ids.pid == NO_PID && !ids.process && f->mappings.len &&
             f->mappings.data[0].module != NO_ID)
        ids.process = f->p->modules.data[f->mappings.data[0].module].name;
    return named_thread_of(&f->code, &ids);
}

typedef VEC(uint32_t) locations_met;

static void add_locations(struct pprof_file *f, struct wire_field field,
                          locations_met *list)
{
    uint64_t id;

    while (wire_number(&field, &id)) {
        uint32_t location = location_of(f, id);

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
        if ((*at)++ == f->types.chosen)
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
    if (r.failed || at != f->types.list.len)
        f->p->quality.malformed++;
    else
        put_sample(f, &labels, list, value);
}

/* ---- the file ---- */

static void describe_pprof(struct pprof_file *f)
{
    struct trace_info *t = &f->p->trace;
    uint64_t ns = unit_nanoseconds(
        strings_get(f->p->strings, string_at(f, f->period_type.unit)));

    if (text_at(f, f->drop_frames).len)
        profile_warn(f->p, "the file asks pprof to drop frames (drop_frames); "
                           "topfn keeps them");
    t->start_unix_ns = (int64_t)f->time;
    t->duration_ns = f->duration < INT64_MAX ? (int64_t)f->duration : 0;
    if (ns && !profile_counts_time(f->p) && f->period < INT64_MAX / ns)
        t->interval_ns = (int64_t)(f->period * ns);
    profile_count_event(f->p, "sample", f->samples.len);
}

static void finish_pprof(struct pprof_file *f)
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

static enum err_code pprof_read(const struct entry *e, size_t count,
                                const struct read_options *options,
                                struct observations *seen, struct err *err)
{
    struct profile *p = seen->profile;
    struct reader r = reader_of(e->name, e->data, e->size, 0, NULL);
    struct pprof_file f = {.p = p, .code = named_code_from(p, e)};
    locations_met list = {0};
    struct wire_field field;
    enum err_code code;

    (void)count;
    while (wire_next(&r, &field))
        note_part(&f, &field);
    f.texts = mem_new(f.strings.len, sizeof(*f.texts));
    if (r.failed)
        profile_skip(p, e->name, r.pos, e->size - r.pos, "damaged");
    code = choose_metric(&f, options->event, e->name, err);
    if (!code) {
        for (size_t i = 0; i < f.mapping_parts.len; i++)
            read_mapping(&f, f.mapping_parts.data[i]);
        describe_pprof(&f);
        for (size_t i = 0; i < f.samples.len && !f.code.full; i++)
            read_sample(&f, f.samples.data[i], &list);
    }
    finish_pprof(&f);
    vec_release(&list);
    vec_release(&f.samples);
    vec_release(&f.functions);
    vec_release(&f.strings);
    free(f.texts);
    vec_release(&f.type_parts);
    sample_types_release(&f.types);
    vec_release(&f.mappings);
    vec_release(&f.mapping_parts);
    vec_release(&f.locations);
    map_release(&f.mapping_ids);
    map_release(&f.location_ids);
    map_release(&f.function_ids);
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
