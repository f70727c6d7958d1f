/*
 * etl_walk - the records of a log, one after the other.
 *
 *     etl_walk_begin(cursor);
 *     while ((b = etl_walk_next(cursor)))
 *         etl_set_event(cursor, b);        // cursor->event
 *     etl_walk_end(cursor);
 *
 * Buffers are known by the time of their first event. A walk in order of time
 * opens a buffer when the walk has come that far and merges those that are
 * open: as many as there are CPUs, as a rule. Only these are unpacked.
 */
#ifndef TOPFN_EVENTS_ETL_WALK_H
#define TOPFN_EVENTS_ETL_WALK_H

#include "engine/events/trace_impl.h"
#include "engine/format/etl/etl.h"
#include "engine/format/etl/event.h"

struct etl_stacks;
struct etl_following;

/* What event_trace.state is of a log. */
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

/* What event_cursor.state is. */
struct etl_walk {
    VEC(struct walked *) heap; /* the earliest on top */
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

/* Of one buffer. `*unpacked` has room for `*room` bytes and may grow. */
void etl_each_record_of(const struct etl_recording *r,
                        const struct etl_buffer *b, uint8_t **unpacked,
                        size_t *room,
                        void (*take)(void *context, struct etl_event *e,
                                     const struct etl_buffer *b),
                        void *context);

/* etl_record.c: fills in the cursor's event. */
void etl_set_event(struct event_cursor *c, struct walked *b);

#endif
