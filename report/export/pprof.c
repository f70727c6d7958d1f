#define ZLIB_CONST
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "engine/analysis/filter.h"
#include "engine/base/mem.h"
#include "engine/base/out.h"
#include "engine/base/proto.h"
#include "engine/base/text.h"
#include "engine/model/profile.h"
#include "report/export/code_tables.h"
#include "report/export/export.h"
#include "report/export/frames.h"
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

struct writing {
    const struct subject *s;
    const struct profile *p;
    struct packed *packed;
    struct code_tables t;
    bool *locations;                  /* by id: a sample has it */
    struct proto message, part, list; /* emptied after use */
};

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
    proto_u64(&w->message, 1, code_text(&w->t, type));
    proto_u64(&w->message, 2, code_text(&w->t, unit));
    put(w, field);
}

/* ---- what is counted ---- */

/* Samples stand for a time. */
static bool has_time(const struct profile *p)
{
    return !profile_counts_time(p) && sample_nanoseconds(p, 1) > 0;
}

static void put_types(struct writing *w)
{
    const struct profile *p = w->p;
    char *unit;
    const char *type = code_sample_type(p, &unit);

    put_type(w, SAMPLE_TYPE, type, unit);
    free(unit);
    if (has_time(p))
        put_type(w, SAMPLE_TYPE, code_time_type(p), "nanoseconds");
    put_number(w, DEFAULT_SAMPLE_TYPE, code_text(&w->t, type));
    put_number(w, TIME_NANOS, (uint64_t)p->trace.start_unix_ns);
    put_number(w, DURATION_NANOS, (uint64_t)selection_duration(p, w->s->sel));
    if (p->trace.interval_ns > 0 || p->trace.metric.id == METRIC_CPU_SAMPLES)
        put_type(w, PERIOD_TYPE, code_time_type(p), "nanoseconds");
    if (p->trace.interval_ns > 0)
        put_number(w, PERIOD, (uint64_t)p->trace.interval_ns);
}

/* ---- samples ---- */

static void add_label(struct writing *w, const char *key, const char *text,
                      uint64_t number)
{
    if (text && !*text)
        return;
    proto_u64(&w->part, 1, code_text(&w->t, key));
    if (text)
        proto_u64(&w->part, 2, code_text(&w->t, text));
    else
        proto_u64(&w->part, 3, number);
    /* A number of 0 is not written; its readers drop it but for a unit. */
    if (!text && !number)
        proto_u64(&w->part, 4, code_text(&w->t, "id"));
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

static void put_location(struct writing *w, uint32_t location)
{
    const struct profile *p = w->p;

    proto_u64(&w->message, 1, (uint64_t)location + 1);
    proto_u64(&w->message, 2, code_mapping(&w->t, location));
    proto_u64(&w->message, 3,
              code_address(&w->t, &p->locations.data[location]));
    for (uint32_t f = p->frame_start.data[location];
         f < p->frame_start.data[location + 1]; f++) {
        proto_u64(&w->part, 1, code_function(&w->t, &p->frames.data[f]));
        proto_u64(&w->part, 2, p->frames.data[f].line);
        proto_message(&w->message, 4, &w->part);
    }
    put(w, LOCATION);
}

static void put_mapping(struct writing *w, size_t i)
{
    const struct code_pair *pair = &w->t.mappings.data[i];
    const struct mapping *m = code_mapped(&w->t, pair->a);

    proto_u64(&w->message, 1, i + 1);
    if (m) {
        proto_u64(&w->message, 2, m->base);
        proto_u64(&w->message, 3, m->base + m->size);
        proto_u64(&w->message, 4, m->rva);
    }
    proto_u64(&w->message, 5,
              code_text(&w->t, strings_get(w->p->strings, pair->b)));
    if (pair->a != NO_ID) {
        /* That of ELF, of its PDB, or else of the PE image: without any, pprof
         * takes "C:\app.exe" for an address on the network, and leaves it out.
         */
        enum { AGE_DIGITS = 8 };
        const struct identity *id = &w->p->modules.data[pair->a].identity;
        char text[CODE_ID_SIZE + AGE_DIGITS];

        code_id_text(id, text);
        if (!id->build_id_size && id->pdb_name) {
            hex_text(id->guid, sizeof(id->guid), text);
            snprintf(text + 2 * sizeof(id->guid), AGE_DIGITS + 1, "%x",
                     id->age);
        }
        proto_u64(&w->message, 6, code_text(&w->t, text));
    }
    for (uint32_t field = 7; field <= 10; field++)
        proto_u64(&w->message, field, true); /* names need not be sought */
    put(w, MAPPING);
}

static void write_pprof(const struct subject *s, struct out *out)
{
    struct writing w = {.s = s,
                        .p = s->p,
                        .packed = packed_new(out),
                        .t = code_tables_of(s),
                        .locations =
                            mem_new(s->p->locations.len, sizeof(*w.locations))};

    code_main_mapping(&w.t);
    put_types(&w);
    put_samples(&w);
    for (uint32_t i = 0; i < s->p->locations.len; i++)
        if (w.locations[i])
            put_location(&w, i);
    for (size_t i = 0; i < w.t.functions.len; i++) {
        const struct code_pair *f = &w.t.functions.data[i];
        struct arena *a = &w.t.scratch;

        proto_u64(&w.message, 1, i + 1);
        proto_u64(&w.message, 2,
                  code_text(&w.t, frame_function(w.p, f->a, false, a)));
        proto_u64(&w.message, 3,
                  code_text(&w.t, frame_function(w.p, f->a, true, a)));
        proto_u64(&w.message, 4,
                  code_text(&w.t, strings_get(w.p->strings, f->b)));
        arena_reset(a);
        put(&w, FUNCTION);
    }
    for (size_t i = 0; i < w.t.mappings.len; i++)
        put_mapping(&w, i);
    for (uint32_t i = 0; i < strings_count(w.t.strings); i++) {
        struct proto text = {0};

        proto_element(&text, STRING_TABLE, strings_get(w.t.strings, i),
                      strings_len(w.t.strings, i));
        packed_bytes(w.packed, text.bytes.data, text.bytes.len);
        proto_release(&text);
    }
    /* Writes what is left and frees. */
    w.packed->stream.avail_in = 0;
    pump(w.packed, Z_FINISH);
    deflateEnd(&w.packed->stream);
    free(w.packed);
    code_tables_release(&w.t);
    free(w.locations);
    proto_release(&w.message);
    proto_release(&w.part);
    proto_release(&w.list);
}

const struct export_kind pprof_export = {
    .name = "pprof",
    .help = "go tool pprof and what else reads profile.proto",
    .endings = {".pb.gz", ".pprof"},
    .binary = true,
    .write = write_pprof,
};
