#define ZLIB_CONST
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "engine/analysis/filter.h"
#include "engine/base/mem.h"
#include "engine/base/out.h"
#include "engine/base/text.h"
#include "engine/model/profile.h"
#include "report/export/export.h"
#include "report/export/frames.h"
#include "report/export/proto.h"
#include "report/table/table.h"

/*
 * pprof - profile.proto of github.com/google/pprof, packed by gzip.
 *
 * Samples are counted by stack and thread. Fields of a message may come in
 * any order, so samples are written first and what they refer to behind them:
 * nothing is kept but what was referred to. A location is an address with its
 * frames, innermost first, as here.
 */

struct packed;

/* Input stays constant. */
enum { BUFFER = 64 * 1024, GZIP = 16, LEVEL = 6 };

struct packed {
    struct out *out;
    z_stream stream;
    uint8_t buffer[BUFFER];
};

static struct packed *packed_new(struct out *out)
{
    struct packed *p = mem_new(1, sizeof(*p));

    p->out = out;
    if (deflateInit2(&p->stream, LEVEL, Z_DEFLATED, MAX_WBITS + GZIP, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        mem_exhausted(sizeof(*p));
    return p;
}

static void pump(struct packed *p, int flush)
{
    do {
        p->stream.next_out = p->buffer;
        p->stream.avail_out = BUFFER;
        deflate(&p->stream, flush);
        out_bytes(p->out, (const char *)p->buffer,
                  BUFFER - p->stream.avail_out);
    } while (!p->stream.avail_out);
}

static void packed_bytes(struct packed *p, const void *bytes, size_t n)
{
    const uint8_t *at = bytes;

    while (n) {
        size_t part = n < 1 << 30 ? n : 1 << 30;

        p->stream.next_in = at;
        p->stream.avail_in = (uInt)part;
        pump(p, Z_NO_FLUSH);
        at += part;
        n -= part;
    }
}

enum profile_field {
    SAMPLE_TYPE = 1,
    SAMPLE,
    MAPPING,
    LOCATION,
    FUNCTION,
    STRING_TABLE,
    TIME_NANOS = 9,
    DURATION_NANOS,
    PERIOD_TYPE,
    PERIOD,
    DEFAULT_SAMPLE_TYPE = 14,
};

/* A function in a file, as pprof has one file for each; and code of an image
 * whose functions are said to be in a module. */
struct pair {
    uint32_t a, b;
};

struct writing {
    const struct subject *s;
    const struct profile *p;
    struct packed *packed;
    struct strings *strings;    /* the string table */
    bool *locations;            /* by id: referred to */
    VEC(struct pair) functions; /* (function, file) */
    VEC(struct pair) mappings;  /* (module or NO_ID, what it is called) */
    struct map function_ids, mapping_ids;
    uint32_t *first_mapping;          /* by module: in the profile, or NO_ID */
    struct proto message, part, list; /* emptied after use */
    struct arena scratch;
};

static uint32_t text_id(struct writing *w, const char *text)
{
    return strings_add(w->strings, text, strlen(text));
}

/* Writes `message` as an element of the profile and empties it. */
static void put(struct writing *w, enum profile_field field)
{
    struct proto head = {0};

    proto_varint(&head, (uint64_t)field << 3 | 2);
    proto_varint(&head, w->message.bytes.len);
    packed_bytes(w->packed, head.bytes.data, head.bytes.len);
    packed_bytes(w->packed, w->message.bytes.data, w->message.bytes.len);
    w->message.bytes.len = 0;
    proto_release(&head);
}

static void put_number(struct writing *w, enum profile_field field,
                       uint64_t value)
{
    struct proto number = {0};

    proto_u64(&number, (uint32_t)field, value);
    packed_bytes(w->packed, number.bytes.data, number.bytes.len);
    proto_release(&number);
}

static void put_type(struct writing *w, enum profile_field field,
                     const char *type, const char *unit)
{
    proto_u64(&w->message, 1, text_id(w, type));
    proto_u64(&w->message, 2, text_id(w, unit));
    put(w, field);
}

/* ---- what is counted ---- */

/* As the reader of the format knows them. */
static const char *time_type(const struct profile *p)
{
    switch (p->trace.metric.id) {
    case METRIC_CPU_SAMPLES:
    case METRIC_CPU_TIME:
        return "cpu";
    case METRIC_WAIT_TIME:
        return "delay";
    case METRIC_EVENTS:
        return profile_counts_time(p) ? profile_metric_word(p) : "time";
    default:
        return profile_metric(p)->wall_clock ? "wall" : "time";
    }
}

static const char *count_type(const struct profile *p)
{
    const char *word = profile_metric_word(p);

    if (p->trace.metric.id == METRIC_PERIODS)
        return profile_unit(p);
    return p->trace.metric.id == METRIC_CPU_SAMPLES || !*word ? "samples"
                                                              : word;
}

/* Samples stand for a time. */
static bool has_time(const struct profile *p)
{
    return !profile_counts_time(p) && sample_nanoseconds(p, 1) > 0;
}

static void put_types(struct writing *w)
{
    const struct profile *p = w->p;
    const char *type = profile_counts_time(p) ? time_type(p) : count_type(p);
    char *unit = whole_unit(p);

    put_type(w, SAMPLE_TYPE, type,
             strcmp(unit, "samples") != 0 &&
                     p->trace.metric.id != METRIC_PERIODS
                 ? unit
                 : "count");
    if (has_time(p))
        put_type(w, SAMPLE_TYPE, time_type(p), "nanoseconds");
    put_number(w, DEFAULT_SAMPLE_TYPE, text_id(w, type));
    put_number(w, TIME_NANOS, (uint64_t)p->trace.start_unix_ns);
    put_number(w, DURATION_NANOS, (uint64_t)selection_duration(p, w->s->sel));
    free(unit);
    if (p->trace.interval_ns > 0 || p->trace.metric.id == METRIC_CPU_SAMPLES)
        put_type(w, PERIOD_TYPE, time_type(p), "nanoseconds");
    if (p->trace.interval_ns > 0)
        put_number(w, PERIOD, (uint64_t)p->trace.interval_ns);
}

/* ---- samples ---- */

static void add_label(struct writing *w, const char *key, const char *text,
                      uint64_t number)
{
    if (text && !*text)
        return;
    proto_u64(&w->part, 1, text_id(w, key));
    if (text)
        proto_u64(&w->part, 2, text_id(w, text));
    else
        proto_u64(&w->part, 3, number);
    /* A number of 0 is not written; its readers drop it but for a unit. */
    if (!text && !number)
        proto_u64(&w->part, 4, text_id(w, "id"));
    proto_message(&w->message, 3, &w->part);
}

static void add_labels(struct writing *w, uint32_t thread)
{
    const struct thread *t = &w->p->threads.data[thread];
    const struct process *process = &w->p->processes.data[t->process];

    if (process->pid != NO_PID)
        add_label(w, "pid", NULL, process->pid);
    if (is_thread_id(process->pid, t->tid))
        add_label(w, "tid", NULL, t->tid);
    add_label(w, "process", strings_get(w->p->strings, process->name), 0);
    add_label(w, "thread", strings_get(w->p->strings, t->name), 0);
}

static void put_samples(struct writing *w)
{
    owned_stacks list = {0};

    owned_stacks_count(&list, w->p, w->s->sel, true);
    for (size_t i = 0; i < list.len; i++) {
        const struct stack *stacks = w->p->stacks.data;

        for (uint32_t s = list.data[i].stack; s; s = stacks[s].parent) {
            w->locations[stacks[s].location] = true;
            proto_varint(&w->list, (uint64_t)stacks[s].location + 1);
        }
        proto_message(&w->message, 1, &w->list);
        proto_varint(&w->list, whole_weight(w->p, list.data[i].count));
        if (has_time(w->p))
            proto_varint(&w->list,
                         sample_nanoseconds(w->p, list.data[i].count));
        proto_message(&w->message, 2, &w->list);
        add_labels(w, list.data[i].owner);
        put(w, SAMPLE);
    }
    vec_release(&list);
}

/* ---- what samples refer to ---- */

static uint64_t function_id(struct writing *w, const struct frame *f)
{
    uint32_t fresh = mem_next_id(w->functions.len);
    uint32_t id = map_add(&w->function_ids, f->function, f->file, fresh);

    if (id == fresh)
        *vec_add(&w->functions) = (struct pair){f->function, f->file};
    return (uint64_t)id + 1;
}

static uint64_t add_mapping(struct writing *w, uint32_t module, uint32_t shown)
{
    uint32_t fresh = mem_next_id(w->mappings.len);
    uint32_t id = map_add(&w->mapping_ids, module, shown, fresh);

    if (id == fresh)
        *vec_add(&w->mappings) = (struct pair){module, shown};
    return (uint64_t)id + 1;
}

/* The outermost function at an address, which pprof gives the address to. 0:
 * none. */
static uint64_t mapping_id(struct writing *w, uint32_t location)
{
    const struct profile *p = w->p;
    uint32_t last = p->frame_start.data[location + 1] - 1;
    uint32_t shown = p->functions.data[p->frames.data[last].function].module;
    uint32_t module = p->locations.data[location].module;

    if (!shown && module == NO_ID)
        return 0;
    if (module != NO_ID && p->modules.data[module].name == shown)
        shown = p->modules.data[module].path;
    return add_mapping(w, module, shown);
}

static const struct mapping *mapping_of(const struct writing *w,
                                        uint32_t module)
{
    uint32_t id = module == NO_ID ? NO_ID : w->first_mapping[module];

    return id == NO_ID ? NULL : &w->p->mappings.data[id];
}

/* In memory as it was mapped first. */
static uint64_t address_of(const struct writing *w, const struct location *l)
{
    const struct mapping *m = mapping_of(w, l->module);

    if (l->module == NO_ID && l->method != NO_ID)
        return methods_get(&w->p->methods, l->method).start + l->address;
    return m ? m->base + (l->address - m->rva) : l->address;
}

static void put_location(struct writing *w, uint32_t location)
{
    const struct profile *p = w->p;

    proto_u64(&w->message, 1, (uint64_t)location + 1);
    proto_u64(&w->message, 2, mapping_id(w, location));
    proto_u64(&w->message, 3, address_of(w, &p->locations.data[location]));
    for (uint32_t f = p->frame_start.data[location];
         f < p->frame_start.data[location + 1]; f++) {
        proto_u64(&w->part, 1, function_id(w, &p->frames.data[f]));
        proto_u64(&w->part, 2, p->frames.data[f].line);
        proto_message(&w->message, 4, &w->part);
    }
    put(w, LOCATION);
}

static void put_mapping(struct writing *w, size_t i)
{
    const struct pair *pair = &w->mappings.data[i];
    const struct mapping *m = mapping_of(w, pair->a);

    proto_u64(&w->message, 1, i + 1);
    if (m) {
        proto_u64(&w->message, 2, m->base);
        proto_u64(&w->message, 3, m->base + m->size);
        proto_u64(&w->message, 4, m->rva);
    }
    proto_u64(&w->message, 5, text_id(w, strings_get(w->p->strings, pair->b)));
    if (pair->a != NO_ID) {
        /* That of ELF, of its PDB, or else of the PE image: without any, pprof
         * takes "C:\app.exe" for an address on the network, and leaves it out.
         */
        enum { AGE_DIGITS = 8 };
        char text[CODE_ID_SIZE + AGE_DIGITS];

        code_id_text(&w->p->modules.data[pair->a].identity, text);
        if (!w->p->modules.data[pair->a].identity.build_id_size &&
            w->p->modules.data[pair->a].identity.pdb_name) {
            hex_text(w->p->modules.data[pair->a].identity.guid,
                     sizeof(w->p->modules.data[pair->a].identity.guid), text);
            snprintf(
                text + 2 * sizeof(w->p->modules.data[pair->a].identity.guid),
                AGE_DIGITS + 1, "%x", w->p->modules.data[pair->a].identity.age);
        }
        proto_u64(&w->message, 6, text_id(w, text));
    }
    for (uint32_t field = 7; field <= 10; field++)
        proto_u64(&w->message, field, true); /* names need not be sought */
    put(w, MAPPING);
}

/* The first mapping is by profile.proto that of the main binary, which stands
 * for the whole: the image that the busiest process is called after. */
static void add_main_binary(struct writing *w)
{
    const struct profile *p = w->p;
    const struct process *processes = p->processes.data;
    uint32_t process;
    uint64_t *samples = mem_new(p->processes.len + 1, sizeof(*samples));
    uint32_t busiest = 0;

    for (size_t i = 0; i < p->threads.len; i++)
        samples[p->threads.data[i].process] += w->s->sel->thread_counts[i];
    for (uint32_t i = 0; i < p->processes.len; i++)
        if (samples[i] > samples[busiest])
            busiest = i;
    free(samples);
    process = busiest;
    for (size_t i = 0; i < p->mappings.len; i++) {
        const struct mapping *m = &p->mappings.data[i];
        const struct module *image = &p->modules.data[m->module];

        if (m->process == NO_ID ||
            processes[m->process].pid != processes[process].pid ||
            !ascii_same(strings_get(p->strings, image->name),
                        strings_get(p->strings, processes[process].name)))
            continue;
        add_mapping(w, m->module, image->path);
        return;
    }
}

static void release(struct writing *w)
{
    strings_free(w->strings);
    free(w->locations);
    free(w->first_mapping);
    vec_release(&w->functions);
    vec_release(&w->mappings);
    map_release(&w->function_ids);
    map_release(&w->mapping_ids);
    proto_release(&w->message);
    proto_release(&w->part);
    proto_release(&w->list);
    arena_release(&w->scratch);
}

static void write_pprof(const struct subject *s, struct out *out)
{
    struct writing w = {
        .s = s,
        .p = s->p,
        .packed = packed_new(out),
        .strings = strings_new(),
        .locations = mem_new(s->p->locations.len, sizeof(bool)),
    };
    const struct profile *p = w.p;

    w.first_mapping = mem_new(p->modules.len, sizeof(*w.first_mapping));
    for (size_t i = 0; i < p->modules.len; i++)
        w.first_mapping[i] = NO_ID;
    for (size_t i = p->mappings.len; i-- > 0;)
        w.first_mapping[p->mappings.data[i].module] = (uint32_t)i;
    add_main_binary(&w);
    put_types(&w);
    put_samples(&w);
    for (uint32_t i = 0; i < s->p->locations.len; i++)
        if (w.locations[i])
            put_location(&w, i);
    for (size_t i = 0; i < w.functions.len; i++) {
        const struct pair *f = &w.functions.data[i];

        proto_u64(&w.message, 1, i + 1);
        proto_u64(&w.message, 2,
                  text_id(&w, frame_function(w.p, f->a, false, &w.scratch)));
        proto_u64(&w.message, 3,
                  text_id(&w, frame_function(w.p, f->a, true, &w.scratch)));
        proto_u64(&w.message, 4, text_id(&w, strings_get(w.p->strings, f->b)));
        arena_reset(&w.scratch);
        put(&w, FUNCTION);
    }
    for (size_t i = 0; i < w.mappings.len; i++)
        put_mapping(&w, i);
    for (uint32_t i = 0; i < strings_count(w.strings); i++) {
        struct proto text = {0};

        proto_element(&text, STRING_TABLE, strings_get(w.strings, i),
                      strings_len(w.strings, i));
        packed_bytes(w.packed, text.bytes.data, text.bytes.len);
        proto_release(&text);
    }
    /* Writes what is left and frees. */
    w.packed->stream.avail_in = 0;
    pump(w.packed, Z_FINISH);
    deflateEnd(&w.packed->stream);
    free(w.packed);
    release(&w);
}

const struct export_kind pprof_export = {
    .name = "pprof",
    .help = "go tool pprof and what else reads profile.proto",
    .endings = {".pb.gz", ".pprof"},
    .binary = true,
    .write = write_pprof,
};
