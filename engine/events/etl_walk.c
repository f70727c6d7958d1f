/*
 * A walk over the records of a log. Buffers are known by the time of their
 * first event. A walk in order of time opens a buffer when it has come that
 * far, and merges those that are open: as many as there are CPUs, as a rule.
 * Only these are unpacked.
 */
#include "engine/events/etl_events.h"

#include <stdlib.h>

/* Buffers of one CPU follow each other in time. How many of the next ones have
 * to begin too early before one is taken to end so. */
enum { SLACK = 2 };

/* A buffer ends before the second one behind it of its CPU begins. */
uint64_t *etl_find_ends(const etl_buffers *buffers)
{
    uint64_t *ends = mem_new(buffers->len + 1, sizeof(*ends));
    struct map last = {0};

    for (size_t i = 0; i < buffers->len; i++)
        ends[i] = UINT64_MAX;
    for (size_t i = 0; i < buffers->len; i++) {
        const struct etl_buffer *b = &buffers->data[i];
        uint32_t cpu = (uint32_t)b->file << 16 | b->cpu;

        for (unsigned k = SLACK; k > 0; k--) {
            uint32_t earlier = map_get(&last, cpu, k - 1);

            if (earlier == MAP_NONE)
                continue;
            if (k == SLACK)
                ends[earlier] = b->first_time;
            else
                map_set(&last, cpu, k, earlier);
        }
        map_set(&last, cpu, 0, (uint32_t)i);
    }
    map_release(&last);
    return ends;
}

static void note_damage(struct event_cursor *c, const struct walked *b,
                        const char *why)
{
    const struct etl_recording *r = &etl_trace_of(c->trace)->recording;
    const struct etl_buffer *buffer = &r->buffers.data[b->buffer];

    profile_skip(c->notes, r->files[buffer->file].name,
                 buffer->offset + BUFFER_HEADER + (buffer->packed ? 0 : b->pos),
                 b->events.len - b->pos, why);
}

/* The next event of a buffer; its time never goes back. */
static bool step_buffer(struct event_cursor *c, struct walked *b)
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
    struct walked *b =
        w->spare.len ? w->spare.data[--w->spare.len] : mem_new(1, sizeof(*b));

    if (buffer->packed && b->room < buffer->filled)
        b->unpacked = mem_grow(b->unpacked, &b->room, buffer->filled, 1);
    return b;
}

static void open_buffer(struct event_cursor *c, size_t number)
{
    const struct etl_recording *r = &etl_trace_of(c->trace)->recording;
    const struct etl_buffer *buffer = &r->buffers.data[number];
    struct etl_walk *w = c->state;
    struct walked *b = take_spare(w, buffer);
    bool damaged;

    b->buffer = number;
    b->events = etl_buffer_events(&r->files[buffer->file], buffer, b->unpacked,
                                  &damaged);
    b->pos = 0;
    b->time = buffer->first_time;
    if (damaged)
        note_damage(c, b, "packed data is truncated");
    c->effort.buffers++;
    if (step_buffer(c, b))
        heap_push(&w->heap, b->time, number, b);
    else
        *vec_add(&w->spare) = b;
}

/* The number of events in a buffer that is passed over. */
static uint64_t count_events(struct event_cursor *c, size_t number)
{
    const struct etl_recording *r = &etl_trace_of(c->trace)->recording;
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
    const struct etl_trace *s = etl_trace_of(c->trace);
    uint64_t end = s->ends ? s->ends[number] : UINT64_MAX;

    return end != UINT64_MAX && etl_time(&s->recording, end) < c->options.from;
}

/* True if the buffer lies outside the time that is asked for. */
static bool is_outside(const struct event_cursor *c, size_t number)
{
    const struct etl_recording *r = &etl_trace_of(c->trace)->recording;

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

static void open_next(struct event_cursor *c)
{
    struct etl_walk *w = c->state;
    size_t number = buffer_at(c, w->next++);

    if (!is_outside(c, number)) {
        open_buffer(c, number);
        return;
    }
    c->effort.buffers_skipped++;
    if (!c->options.numbered)
        c->uncounted = true;
    else if (w->order || is_before(c, number))
        c->number += count_events(c, number);
}

/* Opens what begins before the top of the heap; one in any case. */
static void open_buffers(struct event_cursor *c)
{
    const etl_buffers *buffers = &etl_trace_of(c->trace)->recording.buffers;
    struct etl_walk *w = c->state;

    while (w->next < buffers->len) {
        size_t number = buffer_at(c, w->next);

        if (w->heap.len && (w->order || buffers->data[number].first_time >
                                            w->heap.data[0].time))
            return;
        open_next(c);
    }
}

/* In a log that is still being written: opens the buffers that have come, and
 * waits for more until the top of the heap can be given. */
static void await_buffers(struct event_cursor *c)
{
    const struct etl_trace *s = etl_trace_of(c->trace);
    struct etl_walk *w = c->state;

    do {
        while (w->next < s->recording.buffers.len &&
               !(w->heap.len && c->options.unordered))
            open_next(c);
        if (w->heap.len &&
            (c->options.unordered ||
             etl_following_is_ready(s->following, w->heap.data[0].time,
                                    w->heap.len)))
            return;
    } while (etl_following_step(c->trace));
}

struct walked *etl_walk_next(struct event_cursor *c)
{
    struct etl_walk *w = c->state;
    struct walked *top;

    /* The event that was given is left behind only now: until then the
     * buffer it lies in stays. */
    if (w->given) {
        top = w->heap.data[0].what;
        w->given = false;
        if (step_buffer(c, top))
            heap_delay(&w->heap, top->time);
        else
            *vec_add(&w->spare) = heap_pop(&w->heap);
    }
    if (c->trace->follow)
        await_buffers(c);
    else
        open_buffers(c);
    w->given = w->heap.len;
    return w->given ? w->heap.data[0].what : NULL;
}

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

void etl_walk_begin(struct event_cursor *c)
{
    struct etl_walk *w = mem_new(1, sizeof(*w));

    c->state = w;
    if (c->options.unordered && !c->trace->follow)
        w->order = order_of_files(&etl_trace_of(c->trace)->recording);
}

void etl_walk_end(struct event_cursor *c)
{
    struct etl_walk *w = c->state;

    while (w->heap.len)
        *vec_add(&w->spare) = heap_pop(&w->heap);
    for (size_t i = 0; i < w->spare.len; i++) {
        free(w->spare.data[i]->unpacked);
        free(w->spare.data[i]);
    }
    vec_release(&w->heap);
    vec_release(&w->spare);
    vec_release(&w->stack);
    free(w->order);
    free(w);
}

void etl_each_record_of(const struct etl_recording *r,
                        const struct etl_buffer *b, uint8_t **unpacked,
                        size_t *room,
                        void (*take)(void *context, struct etl_event *e,
                                     const struct etl_buffer *b),
                        void *context)
{
    struct etl_event e;
    struct bytes events;
    size_t pos = 0;
    bool damaged;

    if (b->packed && *room < b->filled)
        *unpacked = mem_grow(*unpacked, room, b->filled, 1);
    events = etl_buffer_events(&r->files[b->file], b, *unpacked, &damaged);
    while (etl_step(events.data, events.len, &pos, &e) == STEP_EVENT) {
        take(context, &e, b);
    }
}

void etl_each_record(const struct etl_recording *r,
                     void (*take)(void *context, struct etl_event *e,
                                  const struct etl_buffer *b),
                     void *context)
{
    uint8_t *unpacked = NULL;
    size_t room = 0;

    for (size_t i = 0; i < r->buffers.len; i++)
        etl_each_record_of(r, &r->buffers.data[i], &unpacked, &room, take,
                           context);
    free(unpacked);
}
