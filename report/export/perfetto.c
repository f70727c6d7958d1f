#include <stdlib.h>
#include <string.h>

#include "report/export/export.h"
#include "report/export/frames.h"
#include "report/export/proto.h"

/*
 * perfetto - a trace for ui.perfetto.dev and trace_processor (trace.proto of
 * github.com/google/perfetto).
 *
 * First processes and threads, then what stacks refer to, as interned data,
 * then a PerfSample for every sample, in order of time. The format has no
 * weights: what stands for several samples is written as often.
 */

enum trace_packet { /* fields */
                    PROCESS_TREE = 2,
                    TIMESTAMP = 8,
                    SEQUENCE_ID = 10,
                    INTERNED_DATA = 12,
                    SEQUENCE_FLAGS = 13,
                    PERF_SAMPLE = 66,
};

enum interned_data { /* fields */
                     FUNCTION_NAMES = 5,
                     FRAMES = 6,
                     CALLSTACKS = 7,
                     BUILD_IDS = 16,
                     MAPPING_PATHS = 17,
                     SOURCE_PATHS = 18,
                     MAPPINGS = 19,
};

enum { STATE_CLEARED = 1, NEEDS_STATE = 2, SEQUENCE = 1 };

/* So much is collected before a packet is written. */
enum { PACKET = 64 * 1024 };

struct writing {
    const struct subject *s;
    const struct profile *p;
    struct out *out;
    bool begun; /* the sequence */
    struct proto packet, interned, entry, list;
    bool *functions, *strings; /* by id: written */
    struct arena scratch;
};

static void put_packet(struct writing *w)
{
    struct proto head = {0};

    proto_number(&w->packet, SEQUENCE_ID, SEQUENCE);
    proto_varint(&head, 1 << 3 | 2);
    proto_varint(&head, w->packet.bytes.len);
    out_bytes(w->out, (const char *)head.bytes.data, head.bytes.len);
    out_bytes(w->out, (const char *)w->packet.bytes.data, w->packet.bytes.len);
    w->packet.bytes.len = 0;
    proto_release(&head);
}

/* ---- processes and threads ---- */

/* ---- interned data ---- */

static void flush_interned(struct writing *w)
{
    if (!w->interned.bytes.len)
        return;
    proto_message(&w->packet, INTERNED_DATA, &w->interned);
    proto_number(&w->packet, SEQUENCE_FLAGS,
                 w->begun ? NEEDS_STATE : STATE_CLEARED | NEEDS_STATE);
    w->begun = true;
    put_packet(w);
}

static void put_entry(struct writing *w, enum interned_data field)
{
    proto_message(&w->interned, field, &w->entry);
    if (w->interned.bytes.len >= PACKET)
        flush_interned(w);
}

static void put_text(struct writing *w, enum interned_data field, uint64_t iid,
                     const void *text, size_t n)
{
    proto_u64(&w->entry, 1, iid);
    proto_element(&w->entry, 2, text, n);
    put_entry(w, field);
}

/* Names of files and modules by their strings; once each. */
static void put_string(struct writing *w, enum interned_data field,
                       uint32_t string)
{
    if (w->strings[string])
        return;
    w->strings[string] = true;
    put_text(w, field, string, strings_get(w->p->strings, string),
             strings_len(w->p->strings, string));
}

static void put_function(struct writing *w, uint32_t function)
{
    const char *name = frame_function(w->p, function, false, &w->scratch);

    if (!w->functions[function])
        put_text(w, FUNCTION_NAMES, (uint64_t)function + 1, name, strlen(name));
    w->functions[function] = true;
    arena_reset(&w->scratch);
}

static void put_mappings(struct writing *w)
{
    const struct profile *p = w->p;

    for (uint32_t i = 0; i < p->modules.len; i++) {
        const struct module *m = &p->modules.data[i];

        put_text(w, MAPPING_PATHS, (uint64_t)i + 1,
                 strings_get(p->strings, m->path),
                 strings_len(p->strings, m->path));
        if (m->identity.build_id_size)
            put_text(w, BUILD_IDS, (uint64_t)i + 1, m->identity.build_id,
                     m->identity.build_id_size);
        proto_u64(&w->entry, 1, (uint64_t)i + 1);
        if (m->identity.build_id_size)
            proto_u64(&w->entry, 2, (uint64_t)i + 1);
        proto_u64(&w->entry, 7, (uint64_t)i + 1);
        put_entry(w, MAPPINGS);
    }
}

static void put_frame(struct writing *w, uint32_t location, uint32_t frame)
{
    const struct location *l = &w->p->locations.data[location];
    const struct frame *f = &w->p->frames.data[frame];

    put_function(w, f->function);
    if (f->file)
        put_string(w, SOURCE_PATHS, f->file);
    proto_u64(&w->entry, 1, (uint64_t)frame + 1);
    proto_u64(&w->entry, 2, (uint64_t)f->function + 1);
    if (l->module != NO_ID) {
        proto_u64(&w->entry, 3, (uint64_t)l->module + 1);
        proto_number(&w->entry, 4, l->address);
    }
    proto_u64(&w->entry, 5, f->file);
    proto_u64(&w->entry, 6, f->line);
    put_entry(w, FRAMES);
}

/* Parents have smaller ids, but a callstack lists all of its frames. */
static void put_callstack(struct writing *w, uint32_t stack, uint32_t *path)
{
    const struct profile *p = w->p;
    size_t n = 0;

    proto_u64(&w->entry, 1, stack);
    for (uint32_t s = stack; s; s = p->stacks.data[s].parent)
        path[n++] = p->stacks.data[s].location;
    while (n) {
        uint32_t location = path[--n];

        for (uint32_t f = p->frame_start.data[location + 1];
             f-- > p->frame_start.data[location];)
            proto_number(&w->entry, 2, (uint64_t)f + 1);
    }
    put_entry(w, CALLSTACKS);
}

static void put_frames(struct writing *w)
{
    const struct profile *p = w->p;
    uint64_t *inclusive = stacks_inclusive(p, w->s->sel->stack_counts);
    bool *met = mem_new(p->locations.len, sizeof(*met));
    uint32_t *path;
    size_t deepest = 0;
    uint32_t *depth = mem_new(p->stacks.len, sizeof(*depth));

    for (size_t i = 1; i < p->stacks.len; i++) {
        uint32_t location = p->stacks.data[i].location;

        depth[i] = depth[p->stacks.data[i].parent] + 1;
        deepest = depth[i] > deepest ? depth[i] : deepest;
        for (uint32_t f = p->frame_start.data[location];
             inclusive[i] && !met[location] &&
             f < p->frame_start.data[location + 1];
             f++)
            put_frame(w, location, f);
        met[location] |= inclusive[i] > 0;
    }
    path = mem_new(deepest, sizeof(*path));
    for (uint32_t i = 1; i < p->stacks.len; i++)
        if (w->s->sel->stack_counts[i])
            put_callstack(w, i, path);
    free(inclusive);
    free(met);
    free(depth);
    free(path);
}

/* ---- samples ---- */

static void put_sample(struct writing *w, size_t i)
{
    const struct samples *s = &w->p->samples;
    const struct thread *t = &w->p->threads.data[s->thread[i]];

    proto_number(&w->packet, TIMESTAMP, (uint64_t)s->time[i]);
    proto_number(&w->packet, SEQUENCE_FLAGS, NEEDS_STATE);
    proto_number(&w->entry, 1, s->cpu[i]);
    proto_number(&w->entry, 2, w->p->processes.data[t->process].pid);
    proto_number(&w->entry, 3, t->tid);
    proto_number(&w->entry, 4, s->stack[i]);
    proto_message(&w->packet, PERF_SAMPLE, &w->entry);
    put_packet(w);
}

static void write(const struct subject *s, struct out *out)
{
    struct writing w = {
        .s = s,
        .p = s->p,
        .out = out,
        .functions = mem_new(s->p->functions.len, sizeof(bool)),
        .strings = mem_new(strings_count(s->p->strings), sizeof(bool)),
    };
    const struct profile *p = w.p;

    for (size_t i = 0; i < p->processes.len; i++) {
        proto_number(&w.entry, 1, p->processes.data[i].pid);
        proto_text(&w.entry, 3,
                   strings_get(p->strings, p->processes.data[i].name));
        proto_message(&w.list, 1, &w.entry);
    }
    for (size_t i = 0; i < p->threads.len; i++) {
        const struct thread *t = &p->threads.data[i];

        proto_number(&w.entry, 1, t->tid);
        proto_text(&w.entry, 2, strings_get(p->strings, t->name));
        proto_number(&w.entry, 3, p->processes.data[t->process].pid);
        proto_message(&w.list, 2, &w.entry);
    }
    proto_message(&w.packet, PROCESS_TREE, &w.list);
    put_packet(&w);
    put_mappings(&w);
    put_frames(&w);
    flush_interned(&w);
    for (size_t i = 0; i < w.p->samples.len; i++)
        for (uint64_t n = sample_weight(w.p, i);
             n && selection_has(w.p, w.s->sel, i); n--)
            put_sample(&w, i);
    proto_release(&w.packet);
    proto_release(&w.interned);
    proto_release(&w.entry);
    proto_release(&w.list);
    free(w.functions);
    free(w.strings);
    arena_release(&w.scratch);
}

const struct export_kind perfetto_export = {
    .name = "perfetto",
    .help = "ui.perfetto.dev, trace_processor",
    .endings = {".pftrace", ".perfetto-trace"},
    .binary = true,
    .times = true,
    .takes = EXPORT_SAMPLES,
    .write = write,
};
