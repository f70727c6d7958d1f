#include "report/table_text.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"

enum {
    GAP = 2,
    COUNT_WIDTH = 7,  /* so that small tables line up like large ones */
    PERCENT_WIDTH = 6,
    UNIT_WIDTH = 2,   /* " %" */
    STRETCH_MIN = 20, /* a name is not shortened below this */
    LAST_MAX = 32,    /* nor a module beyond this while names are cut */
    NAME_MIN = 8      /* of a name after a long prefix */
};

struct layout {
    const struct table *table;
    size_t *width; /* by column; of hidden columns 0 */
    bool *right;
    size_t last; /* the last column shown is not padded */
};

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
        out_str(out, " %");
        break;
    case VALUE_ADDRESS:
        out_fmt(out, "0x%llx", (unsigned long long)v->number);
        break;
    case VALUE_REAL:
        out_real(out, v->real, v->decimals, v->sign);
        break;
    case VALUE_TEXT:
        out_plain(out, v->text);
        break;
    case VALUE_FLAG:
        out_str(out, v->number ? "yes" : "");
        break;
    }
}

static struct value value_at(const struct table *t, size_t column, size_t row)
{
    return t->columns[column].value(t->rows, row);
}

bool column_is_number(const struct table *t, size_t column)
{
    for (size_t row = 0; row < t->row_count; row++) {
        struct value v = value_at(t, column, row);

        if (v.type != VALUE_NONE)
            return v.type != VALUE_TEXT && v.type != VALUE_FLAG;
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

    switch (v->type) {
    case VALUE_COUNT:
        n = digits(v->number, 10);
        return n + (n - 1) / 3;
    case VALUE_ID:
        return digits(v->number, 10);
    case VALUE_PERCENT: /* rounded as out_percent does: "16.7 %" */
        n = v->whole ? (v->number * 2000 + v->whole) / v->whole / 20 : 0;
        return digits(n, 10) + 4;
    case VALUE_ADDRESS:
        return 2 + digits(v->number, 16);
    case VALUE_REAL:
        return real_columns(v);
    case VALUE_TEXT:
        return out_columns(v->text) + (v->prefix ? out_columns(v->prefix) : 0);
    case VALUE_FLAG:
        return v->number ? 3 : 0;
    default:
        return 0;
    }
}

static bool shown(const struct table *t, size_t column)
{
    return column < t->column_count && t->columns[column].header;
}

/* Whether the next column shown stands under this one's header too. */
static bool joined(const struct table *t, size_t column)
{
    return shown(t, column + 1) && !*t->columns[column + 1].header;
}

static size_t widest(const struct table *t, size_t column)
{
    size_t width = joined(t, column) ? 0 : strlen(t->columns[column].header);

    for (size_t row = 0; row < t->row_count; row++) {
        struct value v = value_at(t, column, row);
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

static void shrink(size_t *width, size_t least, size_t *excess)
{
    size_t spare = *width > least ? *width - least : 0;
    size_t cut = spare < *excess ? spare : *excess;

    *width -= cut;
    *excess -= cut;
}

/* Takes what is too wide from the last column, down to what module names
 * usually need, then from names. */
static void fit(struct layout *l, size_t width)
{
    const struct table *t = l->table;
    size_t total = 0, excess;

    for (size_t i = 0; i < t->column_count; i++)
        if (shown(t, i))
            total += l->width[i] + (i == l->last ? 0 : GAP);
    excess = total > width ? total - width : 0;
    if (!t->columns[l->last].stretch)
        shrink(&l->width[l->last], LAST_MAX, &excess);
    for (size_t i = 0; i < t->column_count; i++)
        if (shown(t, i) && t->columns[i].stretch)
            shrink(&l->width[i], STRETCH_MIN, &excess);
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

static void print_text(struct out *out, const struct value *v, size_t width,
                       bool pad)
{
    size_t prefix = v->prefix ? out_columns(v->prefix) : 0;

    if (prefix)
        out_str(out, v->prefix);
    width = width > prefix + NAME_MIN ? width - prefix : NAME_MIN;
    out_cell(out, v->text, width, pad);
}

static void print_cell(const struct layout *l, size_t column,
                       const struct value *v, bool pad, struct out *out)
{
    size_t width = l->width[column], n;

    if (v->type == VALUE_TEXT) {
        print_text(out, v, width, pad);
        return;
    }
    n = value_columns(v);
    if (l->right[column])
        out_repeat(out, ' ', width > n ? width - n : 0);
    value_print(out, v);
    if (!l->right[column] && pad)
        out_repeat(out, ' ', width > n ? width - n : 0);
}

/* A header over a count and its percentage ends where the digits end. */
static void print_header(const struct layout *l, size_t column,
                         struct out *out)
{
    const char *header = l->table->columns[column].header;
    size_t width = l->width[column], n = strlen(header), blank = 0;

    if (joined(l->table, column)) {
        width += GAP + l->width[column + 1] - UNIT_WIDTH;
        blank = column + 1 == l->last ? 0 : UNIT_WIDTH;
    }
    if (l->right[column])
        out_repeat(out, ' ', width > n ? width - n : 0);
    out_str(out, header);
    if (!l->right[column] && column != l->last)
        out_repeat(out, ' ', width > n ? width - n : 0);
    out_repeat(out, ' ', blank);
}

static void print_headers(const struct layout *l, struct out *out)
{
    for (size_t i = 0; i <= l->last; i++) {
        if (!shown(l->table, i))
            continue;
        print_header(l, i, out);
        if (joined(l->table, i))
            i++;
        if (i < l->last)
            out_repeat(out, ' ', GAP);
    }
    out_char(out, '\n');
}

/* The last cell that is not empty: no row ends with blanks. */
static size_t last_cell(const struct layout *l, size_t row)
{
    for (size_t i = l->last; i; i--) {
        struct value v = value_at(l->table, i, row);

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
        v = value_at(l->table, i, row);
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
