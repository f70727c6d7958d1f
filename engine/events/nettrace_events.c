/*
 * Events of nettrace and netperf files, one after the other.
 *
 * A file is read block by block. Events wait in a heap until no earlier one
 * can come any more: up to one that is marked as sorted, or to a sequence
 * point, behind which stacks and threads have other numbers. Files without
 * such marks are given block by block.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/heap.h"
#include "engine/events/follow.h"
#include "engine/events/trace_impl.h"
#include "engine/format/nettrace/nettrace.h"

/* An event that waits. A million may wait, so one without labels has no room
 * for them. */
struct waiting {
    int64_t time;
    uint64_t ticks;
    const uint8_t *payload, *activity, *related;
    const uint8_t *frames; /* of its stack, in the file */
    uint32_t frames_size;
    uint32_t kind, size, processor;
    uint32_t pid, tid;
    bool has_labels;
    struct nt_labels labels;
};

/* The walk over one file. */
struct nettrace_walk {
    struct event_cursor *cursor;
    struct nt_file file;
    struct nt_recording recording;
    struct nt_sink sink;
    struct read_options options;
    size_t pos;
    uint32_t index;   /* of the file */
    struct heap heap; /* of struct waiting */
    int64_t ready;    /* events before this time can be given */
    bool all_ready, done, opened;
    uint64_t order;
    VEC(const struct known_kind *) kinds; /* by the file's kind; NULL: new */
};

/* The event_cursor.state. */
struct nettrace_walks {
    struct nettrace_walk *list;
    size_t count;
};

/* ---- events that wait ---- */

static void push_waiting(struct nettrace_walk *w, const struct waiting *e)
{
    size_t size = e->has_labels ? sizeof(*e) : offsetof(struct waiting, labels);
    void *kept = mem_new(1, size);
    bool unordered = w->cursor->options.unordered;

    memcpy(kept, e, size);
    /* With the sign turned, times before the start are less, too. */
    heap_push(&w->heap, unordered ? 0 : (uint64_t)e->time ^ 1ull << 63,
              w->order++, kept);
}

static int64_t first_time(const struct nettrace_walk *w)
{
    return ((const struct waiting *)w->heap.data[0].what)->time;
}

/* True if the earliest event is given although an earlier one may come. Each
 * that waits takes 120 bytes, and its file may have as few as 2 bytes for it:
 * so the size of the file decides. In real recordings at most one event waits
 * for each 90 bytes. */
static bool is_full(const struct nettrace_walk *w)
{
    enum { MOST = 1 << 20, FREE = 1 << 16, BYTES_EACH = 64 };
    size_t room =
        FREE / w->cursor->trace->entry_count + w->file.size / BYTES_EACH;

    return w->heap.len > (room < MOST ? room : MOST);
}

static bool is_ready(const struct nettrace_walk *w)
{
    if (!w->heap.len)
        return false;
    return w->all_ready || w->done || w->cursor->options.unordered ||
           is_full(w) || first_time(w) < w->ready;
}

/* ---- from the reader ---- */

static bool take_walked_event(void *context, struct nt_file *f, uint32_t kind,
                              const struct nt_event *e)
{
    struct nettrace_walk *w = context;
    struct waiting added = {
        .time = nt_time(f, e->time),
        .ticks = e->time,
        .payload = e->payload,
        .activity = e->activity,
        .related = e->related,
        .kind = kind,
        .size = e->size,
        .processor = e->processor,
        .pid = f->pid,
        .tid = EVENT_UNKNOWN,
        .frames = e->frames,
        .frames_size = e->frames_size,
    };
    uint32_t thread = nt_thread_index(f, e->thread);

    if (thread != NO_ID) {
        added.pid = f->threads.data[thread].pid;
        added.tid = f->threads.data[thread].tid;
    }
    if (f->version == 6) {
        const struct nt_labels *l = nt_labels_of(f, e);

        added.activity = l ? l->activity : NULL;
        added.related = l ? l->related : NULL;
        added.has_labels = l;
        if (l)
            added.labels = *l;
    }
    if (w->cursor->options.stacks && f->version > 3) {
        struct bytes frames = nt_stack_frames(f, e->stack);

        added.frames = frames.data;
        added.frames_size = (uint32_t)frames.len;
    }
    if (e->sorted && added.time > w->ready)
        w->ready = added.time;
    push_waiting(w, &added);
    return !is_full(w);
}

static void take_barrier(void *context, struct nt_file *f)
{
    struct nettrace_walk *w = context;

    (void)f;
    w->all_ready = true;
}

static bool wants_block(void *context, const struct nt_file *f, uint64_t min,
                        uint64_t max)
{
    struct nettrace_walk *w = context;
    const struct event_options *o = &w->cursor->options;

    w->cursor->effort.buffers++;
    if (!o->timed || o->numbered ||
        (nt_time(f, min) < o->to && nt_time(f, max) >= o->from))
        return true;
    w->cursor->effort.buffers--;
    w->cursor->effort.buffers_skipped++;
    w->cursor->uncounted = true;
    return false;
}

/* ---- the cursor's event ---- */

/* The kind of an event; of `e` the kind in the file is needed at least. */
static const struct known_kind *waiting_kind(struct nettrace_walk *w,
                                             const struct waiting *e)
{
    struct event_trace *trace = w->cursor->trace;
    const struct nt_kind *k = &w->file.kinds.data[e->kind];
    const struct strings *strings = w->recording.strings;
    struct kind_request request = {
        .guid = k->guid,
        .provider = strings_get(strings, k->provider),
        .name = strings_get(strings, k->name),
        .id = nt_kind_id(k),
        .version = (uint8_t)k->version,
        .opcode = k->opcode,
        .level = k->level,
        .keywords = k->keywords,
        .width = (uint8_t)w->file.pointer_size,
        .described = true,
        .v6 = w->file.version == 6,
        .fields = k->fields,
        .optional = k->optional,
    };

    if (e->has_labels && (e->labels.version >= 0 || e->labels.opcode >= 0)) {
        if (e->labels.version >= 0)
            request.version = (uint8_t)e->labels.version;
        if (e->labels.opcode >= 0)
            request.opcode = (uint8_t)e->labels.opcode;
        return event_kind_of(trace, &request);
    }
    while (w->kinds.len <= e->kind)
        *vec_add(&w->kinds) = NULL;
    if (!w->kinds.data[e->kind])
        w->kinds.data[e->kind] = event_kind_of(trace, &request);
    return w->kinds.data[e->kind];
}

/* Headers keep payloads apart, even those of no length. */
static uint64_t place_of(const struct nettrace_walk *w, const struct waiting *e)
{
    uint64_t offset = e->payload ? (uint64_t)(e->payload - w->file.data) : 0;

    return (uint64_t)w->index << 48 | offset;
}

static void give_waiting(struct nettrace_walk *w)
{
    struct event_cursor *c = w->cursor;
    struct waiting *e = heap_pop(&w->heap);
    const struct event_kind *kind = &waiting_kind(w, e)->kind;
    unsigned width = w->file.pointer_size;

    c->event = (struct event){
        .kind = kind,
        .place = place_of(w, e),
        .time = e->time,
        .ticks = e->ticks,
        .pid = e->pid,
        .tid = e->tid,
        .stack_pid = e->pid,
        .stack_tid = e->tid,
        .cpu = e->processor,
        .level = kind->level,
        .opcode = kind->opcode,
        .pointer_size = (uint8_t)width,
        .keywords = kind->keywords,
        .payload = e->payload,
        .size = e->size,
        .activity = e->activity,
        .related = e->related,
        .file = (uint16_t)w->index,
    };
    if (c->options.stacks) {
        c->event.stack = e->frames;
        c->event.stack_count = e->frames_size / width;
        c->event.stack_width = (uint8_t)width;
        c->event.stack_lasts = true;
    }
    if (e->has_labels) {
        c->event.labels = e->labels.list.data;
        c->event.labels_size = e->labels.list.len;
    }
    if (e->has_labels && e->labels.level >= 0)
        c->event.level = (uint8_t)e->labels.level;
    if (e->has_labels && e->labels.has_keywords)
        c->event.keywords = e->labels.keywords;
    free(e);
}

/* Waits for the whole of the next block. */
static void await_block(struct event_trace *t, struct nt_file *f, size_t pos)
{
    size_t wanted;

    while (t->follow && (wanted = nt_wanted(f, pos)) > f->size) {
        bool there = follow_wait(t->follow, wanted);

        f->size = follow_size(t->follow);
        if (!there)
            return;
    }
}

/* Reads on until the file's next event is known. */
static bool fill_waiting(struct nettrace_walk *w)
{
    while (!is_ready(w) && !w->done) {
        if (!w->heap.len)
            w->all_ready = false;
        await_block(w->cursor->trace, &w->file, w->pos);
        w->done = !nt_step(&w->file, &w->pos);
        /* Nothing in netperf tells what is sorted. */
        if (w->file.version == 3 && !w->file.paused)
            w->all_ready = true;
    }
    return is_ready(w);
}

static bool next_nettrace_event(struct event_cursor *c)
{
    struct nettrace_walks *all = c->state;
    struct nettrace_walk *first = NULL;

    for (size_t i = 0; i < all->count; i++) {
        struct nettrace_walk *w = &all->list[i];

        if (!w->opened || !fill_waiting(w))
            continue;
        if (!first ||
            (!c->options.unordered && first_time(w) < first_time(first)))
            first = w;
        if (c->options.unordered)
            break;
    }
    if (first)
        give_waiting(first);
    return first;
}

/* ---- opening files ---- */

enum { HEADER_V6 = 20, DESCRIPTION = 128 };

/* The event_trace.state. */
struct nettrace_trace {
    int64_t zero; /* ns since 1970 of time 0 */
};

/* Up to v5 header and description are always as long; in v6 the first block
 * says how long it is. */
static void await_description(struct follow *f)
{
    const uint8_t *bytes = follow_bytes(f);

    follow_wait(f, DESCRIPTION);
    if (follow_size(f) >= HEADER_V6 + 4 && !load_u32(bytes + 8))
        follow_wait(f,
                    HEADER_V6 + 4 + (load_u32(bytes + HEADER_V6) & 0xFFFFFF));
}

static bool open_walk(struct event_cursor *c, struct nettrace_walk *w,
                      uint32_t index, struct err *err)
{
    const struct nettrace_trace *s = c->trace->state;
    struct entry *entry = &c->trace->entries[index];

    w->cursor = c;
    w->index = index;
    w->ready = INT64_MIN;
    w->sink = (struct nt_sink){w, take_walked_event, take_barrier, wants_block};
    w->recording = (struct nt_recording){
        .sink = &w->sink,
        .profile = c->notes,
        .strings = c->notes->strings,
        .options = &w->options,
        .zero_unix_ns = s ? s->zero : 0,
        .last_unload = TIME_MIN,
    };
    if (c->trace->follow) {
        await_description(c->trace->follow);
        entry->size = follow_size(c->trace->follow);
    }
    w->opened = !nt_open(&w->file, &w->recording, entry, &w->pos, err);
    w->file.err = NULL;
    if (w->file.start_unix_ns && s)
        w->file.shift = w->file.start_unix_ns - s->zero;
    return w->opened;
}

static void close_walk(struct nettrace_walk *w)
{
    /* The end of a trace that was not read to its end is not known. */
    if (w->opened && !w->done)
        w->file.complete = true;
    if (w->opened)
        nt_close(&w->file);
    for (size_t i = 0; i < w->heap.len; i++)
        free(w->heap.data[i].what);
    vec_release(&w->heap);
    vec_release(&w->kinds);
    map_release(&w->recording.count_ids);
}

/* Every file has to tell what it is; the earliest start is time 0. */
static enum err_code open_nettrace_events(struct event_trace *t,
                                          struct err *err)
{
    struct nettrace_trace *s = mem_new(1, sizeof(*s));
    struct event_cursor probe = {.trace = t, .notes = profile_new()};
    struct err local = {0};

    for (size_t i = 0; i < t->entry_count && !local.code; i++) {
        struct nettrace_walk w = {0};

        if (open_walk(&probe, &w, (uint32_t)i, &local) &&
            w.file.start_unix_ns &&
            (!s->zero || w.file.start_unix_ns < s->zero))
            s->zero = w.file.start_unix_ns;
        close_walk(&w);
    }
    profile_free(probe.notes);
    t->state = s;
    t->notes->trace.start_unix_ns = s->zero;
    return local.code ? err_set(err, local.code, "%s", local.message)
                      : ERR_NONE;
}

static void close_nettrace_events(struct event_trace *t)
{
    free(t->state);
}

/* ---- the survey ---- */

static bool ignore_event(void *context, struct nt_file *f, uint32_t kind,
                         const struct nt_event *e)
{
    (void)context, (void)f, (void)kind, (void)e;
    return true;
}

static void ignore_barrier(void *context, struct nt_file *f)
{
    (void)context, (void)f;
}

static bool ignore_block(void *context, const struct nt_file *f, uint64_t min,
                         uint64_t max)
{
    (void)context, (void)f, (void)min, (void)max;
    return false;
}

/* Metadata alone: every kind that the files describe becomes known. */
static void survey_nettrace(struct event_trace *t)
{
    struct event_cursor probe = {.trace = t, .notes = profile_new()};

    for (size_t i = 0; i < t->entry_count; i++) {
        struct nettrace_walk w = {0};

        if (open_walk(&probe, &w, (uint32_t)i, NULL)) {
            w.sink = (struct nt_sink){&w, ignore_event, ignore_barrier,
                                      ignore_block};
            while (nt_step(&w.file, &w.pos))
                continue;
            for (uint32_t k = 0; k < w.file.kinds.len; k++)
                waiting_kind(&w, &(struct waiting){.kind = k});
        }
        close_walk(&w);
    }
    profile_free(probe.notes);
}

static void begin_nettrace_events(struct event_cursor *c)
{
    struct nettrace_walks *all = mem_new(1, sizeof(*all));

    all->count = c->trace->entry_count;
    all->list = mem_new(all->count, sizeof(*all->list));
    c->state = all;
    for (size_t i = 0; i < all->count; i++)
        open_walk(c, &all->list[i], (uint32_t)i, NULL);
}

static void end_nettrace_events(struct event_cursor *c)
{
    struct nettrace_walks *all = c->state;

    for (size_t i = 0; i < all->count; i++)
        close_walk(&all->list[i]);
    free(all->list);
    free(all);
}

const struct event_reader nettrace_events = {
    .format = &nettrace_format,
    .open = open_nettrace_events,
    .close = close_nettrace_events,
    .survey = survey_nettrace,
    .begin = begin_nettrace_events,
    .next = next_nettrace_event,
    .end = end_nettrace_events,
};
