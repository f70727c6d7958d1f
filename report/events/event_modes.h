/*
 * event_modes - raw events as rows, in the four modes of LogParser's ETW
 * input, and the table of what a trace holds.
 *
 *   compact  EventNumber, EventName, EventTypeName, Timestamp, UserData
 *   fnames   the same, UserData as Name=value
 *   full     20 fields that all events have, then one column per property of
 *            the providers
 *   meta     the fields of all events of the providers, a row each
 *   table    providers and events with counts, rates and bytes
 *
 * Writers never fail; what an output cannot take shows when it is closed.
 */
#ifndef TOPFN_EVENT_MODES_H
#define TOPFN_EVENT_MODES_H

#include "engine/base/strings.h"
#include "engine/base/vec.h"
#include "engine/events/schema.h"
#include "report/events/event_rows.h"
#include "report/export/frame_name.h"
#include "report/table/chosen_columns.h"

enum event_mode {
    EVENTS_TABLE,
    EVENTS_COMPACT,
    EVENTS_FNAMES,
    EVENTS_FULL,
    EVENTS_META,
    EVENT_MODES /* how many */
};

struct event_stacks;

/* The word of --mode; NULL behind the last. */
const char *event_mode_name(int mode);

/* What functions on stacks are called. */
struct event_labels {
    const struct event_stacks *stacks; /* finished; of the same events */
    struct frame_style style;
    size_t next; /* which stack comes next */
};

struct event_print {
    enum event_mode mode;
    enum format format;
    size_t width;          /* of the table; 0: no limit */
    const char *separator; /* between values of UserData */
    uint64_t limit;        /* rows; 0: all */
    /* Providers whose properties are columns; none: those that are met. */
    struct event_texts providers;
    struct event_labels *labels; /* of stacks; NULL: addresses */
    const char *columns; /* names between commas; NULL: all. Not of JSON */
};

/* Whether the mode has all columns that are asked for. If not, `*wrong` and
 * `*n` are the first that is none, and `there` gets the names of those that
 * are there, but in full mode: they are many, and the trace is read for
 * that. */
bool event_columns_asked(struct event_trace *trace,
                         const struct event_options *options,
                         const struct event_print *print, const char **wrong,
                         size_t *n, struct out *there);

void event_modes_write(struct event_trace *trace,
                       const struct event_options *options,
                       const struct event_print *print, struct out *out);

/* Parts of it. */
void event_full_write(struct event_trace *trace,
                      const struct event_options *options,
                      const struct event_print *print, struct out *out);
void event_meta_write(struct event_trace *trace,
                      const struct event_options *options,
                      const struct event_print *print, struct out *out);
void event_table_write(struct event_trace *trace,
                       const struct event_options *options,
                       const struct event_print *print, struct out *out);

/* The columns of modes; to be released. Names that are made are in `names`. */
event_column_list event_full_columns(struct event_trace *trace,
                                     const struct event_options *options,
                                     const struct event_print *print,
                                     struct strings *names);
event_column_list event_meta_columns(void);
extern const struct column_set event_table_columns[];

typedef VEC(const struct event_kind *) event_kind_list;

/* All events of the providers that were named, or that are met among the first
 * events, by provider and name; to be released. */
event_kind_list event_kinds_chosen(struct event_trace *trace,
                                   const struct event_options *options,
                                   const struct event_print *print);

/* The stack of the event that comes next, as one text: the innermost first,
 * ';' between. */
void event_stack_text(struct out *out, const struct event *event,
                      struct event_labels *labels);

#endif
