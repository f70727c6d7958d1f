/*
 * table - one writer for the rows of every report, in every format.
 *
 *     static const struct column columns[] = {
 *         {.key = "rank", .value = rank_value},
 *         {.key = "name", .header = "function", .stretch = true,
 *          .value = name_value},
 *     };
 *     struct table table = {columns, 2, ranking, shown, ranking->len};
 *     table_write(&table, FORMAT_JSON, 0, out);
 *
 * A column says what a row's value is; the writer knows how each format
 * shows a value of that type. Text is aligned and shortened to the width,
 * JSON is an array of objects, CSV has a header line (RFC 4180), Markdown is
 * a table. Only text and Markdown leave out columns without a header, and
 * modules where none is known.
 */
#ifndef TOPFN_REPORT_TABLE_H
#define TOPFN_REPORT_TABLE_H

#include "engine/base/json.h"
#include "engine/diff/diff.h"
#include "engine/model/profile.h"

enum format {
    FORMAT_TEXT,
    FORMAT_JSON,
    FORMAT_CSV,
    FORMAT_MARKDOWN,
    FORMATS /* how many */
};

static inline bool format_is_for_people(enum format format)
{
    return format == FORMAT_TEXT || format == FORMAT_MARKDOWN;
}

/* The word of --format; NULL behind the last. */
const char *format_name(int format);

enum value_type {
    VALUE_NONE,    /* JSON null, otherwise empty */
    VALUE_COUNT,   /* number with `decimals`, grouped by thousands or
                      scaled in text */
    VALUE_ID,      /* number, never grouped: pid, line */
    VALUE_PERCENT, /* of number in whole */
    VALUE_BAR,     /* the same, drawn; text only */
    VALUE_ADDRESS, /* number as "0x1a2b" */
    VALUE_REAL,    /* real, to `decimals` places; two more in JSON, CSV */
    VALUE_TEXT,    /* text, after `prefix` in text format */
    VALUE_NAME,    /* the same: a function's, see text.h */
    VALUE_MODULE,  /* the same: an image's */
    VALUE_PATH,    /* the same: a source file's, perhaps with a line */
    VALUE_FLAG,    /* number is 0 or 1: true or false, in text yes or empty */
    VALUE_SERIES,  /* `number` of them: drawn against the largest in text, a
                      list otherwise */
    VALUE_NUMERAL, /* text: a number, spelled as JSON does */
};

/* The form in which text shows a count to people. */
enum value_scale {
    SCALE_NONE,
    SCALE_BYTES, /* "146 MB" */
    SCALE_TIME,  /* "5.75 s"; `whole`: nanoseconds in its unit */
};

struct value {
    enum value_type type;
    enum value_scale scale; /* of a count or a real */
    uint64_t number, whole;
    const char *text;
    const uint64_t *series;
    const uint64_t *states; /* of a thread's series: such a series for each
                               enum thread_state, which text shows; or NULL */
    const char *prefix; /* never shortened; Markdown indents by as much */
    double real;
    unsigned decimals;
    enum out_style style; /* on a terminal */
    bool sign; /* "+" before a positive number, but not in JSON or CSV */
};

struct column {
    const char *key;    /* JSON member and CSV field; NULL: not there */
    const char *header; /* text and Markdown; NULL: not shown there; "" joins
                           the column to the header of the one before */
    bool stretch;       /* takes the width that the others leave over */
    struct value (*value)(const void *rows, size_t row);
};

struct table {
    const struct column *columns;
    size_t column_count;
    const void *rows;
    size_t row_count;
    size_t total; /* rows there are, when only the first are shown */
    bool chosen;  /* columns that a person named; none is left out */
    /* Values by column, for tables whose columns are not known beforehand. */
    struct value (*cell)(const void *rows, size_t row, size_t column);
    /* For rows that are not all at hand (JSON and CSV only): goes to the next
     * one; false behind the last. Without it there are row_count. */
    bool (*next)(const void *rows);
};

/* `width` matters to text only; 0: as wide as it gets. In text every line
 * ends with a newline; JSON has none after the closing bracket. */
void table_write(const struct table *table, enum format format, size_t width,
                 struct out *out);

/* The rows alone, as a value in what is being written. */
void table_json(const struct table *table, struct json *json, const char *key);

/* True if a value is text of some kind. */
bool value_is_words(const struct value *v);

/* True if a column is 0 or nothing in all of these rows. */
bool column_is_blank(const struct column *column, const void *rows,
                     size_t count);

struct value value_none(void);
struct value value_count(uint64_t number);
struct value value_id(uint64_t number);
/* Styled by its weight. */
struct value value_percent(uint64_t part, uint64_t whole);
struct value value_bar(uint64_t part, uint64_t whole);
struct value value_address(uint64_t address);
struct value value_real(double real, unsigned decimals, bool sign);
struct value value_text(const char *text);
struct value value_name(const char *label);
struct value value_module(const char *name);
struct value value_path(const char *path);
struct value value_numeral(const char *digits);
struct value value_flag(bool flag);
struct value value_series(const uint64_t *series, size_t n);
/* None for an empty or missing text. */
struct value value_maybe(const char *text);

/*
 * chosen_columns - the columns of a table that --columns names.
 *
 *     table_write_chosen(&table, o->columns, o->format, o->width, out);
 *
 * A name is what stands above a column or its member in JSON: text and
 * Markdown look for the first, CSV for the second, and then each for the
 * other. Columns are called in the output as they were named.
 */

/* Columns that a report may have, of one of its tables. */
struct column_set {
    const struct column *list; /* NULL: behind the last set */
    size_t count;
};

/* The column called by the `n` bytes of `word`; NULL: none is. */
const struct column *column_find(const struct column_set *set,
                                 enum format format, const char *word,
                                 size_t n);

/* All columns where `names` is NULL. Names that are none of this table's are
 * passed over; a table of which nothing is left is not written. */
void table_write_chosen(const struct table *table, const char *names,
                        enum format format, size_t width, struct out *out);

/* True if sets have all of these columns; if not, `*wrong` and `*n` are the
 * first name that is none. */
bool column_sets_have(const struct column_set *sets, enum format format,
                      const char *names, const char **wrong, size_t *n);

/* The name of column `i` of those that can be chosen; NULL behind the last. */
const char *column_sets_name(const struct column_set *sets, enum format format,
                             size_t i);

/*
 * table_text - the text format of tables: widths, alignment, shortening.
 */

void table_write_text(const struct table *table, size_t width,
                      struct out *out);

/* The value in a row of a column. */
struct value table_cell(const struct table *t, size_t column, size_t row);

/* True if the column is to be aligned right: its values are numbers. */
bool column_is_number(const struct table *t, size_t column);

/*
 * value_text - values as people read them: "1,140", "16.7", "▂▇▄·".
 *
 *     n = value_columns(&v, width);
 *     value_print(out, &v, width);
 *
 * Only a series has regard to the width: several of its buckets share a
 * character where it has more of them; 0: as wide as it gets.
 */

void value_print(struct out *out, const struct value *v, size_t width);

/* The number of columns that value_print takes. */
size_t value_columns(const struct value *v, size_t width);

/*
 * weight - weights of samples as reports print them (model/metric.h).
 *
 *     out_weight(out, p, sel->samples);            // "5.75 s", "146 MB", "1.5"
 *     json_weight(&json, "samples", p, n);         // 5750000000, 1.5
 *     return value_weight(p, row->exclusive);      // a cell, as both
 *
 * Text for people scales bytes and times; JSON and CSV have the exact number of
 * the metric's unit.
 */

struct value value_weight(const struct profile *p, uint64_t weight);

void out_weight(struct out *out, const struct profile *p, uint64_t weight);

/* The heading of a column of weights: "samples", "bytes", "time". */
const char *weight_title(const struct profile *p);

/* The same with the unit's word, where the number does not say it: "1,140
 * samples", "5.75 s". */
void out_weight_unit(struct out *out, const struct profile *p,
                     uint64_t weight);

void json_weight(struct json *json, const char *key, const struct profile *p,
                 uint64_t weight);

/* A mean of weights: scaled where it counts bytes or times. */
struct value value_amount(const struct profile *p, double amount, bool sign);

/* A value of a diff, or a difference of two: scaled where it counts bytes or
 * times. */
struct value value_diff(const struct diff *d, double value, bool sign);

/* The same in text, with two decimals; `unit`: and its unit. */
void out_diff(struct out *out, const struct diff *d, double value, bool sign,
              bool unit);

/* For formats that have whole numbers only: the unit of which there is no
 * fraction ("nanoseconds", "0.001 samples"), to be freed, and a weight in it. */
char *whole_unit(const struct profile *p);
uint64_t whole_weight(const struct profile *p, uint64_t weight);

#endif
