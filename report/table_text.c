#include "report/table_text.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "report/shorten.h"

enum {
    GAP = 2,
    COUNT_WIDTH = 7, /* so that small tables line up like large ones */
    PERCENT_WIDTH = 4,
    BAR_WIDTH = 10,
    MODULE_MAX = 22,
    MODULE_PART = 5,  /* and at most this part of the width */
    STRETCH_MIN = 20, /* a name is not shortened below this */
    NAME_MIN = 8      /* of a name after a long prefix */
};

struct layout {
    const struct table *table;
    size_t *width; /* by column; of hidden columns 0 */
    bool *right;
    size_t last; /* the last column shown is not padded */
};

/* In eighths of a column. */
static uint64_t bar_eighths(const struct value *v)
{
    const uint64_t most = (uint64_t)BAR_WIDTH * 8;

    return v->whole ? (v->number * most + v->whole / 2) / v->whole : 0;
}

static void print_bar(struct out *out, const struct value *v)
{
    static const char *const blocks[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    uint64_t n = bar_eighths(v);

    for (uint64_t i = 0; i < n / 8; i++)
        out_str(out, "█");
    out_str(out, blocks[n % 8]);
}

/* Every bucket with something in it shows. */
static void print_series(struct out *out, const struct value *v)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄",
                                         "▅", "▆", "▇", "█"};
    uint64_t most = 0;

    for (size_t i = 0; i < v->number; i++)
        if (v->series[i] > most)
            most = v->series[i];
    for (size_t i = 0; i < v->number; i++) {
        uint64_t n = v->series[i];

        out_str(out, n ? blocks[(n - 1) * 8 / most] : "·");
    }
}

void value_print(struct out *out, const struct value *v)
{
    switch (v->type) {
    case VALUE_NONE:
        break;
    case VALUE_COUNT:
        out_grouped(out, v->number);
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
        out_real(out, v->real, v->decimals, v->sign);
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
        print_series(out, v);
        break;
    case VALUE_NUMERAL:
        out_str(out, v->text);
        break;
    }
}

bool column_is_number(const struct table *t, size_t column)
{
    for (size_t row = 0; row < t->row_count; row++) {
        struct value v = table_cell(t, column, row);

        if (v.type != VALUE_NONE)
            return !value_is_words(&v) && v.type != VALUE_FLAG &&
                   v.type != VALUE_BAR && v.type != VALUE_SERIES;
    }
    return false;
}

static size_t digits(uint64_t n, unsigned base)
{
    size_t count = 1;

    while (n /= base)
        count++;
    return count;
}

static size_t real_columns(const struct value *v)
{
    struct out *out = out_memory();
    size_t n;

    value_print(out, v);
    out_text(out, &n);
    out_close(out, NULL);
    return n;
}

static size_t value_columns(const struct value *v)
{
    size_t n;

    if (value_is_words(v))
        return out_columns(v->text) + (v->prefix ? out_columns(v->prefix) : 0);
    switch (v->type) {
    case VALUE_COUNT:
        n = digits(v->number, 10);
        return n + (n - 1) / 3;
    case VALUE_ID:
        return digits(v->number, 10);
    case VALUE_SERIES:
        return (size_t)v->number;
    case VALUE_PERCENT: /* rounded as out_percent does: "16.7" */
        n = v->whole ? (v->number * 2000 + v->whole) / v->whole / 20 : 0;
        return digits(n, 10) + 2;
    case VALUE_BAR:
        return (size_t)((bar_eighths(v) + 7) / 8);
    case VALUE_ADDRESS:
        return 2 + digits(v->number, 16);
    case VALUE_REAL:
        return real_columns(v);
    case VALUE_FLAG:
        return v->number ? 3 : 0;
    case VALUE_NUMERAL:
        return strlen(v->text);
    default:
        return 0;
    }
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
        size_t n = value_columns(&v);

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

static bool holds_modules(const struct table *t, size_t column)
{
    return t->row_count && table_cell(t, column, 0).type == VALUE_MODULE;
}

/* Where the width is limited, names of modules are held to what most need,
 * and what is still too wide is taken from the column that stretches. */
static void fit(struct layout *l, size_t width)
{
    const struct table *t = l->table;
    size_t total = 0, excess;

    for (size_t i = 0; i < t->column_count; i++) {
        if (!shown(t, i))
            continue;
        if (holds_modules(t, i) && l->width[i] > module_width(width))
            l->width[i] = module_width(width);
        total += l->width[i] + (i == l->last ? 0 : GAP);
    }
    excess = total > width ? total - width : 0;
    for (size_t i = t->column_count; i-- > 0 && excess;) {
        size_t spare =
            l->width[i] > STRETCH_MIN ? l->width[i] - STRETCH_MIN : 0;
        size_t cut = spare < excess ? spare : excess;

        if (!shown(t, i) || !t->columns[i].stretch)
            continue;
        l->width[i] -= cut;
        excess -= cut;
    }
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

/* Words in `width` columns: each kind loses first what says least. */
static void print_words(struct out *out, const struct value *v, size_t width,
                        bool pad)
{
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
}

static void print_cell(const struct layout *l, size_t column,
                       const struct value *v, bool pad, struct out *out)
{
    size_t width = l->width[column], n = value_columns(v);
    size_t blank = width > n ? width - n : 0;

    out_style(out, v->style);
    if (value_is_words(v)) {
        print_words(out, v, width, pad);
    } else {
        out_repeat(out, ' ', l->right[column] ? blank : 0);
        value_print(out, v);
        out_repeat(out, ' ', !l->right[column] && pad ? blank : 0);
    }
    out_style(out, STYLE_PLAIN);
}

static void print_headers(const struct layout *l, struct out *out)
{
    out_style(out, STYLE_DIM);
    for (size_t i = 0; i <= l->last; i++) {
        const char *header;
        size_t blank, n;

        if (!shown(l->table, i))
            continue;
        header = header_of(l->table, i);
        n = out_columns(header) < l->width[i] ? out_columns(header)
                                              : l->width[i];
        blank = l->width[i] - n;
        out_repeat(out, ' ', l->right[i] ? blank : 0);
        out_cell(out, header, n, false);
        if (i < l->last)
            out_repeat(out, ' ', GAP + (l->right[i] ? 0 : blank));
    }
    out_style(out, STYLE_PLAIN);
    out_char(out, '\n');
}

/* The last cell that is not empty: no row ends with blanks. */
static size_t last_cell(const struct layout *l, size_t row)
{
    for (size_t i = l->last; i; i--) {
        struct value v = table_cell(l->table, i, row);

        if (shown(l->table, i) && value_columns(&v))
            return i;
    }
    return 0;
}

static void print_row(const struct layout *l, size_t row, struct out *out)
{
    size_t last = last_cell(l, row);

    for (size_t i = 0; i <= last; i++) {
        struct value v;

        if (!shown(l->table, i))
            continue;
        v = table_cell(l->table, i, row);
        print_cell(l, i, &v, i != last, out);
        if (i < last)
            out_repeat(out, ' ', GAP);
    }
    out_char(out, '\n');
}

void table_write_text(const struct table *table, size_t width,
                      struct out *out)
{
    struct layout l = layout_of(table, width);

    if (table->row_count) {
        print_headers(&l, out);
        for (size_t row = 0; row < table->row_count; row++)
            print_row(&l, row, out);
    }
    free(l.width);
    free(l.right);
}
