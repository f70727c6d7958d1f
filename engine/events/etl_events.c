/*
 * Events of Windows event trace logs.
 *
 * Buffers are known by the time of their first event. A walk in order of time
 * opens a buffer when the walk has come that far and merges those that are
 * open: as many as there are CPUs, as a rule. Only these are unpacked.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/events/etl_stacks.h"
#include "engine/events/trace_impl.h"
#include "engine/format/etl/etl.h"
#include "engine/format/etl/event.h"
#include "engine/format/etl/guids.h"

enum {
    GUID_AT = 24,
    SYSTEM_HEADER = 32,
    COMPACT_HEADER = 24,
    WPP = 0x90,
    MANIFEST_ID = 0xFFFE,
    /* Buffers of one CPU follow each other in time. How many of the next
     * ones have to begin too early before one is taken to end so. */
    SLACK = 2,
};

/* Groups whose payload says whom an event is about, whatever its header says:
 * a rundown is written by whoever controls the recording. */
static bool is_about_other(uint16_t hook)
{
    enum { PROCESS = 3, THREAD = 5, IMAGE = 20 };
    unsigned group = hook >> 8, type = hook & 0xFF;

    return group == PROCESS || group == IMAGE ||
           (group == THREAD && (type <= 4 || type == 0x48));
}

struct etl_trace {
    struct etl_recording recording;
    uint64_t *ends; /* by buffer: no event is later; see SLACK */
    struct etl_stacks *stacks; /* made when first asked for */
};

/* A buffer that is open. */
struct walked {
    size_t buffer;
    struct bytes events;
    size_t pos;         /* behind the event that is next */
    struct etl_event e; /* the next one */
    uint64_t time;      /* its time, or that of the one before it */
    uint8_t *unpacked;
    size_t room;
};

struct etl_walk {
    VEC(struct walked *) heap; /* the earliest on top */
    VEC(struct walked *) spare;
    uint32_t *order; /* of buffers in the files; NULL: in order of time */
    size_t next;     /* buffer to open */
    bool given;      /* the top's event is the cursor's */
    VEC(uint64_t) stack;
};

static struct etl_trace *state_of(const struct event_trace *t)
{
    return t->state;
}

/* ---- opening ---- */

/* A buffer ends before the second one behind it of its CPU begins. */
static void find_ends(struct etl_trace *s)
{
    const etl_buffers *buffers = &s->recording.buffers;
    struct map last = {0};

    s->ends = mem_new(buffers->len + 1, sizeof(*s->ends));
    for (size_t i = 0; i < buffers->len; i++)
        s->ends[i] = UINT64_MAX;
    for (size_t i = 0; i < buffers->len; i++) {
        const struct etl_buffer *b = &buffers->data[i];
        uint32_t cpu = (uint32_t)b->file << 16 | b->cpu;

        for (unsigned k = SLACK; k > 0; k--) {
            uint32_t earlier = map_get(&last, cpu, k - 1);

            if (earlier == MAP_NONE)
                continue;
            if (k == SLACK)
                s->ends[earlier] = b->first_time;
            else
                map_set(&last, cpu, k, earlier);
        }
        map_set(&last, cpu, 0, (uint32_t)i);
    }
    map_release(&last);
}

static enum err_code open_trace(struct event_trace *t, struct err *err)
{
    struct etl_trace *s = mem_new(1, sizeof(*s));

    t->state = s;
    if (etl_open(&s->recording, t->traces.entries.data,
                 t->traces.entries.len, t->notes, err))
        return err ? err->code : ERR_CORRUPT;
    find_ends(s);
    return ERR_NONE;
}

static void close_trace(struct event_trace *t)
{
    struct etl_trace *s = state_of(t);

    if (!s)
        return;
    etl_stacks_free(s->stacks);
    etl_close(&s->recording);
    free(s->ends);
    free(s);
}

/* ---- walking ---- */

static bool is_later(const struct walked *a, const struct walked *b)
{
    return a->time != b->time ? a->time > b->time : a->buffer > b->buffer;
}

static void sift_down(struct etl_walk *w)
{
    struct walked **heap = w->heap.data, *moved = heap[0];
    size_t at = 0, child;

    while ((child = 2 * at + 1) < w->heap.len) {
        if (child + 1 < w->heap.len && is_later(heap[child], heap[child + 1]))
            child++;
        if (!is_later(moved, heap[child]))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

static void push(struct etl_walk *w, struct walked *moved)
{
    size_t at = w->heap.len;

    *vec_add(&w->heap) = moved;
    while (at && is_later(w->heap.data[(at - 1) / 2], moved)) {
        w->heap.data[at] = w->heap.data[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    w->heap.data[at] = moved;
}

static void note_damage(struct event_cursor *c, const struct walked *b,
                        const char *why)
{
    const struct etl_recording *r = &state_of(c->trace)->recording;
    const struct etl_buffer *buffer = &r->buffers.data[b->buffer];

    profile_skip(c->notes, r->files[buffer->file].name,
                 buffer->offset + BUFFER_HEADER + (buffer->packed ? 0 : b->pos),
                 b->events.len - b->pos, why);
}

/* The next event of a buffer; its time never goes back. */
static bool step(struct event_cursor *c, struct walked *b)
{
    enum etl_step step =
        etl_step(b->events.data, b->events.len, &b->pos, &b->e);

    if (step == STEP_BAD)
        note_damage(c, b, "a record does not fit its buffer");
    if (step != STEP_EVENT)
        return false;
    if (b->e.time > b->time)
        b->time = b->e.time;
    return true;
}

/* With room for what the buffer unpacks to. */
static struct walked *take_spare(struct etl_walk *w,
                                 const struct etl_buffer *buffer)
{
    struct walked *b = w->spare.len ? w->spare.data[--w->spare.len]
                                    : mem_new(1, sizeof(*b));

    if (buffer->packed && b->room < buffer->filled)
        b->unpacked = mem_grow(b->unpacked, &b->room, buffer->filled, 1);
    return b;
}

static void open_buffer(struct event_cursor *c, size_t number)
{
    const struct etl_recording *r = &state_of(c->trace)->recording;
    const struct etl_buffer *buffer = &r->buffers.data[number];
    struct etl_walk *w = c->state;
    struct walked *b = take_spare(w, buffer);
    bool damaged;

    b->buffer = number;
    b->events = etl_buffer_events(&r->files[buffer->file], buffer,
                                  b->unpacked, &damaged);
    b->pos = 0;
    b->time = buffer->first_time;
    if (damaged)
        note_damage(c, b, "packed data breaks off");
    c->effort.buffers++;
    if (step(c, b))
        push(w, b);
    else
        *vec_add(&w->spare) = b;
}

/* How many events are in a buffer that is passed over. */
static uint64_t count_events(struct event_cursor *c, size_t number)
{
    const struct etl_recording *r = &state_of(c->trace)->recording;
    const struct etl_buffer *buffer = &r->buffers.data[number];
    struct etl_walk *w = c->state;
    struct walked *b = take_spare(w, buffer);
    struct etl_event e;
    struct bytes events;
    size_t pos = 0;
    uint64_t n = 0;
    bool damaged;

    events = etl_buffer_events(&r->files[buffer->file], buffer, b->unpacked,
                               &damaged);
    while (etl_step(events.data, events.len, &pos, &e) == STEP_EVENT)
        n++;
    *vec_add(&w->spare) = b;
    return n;
}

static bool is_before(const struct event_cursor *c, size_t number)
{
    const struct etl_trace *s = state_of(c->trace);
    uint64_t end = s->ends[number];

    return end != UINT64_MAX &&
           etl_time(&s->recording, end) < c->options.from;
}

/* Whether the buffer lies outside the time that is asked for. */
static bool is_outside(const struct event_cursor *c, size_t number)
{
    const struct etl_recording *r = &state_of(c->trace)->recording;

    if (!c->options.timed)
        return false;
    return etl_time(r, r->buffers.data[number].first_time) >= c->options.to ||
           is_before(c, number);
}

static size_t buffer_at(const struct event_cursor *c, size_t i)
{
    const struct etl_walk *w = c->state;

    return w->order ? w->order[i] : i;
}

/* Opens what begins before the top of the heap; one in any case. */
static void open_buffers(struct event_cursor *c)
{
    const etl_buffers *buffers = &state_of(c->trace)->recording.buffers;
    struct etl_walk *w = c->state;

    while (w->next < buffers->len) {
        size_t number = buffer_at(c, w->next);

        if (w->heap.len &&
            (w->order ||
             buffers->data[number].first_time > w->heap.data[0]->time))
            return;
        w->next++;
        if (!is_outside(c, number)) {
            open_buffer(c, number);
            continue;
        }
        c->effort.buffers_skipped++;
        if (!c->options.numbered)
            c->uncounted = true;
        else if (w->order || is_before(c, number))
            c->number += count_events(c, number);
    }
}

/* ---- one event ---- */

/* What stands between header and payload of an EVENT_HEADER record. */
struct items {
    struct bytes tracelogging, traits;
    const uint8_t *related;
    struct bytes stack;
    unsigned width; /* of its frames */
    uint64_t key;   /* of a stack; 0: none */
};

static void take_item(struct items *items, const struct etl_item *i)
{
    enum { RELATED = 1, TRACELOGGING = 11, TRAITS = 12 };

    switch (i->type) {
    case RELATED:
        if (i->size >= 16)
            items->related = i->data;
        break;
    case TRACELOGGING:
        items->tracelogging = (struct bytes){i->data, i->size};
        break;
    case TRAITS:
        items->traits = (struct bytes){i->data, i->size};
        break;
    case ITEM_STACK_32:
    case ITEM_STACK_64:
        if (i->size >= 8) {
            items->width = i->type == ITEM_STACK_64 ? 8 : 4;
            items->stack = (struct bytes){i->data + 8, i->size - 8};
        }
        break;
    default:
        break;
    }
}

static struct items read_items(struct event_cursor *c, struct etl_event *e)
{
    struct items items = {0};
    struct etl_item item;
    bool more = load_u16(e->at + 4) & 1;

    while (more) {
        if (!etl_next_item(e, &more, &item)) {
            c->notes->quality.malformed++;
            break;
        }
        take_item(&items, &item);
    }
    return items;
}

static void set_payload(struct event *out, const struct etl_event *e)
{
    out->payload = etl_payload(e);
    out->size = etl_payload_size(e);
    out->pointer_size = e->width;
}

static void set_times(struct event *out, const uint8_t *at)
{
    out->kernel_time = load_u32(at);
    out->user_time = load_u32(at + 4);
    out->has_times = true;
}

static uint32_t number_at(const struct event *e, int at)
{
    return at >= 0 && (size_t)at + 4 <= e->size ? load_u32(e->payload + at)
                                                : EVENT_UNKNOWN;
}

/* Process and thread of a kernel event: of its header, of its payload, of what
 * else is known of the thread. */
static void set_subject(struct event_cursor *c, uint16_t hook, uint64_t time,
                        const struct subject *subject)
{
    struct event *e = &c->event;
    uint32_t pid = number_at(e, subject->pid_at);
    uint32_t tid = number_at(e, subject->tid_at);
    bool other = is_about_other(hook);

    if (tid != EVENT_UNKNOWN && (other || e->tid == EVENT_UNKNOWN))
        e->tid = tid;
    if (pid != EVENT_UNKNOWN && (other || e->pid == EVENT_UNKNOWN))
        e->pid = pid;
    if (e->pid == EVENT_UNKNOWN && e->tid != EVENT_UNKNOWN &&
        (!c->options.no_subjects || c->options.pids.count)) {
        event_survey(c->trace);
        e->pid = event_thread_pid(c->trace, e->tid, time);
    }
}

static void set_kernel(struct event_cursor *c, const struct etl_event *e,
                       uint64_t time, uint16_t hook)
{
    struct kind_request request = {
        .is_hook = true,
        .hook = hook,
        .version = (uint8_t)etl_version(e),
        .width = e->width,
    };
    const struct known_kind *known = event_kind_of(c->trace, &request);

    c->event.kind = &known->kind;
    c->event.opcode = (uint8_t)hook;
    set_subject(c, hook, time, &known->subject);
}

static void set_system(struct event_cursor *c, const struct etl_event *e,
                       uint64_t time)
{
    struct event *out = &c->event;

    if (e->type <= 4) {
        out->tid = load_u32(e->at + 8);
        out->pid = load_u32(e->at + 12);
    }
    if (e->type <= 2)
        set_times(out, e->at + 24);
    set_payload(out, e);
    set_kernel(c, e, time, e->hook);
}

static void set_classic(struct event_cursor *c, const struct etl_event *e,
                        uint64_t time)
{
    enum { INSTANCE_32 = 11, INSTANCE_64 = 21 };
    struct event *out = &c->event;
    const uint8_t *guid = e->at + GUID_AT;
    uint16_t hook = etl_classic_hook(guid, e->at[4]);
    struct kind_request request = {
        .guid = guid,
        .classic = true,
        .id = e->at[4],
        .opcode = e->at[4],
        .level = e->at[5],
        .version = (uint8_t)load_u16(e->at + 6),
        .width = e->width,
    };

    out->tid = load_u32(e->at + 8);
    out->pid = load_u32(e->at + 12);
    out->level = e->at[5];
    out->opcode = e->at[4];
    set_times(out, e->at + 40);
    set_payload(out, e);
    if (e->type == INSTANCE_32 || e->type == INSTANCE_64) {
        out->instance = load_u32(e->at + 48);
        out->parent_instance = load_u32(e->at + 52);
        out->parent_guid = e->at + 56;
    }
    if (hook)
        set_kernel(c, e, time, hook);
    else
        out->kind = &event_kind_of(c->trace, &request)->kind;
}

static void keep_stack(struct event_cursor *c, const struct items *items)
{
    struct etl_walk *w = c->state;
    size_t n = items->width ? items->stack.len / items->width : 0;

    w->stack.len = 0;
    for (size_t i = 0; i < n; i++)
        *vec_add(&w->stack) =
            load_ptr(items->stack.data + i * items->width, items->width);
    c->event.stack = w->stack.data;
    c->event.stack_count = (uint32_t)n;
}

static void set_header(struct event_cursor *c, struct etl_event *e)
{
    struct event *out = &c->event;
    struct items items = read_items(c, e);
    const uint8_t *at = e->at;
    struct kind_request request = {
        .guid = at + GUID_AT,
        .id = load_u16(at + 40),
        .version = at[42],
        .level = at[44],
        .opcode = at[45],
        .task = load_u16(at + 46),
        .keywords = load_u64(at + 48),
        .width = e->width,
        .tracelogging = items.tracelogging,
        .traits = items.traits,
    };

    if (!items.tracelogging.len)
        request.traits.len = 0;
    out->tid = load_u32(at + 8);
    out->pid = load_u32(at + 12);
    out->level = request.level;
    out->opcode = request.opcode;
    out->keywords = request.keywords;
    out->activity = at + 64;
    out->related = items.related;
    set_times(out, at + 56);
    set_payload(out, e);
    if (c->options.stacks)
        keep_stack(c, &items);
    out->kind = &event_kind_of(c->trace, &request)->kind;
}

/* A message of the preprocessor: its number and what options say precedes its
 * arguments. What they mean is in files that are not part of a trace. */
static void set_wpp(struct event_cursor *c, struct walked *b)
{
    enum { SEQUENCE = 1, GUID = 2, COMPONENT = 4, TIME = 8, IDS = 0x20 };
    enum { POINTER_32 = 0x40 };
    struct event *out = &c->event;
    struct reader r = reader_of("", b->e.at + 4, b->e.size - 4, 0, NULL);
    struct kind_request request = {
        .classic = true,
        .name = "Message",
        .guid = (const uint8_t[16]){0},
    };
    unsigned options;
    uint64_t time = 0;

    request.id = reader_u16(&r);
    options = reader_u16(&r);
    if (options & SEQUENCE)
        reader_skip(&r, 4);
    if (options & GUID)
        request.guid = reader_take(&r, 16);
    else if (options & COMPONENT)
        reader_skip(&r, 4);
    if (options & TIME)
        time = reader_u64(&r);
    if (options & IDS) {
        out->tid = reader_u32(&r);
        out->pid = reader_u32(&r);
    }
    out->pointer_size = options & POINTER_32 ? 4 : 8;
    if (r.failed || !request.guid) {
        request.guid = (const uint8_t[16]){0};
        c->notes->quality.malformed++;
    }
    if (time > b->time)
        b->time = time;
    out->payload = r.base + r.pos;
    out->size = (uint32_t)(r.len - r.pos);
    request.width = out->pointer_size;
    out->kind = &event_kind_of(c->trace, &request)->kind;
}

/* Records without a header that we know: the bytes, to be seen. */
static void set_other(struct event_cursor *c, const struct etl_event *e)
{
    struct kind_request request = {
        .classic = true,
        .name = "Record",
        .guid = (const uint8_t[16]){0},
        .id = e->type,
        .opcode = e->type,
    };

    c->event.payload = e->at + 4;
    c->event.size = e->size - 4;
    c->event.kind = &event_kind_of(c->trace, &request)->kind;
}

static void set_event(struct event_cursor *c, struct walked *b)
{
    const struct etl_recording *r = &state_of(c->trace)->recording;
    const struct etl_buffer *buffer = &r->buffers.data[b->buffer];
    struct etl_event e = b->e;

    c->event = (struct event){
        .place = (uint64_t)b->buffer << 32 | b->pos,
        .pid = EVENT_UNKNOWN,
        .tid = EVENT_UNKNOWN,
        .cpu = buffer->cpu,
        .pointer_size = e.width ? e.width : 8,
        .record = e.at,
        .file = buffer->file,
    };
    if (e.family == FAMILY_KERNEL)
        set_system(c, &e, b->time);
    else if (e.family == FAMILY_HEADER)
        set_header(c, &e);
    else if (e.header)
        set_classic(c, &e, b->time);
    else if (e.at[3] == WPP && e.size >= 8)
        set_wpp(c, b);
    else
        set_other(c, &e);
    /* Records without a time are as late as the one before them. */
    c->event.time = etl_time(r, e.time ? e.time : b->time);
    if (c->options.stacks && !c->event.stack_count) {
        struct etl_walk *w = c->state;

        etl_stack_of(state_of(c->trace)->stacks, e.time, c->event.tid,
                     buffer->cpu, &w->stack.data, &w->stack.len,
                     &w->stack.cap);
        c->event.stack = w->stack.data;
        c->event.stack_count = (uint32_t)w->stack.len;
    }
}

static bool next_event(struct event_cursor *c)
{
    struct etl_walk *w = c->state;
    struct walked *top;

    /* The event that was given is left behind only now: until then the
     * buffer it lies in stays. */
    if (w->given) {
        top = w->heap.data[0];
        w->given = false;
        if (!step(c, top)) {
            *vec_add(&w->spare) = top;
            w->heap.data[0] = w->heap.data[--w->heap.len];
        }
        if (w->heap.len)
            sift_down(w);
    }
    open_buffers(c);
    if (!w->heap.len)
        return false;
    w->given = true;
    set_event(c, w->heap.data[0]);
    return true;
}

/* ---- cursors ---- */

struct place {
    uint64_t offset;
    uint32_t file, buffer;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

static uint32_t *order_of_files(const struct etl_recording *r)
{
    size_t n = r->buffers.len;
    struct place *places = mem_new(n + 1, sizeof(*places));
    uint32_t *order = mem_new(n + 1, sizeof(*order));

    for (size_t i = 0; i < n; i++) {
        const struct etl_buffer *b = &r->buffers.data[i];

        places[i] = (struct place){b->offset, b->file, (uint32_t)i};
    }
    qsort(places, n, sizeof(*places), compare_places);
    for (size_t i = 0; i < n; i++)
        order[i] = places[i].buffer;
    free(places);
    return order;
}

static void begin(struct event_cursor *c)
{
    struct etl_trace *s = state_of(c->trace);
    struct etl_walk *w = mem_new(1, sizeof(*w));

    c->state = w;
    if (c->options.unordered)
        w->order = order_of_files(&s->recording);
    if (c->options.stacks && !s->stacks)
        s->stacks = etl_stacks_new(&s->recording);
}

static void free_walked(struct walked *b)
{
    free(b->unpacked);
    free(b);
}

static void end(struct event_cursor *c)
{
    struct etl_walk *w = c->state;

    for (size_t i = 0; i < w->heap.len; i++)
        free_walked(w->heap.data[i]);
    for (size_t i = 0; i < w->spare.len; i++)
        free_walked(w->spare.data[i]);
    vec_release(&w->heap);
    vec_release(&w->spare);
    vec_release(&w->stack);
    free(w->order);
    free(w);
}

/* ---- the survey ---- */

/* Threads as they begin, or are listed: payloads of version 0 have thread and
 * process the other way round. */
static void survey_thread(struct event_trace *t, const struct etl_event *e,
                          uint16_t hook)
{
    const uint8_t *p = etl_payload(e);
    bool swapped = !etl_version(e);

    if (hook < 0x0501 || hook > 0x0504 || etl_payload_size(e) < 8)
        return;
    /* At its end a thread is known already, if it ever was. */
    *vec_add(&t->threads) = (struct thread_life){
        .time = e->time,
        .pid = load_u32(p + (swapped ? 4 : 0)),
        .tid = load_u32(p + (swapped ? 0 : 4)),
    };
}

static void survey_event(struct event_trace *t, struct etl_event *e)
{
    const uint8_t *guid = e->at + GUID_AT;
    uint64_t stacks;

    if (e->family == FAMILY_KERNEL) {
        survey_thread(t, e, e->hook);
    } else if (e->family == FAMILY_FULL) {
        uint16_t hook = etl_classic_hook(guid, e->at[4]);

        if (hook)
            survey_thread(t, e, hook);
        else
            schemas_take_classic(
                t, guid, e->at[4],
                (struct bytes){etl_payload(e), etl_payload_size(e)});
    } else if (e->family == FAMILY_HEADER &&
               load_u16(e->at + 40) == MANIFEST_ID &&
               etl_pass_items(e, &stacks)) {
        schemas_take_manifest(
            t, guid, load_u32(e->at + 12), load_u32(e->at + 8),
            (struct bytes){etl_payload(e), etl_payload_size(e)});
    }
}

static void survey(struct event_trace *t)
{
    const struct etl_recording *r = &state_of(t)->recording;
    uint8_t *unpacked = NULL;
    size_t room = 0;
    struct etl_event e;
    bool damaged;

    for (size_t i = 0; i < r->buffers.len; i++) {
        const struct etl_buffer *b = &r->buffers.data[i];
        struct bytes events;
        size_t pos = 0;

        if (b->packed && room < b->filled)
            unpacked = mem_grow(unpacked, &room, b->filled, 1);
        events = etl_buffer_events(&r->files[b->file], b, unpacked, &damaged);
        while (etl_step(events.data, events.len, &pos, &e) == STEP_EVENT)
            survey_event(t, &e);
    }
    free(unpacked);
}

const struct event_reader etl_events = {
    .format = &etl_format,
    .open = open_trace,
    .close = close_trace,
    .survey = survey,
    .begin = begin,
    .next = next_event,
    .end = end,
};
