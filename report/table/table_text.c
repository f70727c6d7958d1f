#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "engine/model/thread_states.h"
#include "report/header/header.h"
#include "report/table/text.h"
#include "report/table/table.h"

enum { BAR_WIDTH = 10 };

/* The largest factor of a product with a count. */
typedef unsigned __int128 wide;

/* ---- counts ---- */

struct scale {
    uint64_t n;
    const char *name;
};

/* `n` of a unit, rounded to two decimals; zeros at the end are left out. */
static void print_decimal(struct out *out, uint64_t n, uint64_t unit)
{
    uint64_t hundredths = n / unit * 100 + (n % unit * 100 + unit / 2) / unit;
    unsigned part = (unsigned)(hundredths % 100);

    out_grouped(out, hundredths / 100);
    if (part % 10)
        out_fmt(out, ".%02u", part);
    else if (part)
        out_fmt(out, ".%u", part / 10);
}

/* The largest unit of which there is one, else the last. */
static void print_scaled(struct out *out, uint64_t n, const struct scale *units)
{
    while (units->n > 1 && n < units->n)
        units++;
    print_decimal(out, n, units->n);
    out_char(out, ' ');
    out_str(out, units->name);
}

void print_span(struct out *out, int64_t ns)
{
    static const struct scale units[] = {
        {1000000000, "s"}, {1000000, "ms"}, {1000, "us"}, {1, "ns"}};

    print_scaled(out, ns > 0 ? (uint64_t)ns : 0, units);
}

static void print_bytes(struct out *out, uint64_t n)
{
    static const struct scale units[] = {
        {1000000000000000, "PB"}, {1000000000000, "TB"}, {1000000000, "GB"},
        {1000000, "MB"},          {1000, "kB"},          {1, "B"}};

    print_scaled(out, n, units);
}

static void print_count(struct out *out, const struct value *v)
{
    uint64_t power = power_of_ten(v->decimals);

    if (v->scale == SCALE_NONE || !v->number) {
        out_decimal(out, v->number, v->decimals, true);
    } else if (v->scale == SCALE_BYTES) {
        print_bytes(out, v->number / power);
    } else {
        wide ns = (wide)v->number * v->whole / power;

        print_span(out, ns < INT64_MAX ? (int64_t)ns : INT64_MAX);
    }
}

static void print_real(struct out *out, const struct value *v)
{
    double size =
        fabs(v->real) * (v->scale == SCALE_TIME ? (double)v->whole : 1);

    if (v->scale == SCALE_NONE || !(size < 0x1p62)) {
        out_real(out, v->real, v->decimals, v->sign);
        return;
    }
    if (v->real < 0)
        out_char(out, '-');
    else if (v->sign && v->real > 0)
        out_char(out, '+');
    if (v->scale == SCALE_TIME)
        print_span(out, (int64_t)(size + 0.5));
    else
        print_bytes(out, (uint64_t)(size + 0.5));
}

/* ---- drawn ---- */

/* In eighths of a column. */
static uint64_t bar_eighths(const struct value *v)
{
    const uint64_t most = (uint64_t)BAR_WIDTH * 8;

    return v->whole
               ? (uint64_t)(((wide)v->number * most + v->whole / 2) / v->whole)
               : 0;
}

static void print_bar(struct out *out, const struct value *v)
{
    static const char *const blocks[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    uint64_t n = bar_eighths(v);

    for (uint64_t i = 0; i < n / 8; i++)
        out_str(out, "█");
    out_str(out, blocks[n % 8]);
}

/* The number of buckets that each character shows, so that all fit. */
static size_t buckets_each(const struct value *v, size_t width)
{
    return width && v->number > width ? (v->number + width - 1) / width : 1;
}

/* The samples of all buckets that share a character. */
static uint64_t in_buckets(const struct value *v, size_t from, size_t n)
{
    uint64_t sum = 0;

    for (size_t i = from; i < v->number && i < from + n; i++)
        sum += v->series[i];
    return sum;
}

static size_t lane_columns(const struct value *v, size_t width)
{
    return width && width < v->number ? width : (size_t)v->number;
}

/* The state in which the thread spent most of the time that a character stands
 * for, which may be parts of buckets. */
static enum thread_state state_at(const struct value *v, size_t column,
                                  size_t columns)
{
    size_t n = v->number, from = column * n, to = from + n;
    enum thread_state state = THREAD_NO_STATE;
    wide most = 0;

    for (unsigned s = THREAD_RUNNING; s < THREAD_STATES; s++) {
        wide sum = 0;

        for (size_t i = from / columns; i * columns < to; i++) {
            size_t begin = i * columns > from ? i * columns : from;
            size_t end = (i + 1) * columns < to ? (i + 1) * columns : to;

            sum += (wide)v->states[s * n + i] * (end - begin);
        }
        if (sum > most)
            state = (enum thread_state)s;
        most = sum > most ? sum : most;
    }
    return state;
}

static void print_lane(struct out *out, const struct value *v, size_t width)
{
    static const struct {
        const char *mark;
        enum out_style style;
    } marks[THREAD_STATES] = {
        [THREAD_NO_STATE] = {"·", STYLE_PLAIN},
        [THREAD_RUNNING] = {"█", STYLE_MANAGED},
        [THREAD_READY] = {"▒", STYLE_WARM},
        [THREAD_BLOCKED] = {"░", STYLE_DIM},
        [THREAD_UNKNOWN] = {"?", STYLE_DIM},
    };
    size_t columns = lane_columns(v, width);

    for (size_t i = 0; i < columns; i++) {
        enum thread_state state = state_at(v, i, columns);

        out_style(out, marks[state].style);
        out_str(out, marks[state].mark);
    }
}

/* Every bucket with something in it shows. */
static void print_series(struct out *out, const struct value *v, size_t width)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄",
                                         "▅", "▆", "▇", "█"};
    size_t each = buckets_each(v, width);
    uint64_t most = 1;

    for (size_t i = 0; i < v->number; i += each)
        if (in_buckets(v, i, each) > most)
            most = in_buckets(v, i, each);
    for (size_t i = 0; i < v->number; i += each) {
        uint64_t n = in_buckets(v, i, each);

        out_str(out, n ? blocks[(size_t)((wide)(n - 1) * 8 / most)] : "·");
    }
}

void value_print(struct out *out, const struct value *v, size_t width)
{
    switch (v->type) {
    case VALUE_NONE:
        break;
    case VALUE_COUNT:
        print_count(out, v);
        break;
    case VALUE_ID:
        out_u64(out, v->number);
        break;
    case VALUE_PERCENT:
        out_percent(out, v->number, v->whole, 1);
        break;
    case VALUE_BAR:
        print_bar(out, v);
        break;
    case VALUE_ADDRESS:
        out_fmt(out, "0x%llx", (unsigned long long)v->number);
        break;
    case VALUE_REAL:
        print_real(out, v);
        break;
    case VALUE_TEXT:
    case VALUE_NAME:
    case VALUE_MODULE:
    case VALUE_PATH:
        out_plain(out, v->text);
        break;
    case VALUE_FLAG:
        out_str(out, v->number ? "yes" : "");
        break;
    case VALUE_SERIES:
        (v->states ? print_lane : print_series)(out, v, width);
        break;
    case VALUE_NUMERAL:
        out_str(out, v->text);
        break;
    }
}

size_t value_columns(const struct value *v, size_t width)
{
    struct out *out;
    size_t n;

    if (value_is_words(v))
        return out_columns(v->text) + (v->prefix ? out_columns(v->prefix) : 0);
    out = out_memory();
    value_print(out, v, width);
    n = out_columns(out_text(out, NULL));
    out_close(out, NULL);
    return n;
}

enum {
    GAP = 2,
    COUNT_WIDTH = 7, /* so that small tables line up like large ones */
    PERCENT_WIDTH = 4,
    MODULE_MAX = 22,
    MODULE_PART = 5, /* and at most this part of the width */
    MODULE_MIN = 12,
    SERIES_MIN = 8,
    LANE_MIN = 20,
    STRETCH_MIN = 20, /* a name is not shortened below this */
    TEXT_MIN = 12,    /* other text is cut in the middle */
    PROSE_MIN = 24,   /* text that continues on the next line */
    NAME_MIN = 8      /* of a name after a long prefix */
};

/* Columns that go, in this order, where a screen cannot hold all: the first of
 * them for the sake of names, the others only where nothing else helps. The
 * first column of a table stays. */
static const struct {
    const char *header;
    unsigned nth; /* of those with this header */
    bool last_resort;
} dispensable[] = {
    {"", 2, false}, /* the share of the second count */
    {"inlined", 1, false},
    {" ", 1, false}, /* bars */
    {"period %", 2, false},
    {"period %", 1, false},
    {"sum %", 1, false},
    {"q", 1, false},
    {"ratio", 1, false},
    {"waits", 1, false},
    {"per run", 1, false}, /* of a diff, which keeps its change */
    {"95 % interval", 1, false},
    {"fields", 1, false},
    {"bytes", 1, false},
    {"per s", 1, false},
    {"inclusive", 1, true},
    {"exclusive", 1, true},
    {"before %", 1, true},
    {"after %", 1, true},
    {"module", 1, true},
};

enum { DISPENSABLE = sizeof(dispensable) / sizeof(*dispensable) };

struct column_place {
    size_t width;   /* of hidden columns 0 */
    size_t natural; /* before anything was taken */
    size_t least;   /* of a column that stretches */
    bool right, dropped;
};

struct layout {
    const struct table *table;
    struct column_place *places; /* by column */
    size_t last;  /* the last column shown is not padded */
    size_t limit; /* columns of the screen; 0: none */
};

static bool is_number(const struct value *v)
{
    return !value_is_words(v) && v->type != VALUE_FLAG &&
           v->type != VALUE_BAR && v->type != VALUE_SERIES;
}

bool column_is_number(const struct table *t, size_t column)
{
    bool any = false;

    for (size_t row = 0; row < t->row_count; row++) {
        struct value v = table_cell(t, column, row);

        if (v.type == VALUE_NONE)
            continue;
        if (!is_number(&v))
            return false;
        any = true;
    }
    return any;
}

static bool has_header(const struct table *t, size_t column)
{
    return column < t->column_count && t->columns[column].header;
}

static bool shown(const struct layout *l, size_t column)
{
    return has_header(l->table, column) && !l->places[column].dropped;
}

/* A column without a header of its own is the share of the one before. */
static const char *header_of(const struct table *t, size_t column)
{
    const char *header = t->columns[column].header;

    return *header ? header : "%";
}

static size_t widest(const struct table *t, size_t column)
{
    size_t width = out_columns(header_of(t, column));

    for (size_t row = 0; row < t->row_count; row++) {
        struct value v = table_cell(t, column, row);
        size_t n = value_columns(&v, 0);

        if (v.type == VALUE_COUNT && n < COUNT_WIDTH)
            n = COUNT_WIDTH;
        if (v.type == VALUE_PERCENT && n < PERCENT_WIDTH)
            n = PERCENT_WIDTH;
        if (n > width)
            width = n;
    }
    return width;
}

static size_t module_width(size_t width)
{
    return width / MODULE_PART < MODULE_MAX ? width / MODULE_PART : MODULE_MAX;
}

static bool holds(const struct layout *l, size_t column, enum value_type type)
{
    return shown(l, column) && l->table->row_count &&
           table_cell(l->table, column, 0).type == type;
}

static bool is_lane(const struct layout *l, size_t column)
{
    return holds(l, column, VALUE_SERIES) &&
           table_cell(l->table, column, 0).states;
}

/* By how much the lines are too wide. */
static size_t excess(const struct layout *l)
{
    size_t total = 0;

    for (size_t i = 0; i < l->table->column_count; i++)
        if (shown(l, i))
            total += l->places[i].width + (i == l->last ? 0 : GAP);
    return total > l->limit ? total - l->limit : 0;
}

/* The width that stretching columns could give up. */
static size_t spare_of_names(const struct layout *l)
{
    size_t spare = 0;

    for (size_t i = 0; i < l->table->column_count; i++)
        if (shown(l, i) && l->table->columns[i].stretch &&
            l->places[i].width > l->places[i].least)
            spare += l->places[i].width - l->places[i].least;
    return spare;
}

static void take(size_t *column, size_t least, size_t *much)
{
    size_t spare = *column > least ? *column - least : 0;
    size_t cut = spare < *much ? spare : *much;

    *column -= cut;
    *much -= cut;
}

/* A name in `width` columns: each kind loses first what says least. */
static const char *fit_name(const struct value *v, size_t width,
                            struct arena *scratch)
{
    switch (v->type) {
    case VALUE_NAME:
        return shorten(v->text, width, scratch);
    case VALUE_PATH:
        return shorten_path(v->text, width, scratch);
    case VALUE_MODULE:
        return shorten_module(v->text, width);
    default:
        return v->text;
    }
}

/* The column should hold the last part of most names: a few may be longer,
 * and get a line of their own. */
static size_t least_of_names(const struct table *t, size_t column,
                             size_t limit)
{
    struct arena scratch = {0};
    size_t least = STRETCH_MIN, most = limit * 2 / 5;
    bool prefixed = false;

    for (size_t row = 0; row < t->row_count; row++) {
        struct value v = table_cell(t, column, row);
        size_t n;

        if (!value_is_words(&v))
            continue;
        n = out_columns(fit_name(&v, 1, &scratch)) +
            (v.prefix ? out_columns(v.prefix) : 0);
        least = n > least ? n : least;
        prefixed |= v.prefix && *v.prefix;
    }
    arena_release(&scratch);
    if (prefixed) /* a tree */
        most = limit / 2;
    return least < most || most < STRETCH_MIN ? least : most;
}

/* Takes what is too wide from modules beyond what most need, from series, from
 * names and from modules, in this order. True if that is enough. */
static bool narrow(struct layout *l)
{
    size_t most = module_width(l->limit), rest;
    size_t count = l->table->column_count;

    for (size_t i = 0; i < count; i++) {
        l->places[i].width = shown(l, i) ? l->places[i].natural : 0;
        if (holds(l, i, VALUE_MODULE) && l->places[i].width > most)
            l->places[i].width = most;
    }
    rest = excess(l);
    for (size_t i = 0; i < count; i++)
        if (is_lane(l, i))
            take(&l->places[i].width, LANE_MIN, &rest);
    /* A series is drawn with half as many characters, and again. */
    for (size_t i = 0; i < count; i++)
        while (holds(l, i, VALUE_SERIES) && !is_lane(l, i) &&
               l->places[i].width / 2 >= SERIES_MIN &&
               excess(l) > spare_of_names(l))
            l->places[i].width = (l->places[i].width + 1) / 2;
    rest = excess(l);
    for (size_t i = count; i-- > 0;)
        if (shown(l, i) && l->table->columns[i].stretch)
            take(&l->places[i].width, l->places[i].least, &rest);
    for (size_t i = count; i-- > 0;)
        if (holds(l, i, VALUE_MODULE))
            take(&l->places[i].width, MODULE_MIN, &rest);
    return !rest;
}

/* Drops a column of `dispensable`, if the table has it. */
static bool drop(struct layout *l, size_t which)
{
    unsigned nth = dispensable[which].nth;
    bool first = true;

    for (size_t i = 0; i < l->table->column_count; i++) {
        if (!has_header(l->table, i))
            continue;
        if (!first &&
            !strcmp(l->table->columns[i].header, dispensable[which].header) &&
            !--nth)
            return l->places[i].dropped = true;
        first = false;
    }
    return false;
}

static bool drop_some(struct layout *l, bool last_resort)
{
    bool fits = narrow(l);

    for (size_t i = 0; i < DISPENSABLE && !fits && !l->table->chosen; i++)
        if (dispensable[i].last_resort == last_resort && drop(l, i))
            fits = narrow(l);
    return fits;
}

static void fit(struct layout *l)
{
    size_t rest;

    for (size_t i = 0; i < l->table->column_count; i++)
        if (shown(l, i) && l->table->columns[i].stretch)
            l->places[i].least = least_of_names(l->table, i, l->limit);
    if (drop_some(l, false))
        return;
    rest = excess(l);
    for (size_t i = 0; i < l->table->column_count; i++)
        take(&l->places[i].least, STRETCH_MIN, &rest);
    if (drop_some(l, true))
        return;
    /* Only text is left to narrow: the last column continues on lines below,
     * the others are cut. */
    rest = excess(l);
    if (holds(l, l->last, VALUE_TEXT))
        take(&l->places[l->last].width, PROSE_MIN, &rest);
    for (size_t i = 0; i < l->table->column_count && rest; i++)
        if (holds(l, i, VALUE_TEXT))
            take(&l->places[i].width, i == l->last ? PROSE_MIN : TEXT_MIN,
                 &rest);
}

static struct layout layout_of(const struct table *t, size_t width)
{
    struct layout l = {.table = t, .limit = width};
    size_t count = t->column_count;

    l.places = mem_new(count, sizeof(*l.places));
    for (size_t i = 0; i < count; i++) {
        if (!has_header(t, i))
            continue;
        l.places[i].width = l.places[i].natural = widest(t, i);
        l.places[i].right = column_is_number(t, i);
        l.last = i;
    }
    if (width)
        fit(&l);
    return l;
}

/* Finds the place of the next cell. A line without room for it continues below.
 */
static void move_to(const struct layout *l, size_t start, size_t columns,
                    size_t *at, struct out *out)
{
    if (l->limit && *at && (*at > start ? *at : start) + columns > l->limit) {
        out_char(out, '\n');
        *at = 0;
        if (start + columns > l->limit)
            start = l->limit > columns ? l->limit - columns : 0;
    }
    out_repeat(out, ' ', start > *at ? start - *at : 0);
    *at = start > *at ? start : *at;
}

/* Text of the last column continues below where it is too long. */
static bool is_prose(const struct layout *l, size_t column,
                     const struct value *v, size_t start)
{
    return l->limit && column == l->last && v->type == VALUE_TEXT &&
           !v->prefix && strchr(v->text, ' ') &&
           start + out_columns(v->text) > l->limit &&
           start + PROSE_MIN <= l->limit;
}

static void print_words(const struct layout *l, size_t column,
                        const struct value *v, size_t start, size_t *at,
                        struct out *out)
{
    size_t width = l->places[column].width, columns;
    size_t prefix = v->prefix ? out_columns(v->prefix) : 0;
    struct arena scratch = {0};
    const char *text;

    if (prefix)
        width = width > prefix + NAME_MIN ? width - prefix : NAME_MIN;
    text = fit_name(v, width, &scratch);
    columns = out_columns(text);
    if (v->type != VALUE_NAME && v->type != VALUE_PATH && columns > width)
        columns = width; /* is cut */
    move_to(l, start, prefix + columns, at, out);
    out_style(out, v->style);
    if (prefix)
        out_str(out, v->prefix);
    if (is_prose(l, column, v, start))
        wrap_from(text, start, l->limit, out);
    else if (v->type == VALUE_NAME || v->type == VALUE_PATH)
        out_plain(out, text); /* whole, even where that is wider */
    else
        out_cell(out, text, width, false);
    out_style(out, STYLE_PLAIN);
    *at += prefix + columns;
    arena_release(&scratch);
}

static void print_cell(const struct layout *l, size_t column,
                       const struct value *v, size_t start, size_t *at,
                       struct out *out)
{
    size_t width = l->places[column].width, columns;

    if (value_is_words(v)) {
        print_words(l, column, v, start, at, out);
        return;
    }
    columns = value_columns(v, width);
    if (l->places[column].right && width > columns)
        start += width - columns;
    move_to(l, start, columns, at, out);
    out_style(out, v->style);
    value_print(out, v, width);
    out_style(out, STYLE_PLAIN);
    *at += columns;
}

static bool is_empty(const struct value *v)
{
    if (value_is_words(v))
        return !*v->text && !(v->prefix && *v->prefix);
    if (v->type == VALUE_BAR)
        return !bar_eighths(v);
    return v->type == VALUE_NONE || (v->type == VALUE_FLAG && !v->number);
}

/* The last cell that is not empty: no row ends with blanks. */
static size_t last_cell(const struct layout *l, size_t row)
{
    for (size_t i = l->last; i; i--) {
        struct value v = table_cell(l->table, i, row);

        if (shown(l, i) && !is_empty(&v))
            return i;
    }
    return 0;
}

static void print_row(const struct layout *l, size_t row, struct out *out)
{
    size_t last = last_cell(l, row), start = 0, at = 0;

    for (size_t i = 0; i <= last; i++) {
        struct value v;

        if (!shown(l, i))
            continue;
        v = table_cell(l->table, i, row);
        if (!is_empty(&v)) {
            /* This cell follows a name that is too long for its column. */
            size_t from = at && at + GAP > start ? at + GAP : start;

            print_cell(l, i, &v, from, &at, out);
        }
        start += l->places[i].width + GAP;
    }
    out_char(out, '\n');
}

static void print_headers(const struct layout *l, struct out *out)
{
    out_style(out, STYLE_DIM);
    for (size_t i = 0; i <= l->last; i++) {
        const char *header;
        size_t blank, n;

        if (!shown(l, i))
            continue;
        header = header_of(l->table, i);
        n = out_columns(header) < l->places[i].width ? out_columns(header)
                                                     : l->places[i].width;
        blank = l->places[i].width - n;
        out_repeat(out, ' ', l->places[i].right ? blank : 0);
        out_cell(out, header, n, false);
        if (i < l->last)
            out_repeat(out, ' ', GAP + (l->places[i].right ? 0 : blank));
    }
    out_style(out, STYLE_PLAIN);
    out_char(out, '\n');
}

void table_write_text(const struct table *table, size_t width, struct out *out)
{
    struct layout l = layout_of(table, width);

    if (table->row_count)
        print_headers(&l, out);
    for (size_t row = 0; row < table->row_count; row++)
        print_row(&l, row, out);
    free(l.places);
}
