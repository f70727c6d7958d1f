#include "engine/events/nettrace_walk.h"

#include "engine/events/follow.h"

/* More events than that do not wait: what is earliest is given. */
enum { MOST_WAITING = 1 << 22 };

/* ---- the heap ---- */

static bool is_earlier(const struct nettrace_walk *w, const struct waiting *a,
                       const struct waiting *b)
{
    if (!w->cursor->options.unordered && a->time != b->time)
        return a->time < b->time;
    return a->order < b->order;
}

static void push(struct nettrace_walk *w, const struct waiting *moved)
{
    size_t at = w->heap.len;
    struct waiting *heap;

    vec_add(&w->heap);
    heap = w->heap.data;
    while (at && is_earlier(w, moved, &heap[(at - 1) / 2])) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = *moved;
}

static struct waiting pop(struct nettrace_walk *w)
{
    struct waiting *heap = w->heap.data, top = heap[0];
    size_t n = --w->heap.len, at = 0, child;
    struct waiting moved = heap[n];

    while ((child = 2 * at + 1) < n) {
        if (child + 1 < n && is_earlier(w, &heap[child + 1], &heap[child]))
            child++;
        if (!is_earlier(w, &heap[child], &moved))
            break;
        heap[at] = heap[child];
        at = child;
    }
    if (n)
        heap[at] = moved;
    return top;
}

static bool is_ready(const struct nettrace_walk *w)
{
    if (!w->heap.len)
        return false;
    return w->all_ready || w->done || w->cursor->options.unordered ||
           w->heap.len > MOST_WAITING || w->heap.data[0].time < w->ready;
}

/* ---- from the reader ---- */

static void keep_stack(struct nettrace_walk *w, struct nt_file *f,
                       struct waiting *e)
{
    struct bytes frames = {e->event.frames, e->event.frames_size};
    unsigned width = f->pointer_size;

    if (f->version > 3)
        frames = nt_stack_frames(f, e->event.stack);
    e->stack = w->stacks.len;
    e->depth = (uint32_t)(frames.len / width);
    for (uint32_t i = 0; i < e->depth; i++)
        *vec_add(&w->stacks) = load_ptr(frames.data + (size_t)i * width, width);
}

static void take_event(void *context, struct nt_file *f, uint32_t kind,
                       const struct nt_event *e)
{
    struct nettrace_walk *w = context;
    struct waiting added = {
        .time = nt_time(f, e->time),
        .order = w->order++,
        .event = *e,
        .kind = kind,
        .pid = f->pid,
        .tid = EVENT_UNKNOWN,
    };
    uint32_t thread = nt_thread_index(f, e->thread);

    if (thread != NO_ID) {
        added.pid = f->threads.data[thread].pid;
        added.tid = f->threads.data[thread].tid;
    }
    if (f->version == 6) {
        const struct nt_labels *l = nt_labels_of(f, e);

        added.event.activity = l ? l->activity : NULL;
        added.event.related = l ? l->related : NULL;
        added.has_labels = l;
        if (l)
            added.labels = *l;
    }
    if (w->cursor->options.stacks)
        keep_stack(w, f, &added);
    if (e->sorted && added.time > w->ready)
        w->ready = added.time;
    push(w, &added);
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

struct nt_sink nettrace_walk_sink(struct nettrace_walk *w)
{
    return (struct nt_sink){w, take_event, take_barrier, wants_block};
}

/* ---- the cursor's event ---- */

const struct known_kind *nettrace_walk_kind(struct nettrace_walk *w,
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
static uint64_t place_of(const struct nettrace_walk *w,
                         const struct nt_event *e)
{
    uint64_t offset = e->payload ? (uint64_t)(e->payload - w->file.data) : 0;

    return (uint64_t)w->index << 48 | offset;
}

static void give(struct nettrace_walks *all, struct nettrace_walk *w)
{
    struct event_cursor *c = w->cursor;
    struct waiting e = pop(w);
    const struct event_kind *kind = &nettrace_walk_kind(w, &e)->kind;

    c->event = (struct event){
        .kind = kind,
        .place = place_of(w, &e.event),
        .time = e.time,
        .ticks = e.event.time,
        .pid = e.pid,
        .tid = e.tid,
        .stack_pid = e.pid,
        .stack_tid = e.tid,
        .cpu = e.event.processor,
        .level = kind->level,
        .opcode = kind->opcode,
        .pointer_size = (uint8_t)w->file.pointer_size,
        .keywords = kind->keywords,
        .payload = e.event.payload,
        .size = e.event.size,
        .activity = e.event.activity,
        .related = e.event.related,
        .file = (uint16_t)w->index,
    };
    if (e.has_labels) {
        c->event.labels = e.labels.list.data;
        c->event.labels_size = e.labels.list.len;
    }
    if (e.has_labels && e.labels.level >= 0)
        c->event.level = (uint8_t)e.labels.level;
    if (e.has_labels && e.labels.has_keywords)
        c->event.keywords = e.labels.keywords;
    all->stack.len = 0;
    for (uint32_t i = 0; i < e.depth; i++)
        *vec_add(&all->stack) = w->stacks.data[e.stack + i];
    c->event.stack = all->stack.data;
    c->event.stack_count = e.depth;
    if (!w->heap.len)
        w->stacks.len = 0;
}

/* Waits for the whole of the next block. */
static void await(struct event_trace *t, struct nt_file *f, size_t pos)
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
static bool fill(struct nettrace_walk *w)
{
    while (!is_ready(w) && !w->done) {
        if (!w->heap.len)
            w->all_ready = false;
        await(w->cursor->trace, &w->file, w->pos);
        w->done = !nt_step(&w->file, &w->pos);
        /* Nothing in netperf tells what is sorted. */
        if (w->file.version == 3)
            w->all_ready = true;
    }
    return is_ready(w);
}

bool nettrace_walk_next(struct event_cursor *c)
{
    struct nettrace_walks *all = c->state;
    struct nettrace_walk *first = NULL;

    for (size_t i = 0; i < all->count; i++) {
        struct nettrace_walk *w = &all->list[i];

        if (!w->opened || !fill(w))
            continue;
        if (!first || (!c->options.unordered &&
                       w->heap.data[0].time < first->heap.data[0].time))
            first = w;
        if (c->options.unordered)
            break;
    }
    if (first)
        give(all, first);
    return first;
}
