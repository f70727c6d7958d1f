/*
 * etl_events - what the files share that read events of Windows event logs.
 *
 *     etl_walk_begin(cursor);
 *     while ((b = etl_walk_next(cursor)))
 *         etl_set_event(cursor, b);        // cursor->event
 *     etl_walk_end(cursor);
 */
#ifndef TOPFN_EVENTS_ETL_EVENTS_H
#define TOPFN_EVENTS_ETL_EVENTS_H

#include "engine/base/heap.h"
#include "engine/events/trace_impl.h"
#include "engine/format/etl/etl.h"
#include "engine/format/etl/event.h"

struct etl_stacks;
struct etl_following;

/* The event_trace.state of a log. */
struct etl_trace {
    struct etl_recording recording;
    uint64_t *ends; /* by buffer: no event is later; see etl_walk.c */
    struct etl_stacks *stacks;       /* made when first asked for */
    struct etl_following *following; /* NULL: all of the log is there */
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

/* The event_cursor.state of a log. */
struct etl_walk {
    struct heap heap; /* of struct walked; in order of the file: one */
    VEC(struct walked *) spare;
    uint32_t *order;     /* of buffers in the files; NULL: in order of time */
    size_t next;         /* buffer to open */
    bool given;          /* the top's event is the cursor's */
    VEC(uint64_t) stack; /* of the cursor's event */
};

static inline struct etl_trace *etl_trace_of(const struct event_trace *t)
{
    return t->state;
}

/* ---- etl_walk.c ---- */

/* By buffer, until when its events are at most; to be freed. */
uint64_t *etl_find_ends(const etl_buffers *buffers);

void etl_walk_begin(struct event_cursor *c);
void etl_walk_end(struct event_cursor *c);

/* The open buffer whose event is the next; NULL at the end. It stays open
 * until the next call. */
struct walked *etl_walk_next(struct event_cursor *c);

/* Every record of every buffer, in the order of buffers. */
void etl_each_record(const struct etl_recording *r,
                     void (*take)(void *context, struct etl_event *e,
                                  const struct etl_buffer *b),
                     void *context);

/* Every record of one buffer. `*unpacked` has room for `*room` bytes and may
 * grow. */
void etl_each_record_of(const struct etl_recording *r,
                        const struct etl_buffer *b, uint8_t **unpacked,
                        size_t *room,
                        void (*take)(void *context, struct etl_event *e,
                                     const struct etl_buffer *b),
                        void *context);

/* ---- etl_record.c ---- */

/* Fills in the cursor's event. */
void etl_set_event(struct event_cursor *c, struct walked *b);

/* ---- etl_events.c: a log that is still being written ---- */

enum { WAITING_A_CPU = 4 };

struct etl_following *etl_following_new(const struct etl_recording *r);
void etl_following_free(struct etl_following *f);

/* Waits for the next buffer and adds it to the recording. False at the end of
 * the log. */
bool etl_following_step(struct event_trace *t);

/* True if no earlier event is to be expected; `open` buffers wait. */
bool etl_following_is_ready(const struct etl_following *f, uint64_t time,
                            size_t open);

/* ---- etl_stacks.c: stacks that a log tells apart from their events ---- */

struct etl_stacks *etl_stacks_new(const struct etl_recording *recording);
void etl_stacks_free(struct etl_stacks *stacks);

/* Fills the vector with the frames, the innermost first; none when the event
 * has no stack. */
void etl_stack_of(const struct etl_stacks *stacks, uint64_t time, uint32_t tid,
                  uint16_t cpu, uint64_t **frames, size_t *len, size_t *cap);

#endif
