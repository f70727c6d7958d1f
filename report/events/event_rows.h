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
#ifndef TOPFN_EVENT_ROWS_H
#define TOPFN_EVENT_ROWS_H

#include "engine/base/vec.h"
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
    /* Then: which they are, in order, and the cells of a row until it ends. */
    VEC(size_t) chosen;
    VEC(struct event_cell {
        size_t at; /* in `texts` */
        bool bare;
    }) cells;
    VEC(char) texts;
};

/* Whether all of `names`, between commas, are among these columns; if not,
 * `*wrong` and `*n` are the first that is none. */
bool event_columns_have(const event_column_list *columns, const char *names,
                        const char **wrong, size_t *n);

/* `names` are of text and CSV; JSON has all columns. */
struct event_rows event_rows_to(struct out *out, enum format format,
                                const char *names);
void event_rows_release(struct event_rows *rows);
void event_rows_heading(struct event_rows *rows,
                        const struct event_column *columns, size_t count);
void event_rows_begin(struct event_rows *rows);
void event_rows_null(struct event_rows *rows);
void event_rows_u64(struct event_rows *rows, uint64_t value);
void event_rows_text(struct event_rows *rows, const char *text);
/* NULL where there is none: of an empty text, a GUID of zeroes. */
void event_rows_maybe(struct event_rows *rows, const char *text);
void event_rows_guid(struct event_rows *rows, const uint8_t *guid);
void event_rows_number(struct event_rows *rows, bool known, uint64_t value);
/* A number or `true` in JSON, as its text says it. */
void event_rows_bare(struct event_rows *rows, const char *text);
void event_rows_end(struct event_rows *rows);

#endif
