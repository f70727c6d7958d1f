/*
 * event_rows - rows that are written as they come, however many there are.
 *
 *     struct event_rows rows = event_rows_to(out, FORMAT_CSV, NULL);
 *     event_rows_heading(&rows, columns, n);
 *     event_rows_begin(&rows);
 *     event_rows_u64(&rows, 7);
 *     event_rows_text(&rows, "Process");
 *     event_rows_end(&rows);
 *     event_rows_release(&rows);
 *
 * CSV has a heading (RFC 4180); JSON is an object a line without what is
 * NULL; text has tabs between columns, "-" for NULL and, where columns have a
 * width, blanks instead of tabs. Cells come in the order of the columns.
 */
#ifndef TOPFN_REPORT_EVENTS_H
#define TOPFN_REPORT_EVENTS_H

#include "engine/base/strings.h"
#include "engine/base/vec.h"
#include "engine/events/schema.h"
#include "report/export/frames.h"
#include "report/report.h"
#include "report/table/table.h"

struct event_column {
    const char *name;
    size_t width; /* of text; 0: none, as long as it is */
    bool right;   /* aligned so */
};

typedef VEC(struct event_column) event_column_list;

struct event_rows {
    struct out *out;
    enum format format;
    const struct event_column *columns;
    size_t count, at;
    bool aligned; /* text in columns */
    struct json json;
    const char *names; /* of the columns to show, between commas; NULL: all */
    /* Then: which they are, in order, and the cells of a row until it ends:
     * those of other rows are NULL in it. */
    VEC(size_t) chosen;
    struct event_cell {
        uint64_t row;
        size_t at; /* in `texts` */
        bool bare;
    } * cells;
    uint64_t row;
    VEC(char) texts;
};

/* `names` are of text and CSV; JSON has all columns. */
struct event_rows event_rows_to(struct out *out, enum format format,
                                const char *names);
void event_rows_release(struct event_rows *rows);
void event_rows_heading(struct event_rows *rows,
                        const struct event_column *columns, size_t count);
void event_rows_begin(struct event_rows *rows);
void event_rows_null(struct event_rows *rows);
/* The same for `n` columns. Costs nothing for JSON and chosen columns. */
void event_rows_nulls(struct event_rows *rows, size_t n);
void event_rows_u64(struct event_rows *rows, uint64_t value);
void event_rows_text(struct event_rows *rows, const char *text);
/* NULL where there is none: of an empty text, a GUID of zeroes. */
void event_rows_maybe(struct event_rows *rows, const char *text);
void event_rows_guid(struct event_rows *rows, const uint8_t *guid);
void event_rows_number(struct event_rows *rows, bool known, uint64_t value);
/* A number or `true` in JSON, as its text says it. */
void event_rows_bare(struct event_rows *rows, const char *text);
void event_rows_end(struct event_rows *rows);

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

/* The names of functions on stacks. */
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

/* True if the mode has all columns that are asked for. If not, `*wrong` and
 * `*n` are the first that is none, and `there` gets the names of those that
 * are there, but in full mode: they are many, and the trace is read for
 * that. */
bool event_columns_asked(struct event_trace *trace,
                         const struct event_options *options,
                         const struct event_print *print, const char **wrong,
                         size_t *n, struct out *there);

struct events_subject {
    struct subject subject;
    struct event_trace *trace;
    const struct event_options *options;
    const struct event_print *print;
};

/* Its subject is an events_subject's. */
extern const struct report events_report;

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

/* The stack of the event that comes next, as one text: the innermost first,
 * ';' between. */
void event_stack_text(struct out *out, const struct event *event,
                      struct event_labels *labels);

#endif
