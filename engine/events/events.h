/*
 * events - the raw events of a trace, one after the other.
 *
 *     struct event_trace *trace = event_trace_open(paths, n, &err);
 *     struct event_options options = {.providers = {names, 1}};
 *     struct event_cursor *c = event_cursor_new(trace, &options);
 *     const struct event *e;
 *
 *     while ((e = event_next(c)))
 *         show(e->time, e->kind->provider, e->kind->name, e->kind->type_name);
 *     event_cursor_free(c);
 *     event_trace_close(trace);
 *
 * A trace is opened once and holds what was mapped, the kinds of events met
 * and their schemas (schema.h). Any number of cursors walk over it at the
 * same time, each with its own filter, all on one thread; a cursor remembers
 * as much as has to be put into order, whatever the size of the trace.
 *
 * An event, its payload and its stack are valid until the next call with the
 * same cursor. Kinds and schemas live as long as the trace.
 *
 * Opening fails when a path is no trace, nothing in it is readable, or
 * its format has samples and no events (ERR_UNSUPPORTED). After that damage is
 * stepped over and noted (event_trace_notes); a cursor just ends.
 */
#ifndef TOPFN_EVENTS_H
#define TOPFN_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/base/reader.h"

struct event_naming;
struct event_trace;
struct event_cursor;
struct event_schema;
struct entry;
struct profile;
struct trace_format;

/* An event of .NET or of a known provider by the name that raw events have,
 * "GC/AllocationTick", or that behind the provider's and a "/", as provider
 * and id: "Microsoft-Windows-DotNETRuntime/10", a line for each event that is
 * called so. To be freed; NULL: no such name is known without a trace. */
char *event_id_of_name(const char *name);

/* The same for an event that only this trace names, "PerfInfo/Sample" or
 * "MySource/Request/Start"; walks the trace for it. A line for each kind of
 * events that is called so; NULL: none is. */
char *event_id_in_trace(struct event_trace *trace, const char *name);

/* Names events for readers that count them (event_naming.h): a trace without
 * events, to which kinds are described. */
struct event_naming *event_naming_new(void);
void event_naming_free(struct event_naming *naming);

/* In place of a number that an event does not have: pid, tid, CPU. */
#define EVENT_UNKNOWN UINT32_MAX

/* The properties that events with one schema share. */
struct event_kind {
    uint32_t index;       /* 0, 1, ... in order of first appearance */
    const char *provider; /* "Windows Kernel"; its GUID where none is known */
    const char *name;     /* of the event or its class: "Process", "GC" */
    const char *type_name; /* of its type or opcode: "Start"; may be "" */
    const char *full_name; /* "Process/Start" */
    const char *message;   /* what the schema says of the event; may be "" */
    const char *description, *attributes; /* of nettrace v6, the latter as a
                                             JSON object; may be "" */
    uint8_t guid[16];      /* of the provider, as stored; or zeroes */
    uint8_t class_guid[16]; /* of the class of a classic event; or zeroes */
    uint16_t id, task;
    uint8_t version, opcode;
    uint8_t level;
    uint8_t pointer_size;
    bool classic;    /* MOF and kernel events: `opcode` tells which */
    bool omits_null; /* the recorder may leave a text out that is null */
    uint64_t keywords;
    const struct event_schema *schema; /* NULL: its fields are not known */
};

struct event {
    const struct event_kind *kind;
    uint64_t number; /* from 1, in the order of the cursor; 0: see `numbered` */
    uint64_t place;  /* of the record in the trace: no other event has it */
    int64_t time;    /* ns since the trace's start; may be negative */
    uint64_t ticks;  /* of the trace's clock, as stored */
    uint32_t pid, tid, cpu;        /* whom it is about */
    uint32_t stack_pid, stack_tid; /* who logged it: whose the stack is */
    uint8_t level, opcode;
    uint8_t pointer_size; /* of addresses in the payload: 4 or 8 */
    uint64_t keywords;
    const uint8_t *payload;
    uint32_t size;
    /* Timer ticks of the thread, where `has_times`. */
    uint32_t kernel_time, user_time;
    bool has_times;
    /* INSTANCE records; zero elsewhere. */
    uint32_t instance, parent_instance;
    const uint8_t *parent_guid;           /* 16 bytes; or NULL */
    const uint8_t *activity, *related;    /* 16 bytes; or NULL */
    const uint8_t *labels; /* a list of nettrace v6 (event_labels_json) */
    size_t labels_size;
    const uint8_t *record;                /* the whole record as stored */
    /* Addresses, innermost first (event_frame); only with options.stacks. */
    const uint8_t *stack;
    uint32_t stack_count;
    uint8_t stack_width; /* of an address: 4 or 8 */
    bool stack_lasts;    /* it lies in the file, and many events may name it */
    uint32_t stack_kernel; /* of these, how many are a kernel part in front of
                              a user part; 0 where the two are not apart */
    uint16_t file; /* which of the trace's files (event_trace_file) */
};

static inline uint64_t event_frame(const struct event *e, uint32_t i)
{
    return load_ptr(e->stack + (size_t)i * e->stack_width, e->stack_width);
}

/* Texts that are compared without case. */
struct event_texts {
    const char *const *list;
    size_t count;
};

struct event_numbers {
    const uint32_t *list;
    size_t count;
};

/* All zero: every event in order of time. A filter with an empty list lets
 * everything pass. The texts and numbers of lists must last as long as the
 * cursor. */
struct event_options {
    /* Only events with from <= time < to. Buffers and blocks that lie outside
     * are neither unpacked nor walked. */
    bool timed;
    int64_t from, to;
    struct event_texts providers; /* names or GUIDs, with or without braces */
    /* Names ("Process/Start"), classes ("Process") or ids ("141"). */
    struct event_texts events;
    struct event_numbers pids, tids;
    uint8_t level;     /* at most; 0: any */
    uint64_t keywords; /* any of these bits; 0: any */
    bool unordered;    /* in the order of the file: needs no memory */
    /* Processes that only other events tell stay unknown, unless `pids` asks
     * for some: spares a look through the whole trace for threads. */
    bool no_subjects;
    bool stacks;
    /* Asked now and then with the context, also while nothing is let through:
     * true ends the walk. NULL: it goes on to the end. */
    int (*is_over)(void *context);
    void *context;
    /* Number events as if nothing was left out, also where that means to walk
     * (never to decode) what lies before the time range. Without it events
     * behind a part that was skipped have the number 0. */
    bool numbered;
};

/* Over traces of one format, which must stay loaded (input/trace_events.h opens
 * them by path). */
struct event_trace *event_trace_of(const struct trace_format *format,
                                   const struct entry *entries, size_t count,
                                   struct err *err);
void event_trace_close(struct event_trace *trace);

/* event_trace_close releases the owner, too: it holds what the trace reads. */
void event_trace_own(struct event_trace *trace, void (*release)(void *owner),
                     void *owner);
void *event_trace_owner(const struct event_trace *trace); /* or NULL */

/* A trace that is still being written, through a pipe ("-") or a named one:
 * cursors wait for what is not there yet, and call `idle` before they do.
 * The bytes that came are kept in memory. In a log of Windows the order of time
 * is kept as far as buffers of its CPUs come in turns (etl_events.c). */
struct event_trace *event_trace_follow(const char *path,
                                       void (*idle)(void *context),
                                       void *context, struct err *err);

const char *event_trace_format(const struct event_trace *trace); /* "etl" */
/* ns since 1970 of time 0; 0 where the trace does not say. */
int64_t event_trace_start(const struct event_trace *trace);
uint64_t event_trace_size(const struct event_trace *trace); /* bytes */
const char *event_trace_file(const struct event_trace *trace, uint16_t file);

/* Losses, skipped and malformed bytes so far: quality and warnings. */
const struct profile *event_trace_notes(const struct event_trace *trace);

/* The kinds known so far: those met, then those only described. */
size_t event_kind_count(const struct event_trace *trace);
const struct event_kind *event_kind_at(const struct event_trace *trace,
                                       size_t index);

/* A process that the trace tells of. */
struct event_process {
    uint32_t pid;
    int64_t from;     /* ns; INT64_MIN: it was there before */
    const char *name; /* "orders.exe" */
    const char *path; /* of its program, as the trace has it; "" unknown */
};

/* The process that had `pid` at `time`; NULL: the trace does not say. The
 * first call walks the trace. */
const struct event_process *event_process_at(struct event_trace *trace,
                                             uint32_t pid, int64_t time);

/* True if events of a kind pass the filters of providers and of names. */
bool event_kind_passes(const struct event_options *options,
                       const struct event_kind *kind);

/* Adds what schemas of the trace and built-in ones describe of a provider (a
 * name or GUID) whether or not it occurs. */
void event_kinds_describe(struct event_trace *trace, const char *provider);

/* The options are copied, the lists are not. */
struct event_cursor *event_cursor_new(struct event_trace *trace,
                                      const struct event_options *options);
void event_cursor_free(struct event_cursor *cursor);

/* The next event; NULL at the end. */
const struct event *event_next(struct event_cursor *cursor);

/* The work of the cursor so far, to see what a filter saves. */
struct event_effort {
    uint64_t buffers, buffers_skipped; /* or blocks */
    uint64_t events, events_passed;    /* walked; let through the filter */
};

struct event_effort event_cursor_effort(const struct event_cursor *cursor);

#endif
