#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
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

/* How many buckets a character stands for, so that all fit. */
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
        print_series(out, v, width);
        break;
    case VALUE_NUMERAL:
        out_str(out, v->text);
        break;
    }
}

static size_t digits(uint64_t n, unsigned base)
{
    size_t count = 1;

    while (n /= base)
        count++;
    return count;
}

static size_t printed_columns(const struct value *v)
{
    struct out *out = out_memory();
    size_t n;

    value_print(out, v, 0);
    out_text(out, &n);
    out_close(out, NULL);
    return n;
}

size_t value_columns(const struct value *v, size_t width)
{
    size_t n;

    if (value_is_words(v))
        return out_columns(v->text) + (v->prefix ? out_columns(v->prefix) : 0);
    switch (v->type) {
    case VALUE_COUNT:
        if (v->decimals || v->scale != SCALE_NONE)
            return printed_columns(v);
        n = digits(v->number, 10);
        return n + (n - 1) / 3;
    case VALUE_ID:
        return digits(v->number, 10);
    case VALUE_SERIES:
        n = buckets_each(v, width);
        return ((size_t)v->number + n - 1) / n;
    case VALUE_PERCENT: /* rounded as out_percent does: "16.7" */
        n = v->whole
                ? (size_t)(((wide)v->number * 2000 + v->whole) / v->whole / 20)
                : 0;
        return digits(n, 10) + 2;
    case VALUE_BAR:
        return (size_t)((bar_eighths(v) + 7) / 8);
    case VALUE_ADDRESS:
        return 2 + digits(v->number, 16);
    case VALUE_REAL:
        return printed_columns(v);
    case VALUE_FLAG:
        return v->number ? 3 : 0;
    case VALUE_NUMERAL:
        return strlen(v->text);
    default:
        return 0;
    }
}

enum {
    GAP = 2,
    COUNT_WIDTH = 7, /* so that small tables line up like large ones */
    PERCENT_WIDTH = 4,
    MODULE_MAX = 22,
    MODULE_PART = 5, /* and at most this part of the width */
    MODULE_MIN = 12,
    SERIES_MIN = 8,
    STRETCH_MIN = 20, /* a name is not shortened below this */
    NAME_MIN = 8      /* of a name after a long prefix */
};

struct layout {
    const struct table *table;
    size_t *width; /* by column; of hidden columns 0 */
    bool *right;
    size_t last; /* the last column shown is not padded */
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

static bool shown(const struct table *t, size_t column)
{
    return column < t->column_count && t->columns[column].header;
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

static bool holds(const struct table *t, size_t column, enum value_type type)
{
    return shown(t, column) && t->row_count &&
           table_cell(t, column, 0).type == type;
}

/* By how much the lines are too wide. */
static size_t excess(const struct layout *l, size_t width)
{
    size_t total = 0;

    for (size_t i = 0; i < l->table->column_count; i++)
        if (shown(l->table, i))
            total += l->width[i] + (i == l->last ? 0 : GAP);
    return total > width ? total - width : 0;
}

/* The width that stretching columns could give up. */
static size_t spare_of_names(const struct layout *l)
{
    const struct table *t = l->table;
    size_t spare = 0;

    for (size_t i = 0; i < t->column_count; i++)
        if (shown(t, i) && t->columns[i].stretch && l->width[i] > STRETCH_MIN)
            spare += l->width[i] - STRETCH_MIN;
    return spare;
}

static void take(size_t *column, size_t least, size_t *much)
{
    size_t spare = *column > least ? *column - least : 0;
    size_t cut = spare < *much ? spare : *much;

    *column -= cut;
    *much -= cut;
}

/* Where the width is limited, names of modules are held to what most need,
 * and what is still too wide is taken from series, from the columns that
 * stretch and from modules, in this order. */
static void fit(struct layout *l, size_t width)
{
    const struct table *t = l->table;
    size_t most = module_width(width), rest;

    for (size_t i = 0; i < t->column_count; i++)
        if (holds(t, i, VALUE_MODULE) && l->width[i] > most)
            l->width[i] = most;
    /* A series is drawn with half as many characters, and again. */
    for (size_t i = 0; i < l->table->column_count; i++)
        while (holds(l->table, i, VALUE_SERIES) &&
               l->width[i] / 2 >= SERIES_MIN &&
               excess(l, width) > spare_of_names(l))
            l->width[i] = (l->width[i] + 1) / 2;
    rest = excess(l, width);
    for (size_t i = t->column_count; i-- > 0;)
        if (shown(t, i) && t->columns[i].stretch)
            take(&l->width[i], STRETCH_MIN, &rest);
    for (size_t i = t->column_count; i-- > 0;)
        if (holds(t, i, VALUE_MODULE))
            take(&l->width[i], MODULE_MIN, &rest);
}

static struct layout layout_of(const struct table *t, size_t width)
{
    struct layout l = {.table = t};

    l.width = mem_new(t->column_count, sizeof(*l.width));
    l.right = mem_new(t->column_count, sizeof(*l.right));
    for (size_t i = 0; i < t->column_count; i++) {
        if (!shown(t, i))
            continue;
        l.width[i] = widest(t, i);
        l.right[i] = column_is_number(t, i);
        l.last = i;
    }
    if (width)
        fit(&l, width);
    return l;
}

static void print_cell(const struct layout *l, size_t column,
                       const struct value *v, bool pad, struct out *out)
{
    size_t width = l->width[column];
    size_t n = value_columns(v, width);
    size_t blank = width > n ? width - n : 0;

    out_style(out, v->style);
    if (value_is_words(v)) {
        /* Words in `width` columns: each kind loses first what says least. */
        size_t prefix = v->prefix ? out_columns(v->prefix) : 0;
        struct arena scratch = {0};
        const char *text = v->text;

        if (prefix) {
            out_str(out, v->prefix);
            width = width > prefix + NAME_MIN ? width - prefix : NAME_MIN;
        }
        if (v->type == VALUE_NAME)
            text = shorten(text, width, &scratch);
        else if (v->type == VALUE_PATH)
            text = shorten_path(text, width, &scratch);
        else if (v->type == VALUE_MODULE)
            text = shorten_module(text, width);
        if (v->type == VALUE_NAME || v->type == VALUE_PATH) {
            size_t columns = out_columns(text);

            out_plain(out, text); /* whole, even where that is wider */
            out_repeat(out, ' ', pad && columns < width ? width - columns : 0);
        } else {
            out_cell(out, text, width, pad);
        }
        arena_release(&scratch);
    } else {
        out_repeat(out, ' ', l->right[column] ? blank : 0);
        value_print(out, v, width);
        out_repeat(out, ' ', !l->right[column] && pad ? blank : 0);
    }
    out_style(out, STYLE_PLAIN);
}

/* The last cell that is not empty: no row ends with blanks. */
static size_t last_cell(const struct layout *l, size_t row)
{
    for (size_t i = l->last; i; i--) {
        struct value v = table_cell(l->table, i, row);

        if (shown(l->table, i) && value_columns(&v, 0))
            return i;
    }
    return 0;
}

void table_write_text(const struct table *table, size_t width, struct out *out)
{
    struct layout l = layout_of(table, width);

    if (table->row_count) {
        out_style(out, STYLE_DIM);
        for (size_t i = 0; i <= l.last; i++) {
            const char *header;
            size_t blank, n;

            if (!shown(l.table, i))
                continue;
            header = header_of(l.table, i);
            n = out_columns(header) < l.width[i] ? out_columns(header)
                                                 : l.width[i];
            blank = l.width[i] - n;
            out_repeat(out, ' ', l.right[i] ? blank : 0);
            out_cell(out, header, n, false);
            if (i < l.last)
                out_repeat(out, ' ', GAP + (l.right[i] ? 0 : blank));
        }
        out_style(out, STYLE_PLAIN);
        out_char(out, '\n');
        for (size_t row = 0; row < table->row_count; row++) {
            size_t last = last_cell(&l, row);

            for (size_t i = 0; i <= last; i++) {
                struct value v;

                if (!shown(l.table, i))
                    continue;
                v = table_cell(l.table, i, row);
                print_cell(&l, i, &v, i != last, out);
                if (i < last)
                    out_repeat(out, ' ', GAP);
            }
            out_char(out, '\n');
        }
    }
    free(l.width);
    free(l.right);
}
