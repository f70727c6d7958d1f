#include "report/table.h"

#include <math.h>
#include <string.h>

#include "report/table_text.h"

struct value value_none(void)
{
    return (struct value){.type = VALUE_NONE};
}

struct value value_count(uint64_t number)
{
    return (struct value){.type = VALUE_COUNT, .number = number};
}

struct value value_id(uint64_t number)
{
    return (struct value){.type = VALUE_ID, .number = number};
}

struct value value_percent(uint64_t part, uint64_t whole)
{
    return (struct value){
        .type = VALUE_PERCENT, .number = part, .whole = whole};
}

struct value value_address(uint64_t address)
{
    return (struct value){.type = VALUE_ADDRESS, .number = address};
}

struct value value_real(double real, unsigned decimals, bool sign)
{
    return (struct value){.type = VALUE_REAL,
                          .real = real,
                          .decimals = decimals,
                          .sign = sign};
}

/* In integers, so that the locale has no say; what is too large for them
 * stands for "beyond all measure". */
void print_real(struct out *out, double real, unsigned decimals, bool sign)
{
    double scale = pow(10, decimals), scaled = fabs(real) * scale;
    uint64_t n = scaled < 1e18 ? (uint64_t)(scaled + 0.5) : (uint64_t)1e18;
    uint64_t unit = (uint64_t)scale;

    if (real < 0 && n)
        out_char(out, '-');
    else if (sign && n)
        out_char(out, '+');
    out_u64(out, n / unit);
    if (decimals)
        out_fmt(out, ".%0*llu", (int)decimals,
                (unsigned long long)(n % unit));
}

struct value value_flag(bool flag)
{
    return (struct value){.type = VALUE_FLAG, .number = flag};
}

struct value value_text(const char *text)
{
    return (struct value){.type = VALUE_TEXT, .text = text};
}

struct value value_maybe(const char *text)
{
    return text && *text ? value_text(text) : value_none();
}

bool column_is_blank(const struct column *column, const void *rows,
                     size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct value v = column->value(rows, i);

        if (v.type == VALUE_TEXT || v.number)
            return false;
    }
    return true;
}

static struct value value_at(const struct table *t, size_t column, size_t row)
{
    return t->columns[column].value(t->rows, row);
}

/* JSON */

static void json_value(struct out *out, const struct value *v)
{
    switch (v->type) {
    case VALUE_NONE:
        out_str(out, "null");
        break;
    case VALUE_COUNT:
    case VALUE_ID:
        out_u64(out, v->number);
        break;
    case VALUE_PERCENT:
        out_percent(out, v->number, v->whole, 2);
        break;
    case VALUE_ADDRESS:
        out_fmt(out, "\"0x%llx\"", (unsigned long long)v->number);
        break;
    case VALUE_REAL:
        print_real(out, v->real, v->decimals + 2, false);
        break;
    case VALUE_TEXT:
        out_json(out, v->text);
        break;
    case VALUE_FLAG:
        out_str(out, v->number ? "true" : "false");
        break;
    }
}

static void json_row(const struct table *t, size_t row, struct out *out)
{
    const char *before = "";

    out_str(out, row ? ",\n  {" : "\n  {");
    for (size_t i = 0; i < t->column_count; i++) {
        struct value v;

        if (!t->columns[i].key)
            continue;
        v = value_at(t, i, row);
        out_fmt(out, "%s\"%s\":", before, t->columns[i].key);
        json_value(out, &v);
        before = ",";
    }
    out_char(out, '}');
}

static void write_json(const struct table *t, struct out *out)
{
    out_char(out, '[');
    for (size_t row = 0; row < t->row_count; row++)
        json_row(t, row, out);
    out_char(out, ']');
}

/* CSV */

static void csv_value(struct out *out, const struct value *v)
{
    if (v->type == VALUE_TEXT)
        out_csv(out, v->text);
    else if (v->type == VALUE_ADDRESS)
        out_fmt(out, "0x%llx", (unsigned long long)v->number);
    else if (v->type != VALUE_NONE)
        json_value(out, v);
}

static void csv_row(const struct table *t, size_t row, struct out *out)
{
    const char *before = "";

    for (size_t i = 0; i < t->column_count; i++) {
        struct value v;

        if (!t->columns[i].key)
            continue;
        v = value_at(t, i, row);
        out_str(out, before);
        csv_value(out, &v);
        before = ",";
    }
    out_str(out, "\r\n");
}

static void write_csv(const struct table *t, struct out *out)
{
    const char *before = "";

    for (size_t i = 0; i < t->column_count; i++) {
        if (!t->columns[i].key)
            continue;
        out_fmt(out, "%s%s", before, t->columns[i].key);
        before = ",";
    }
    out_str(out, "\r\n");
    for (size_t row = 0; row < t->row_count; row++)
        csv_row(t, row, out);
}

/* Markdown */

static const char *markdown_header(const struct table *t, size_t column)
{
    const char *header = t->columns[column].header;

    return header && !*header ? "%" : header;
}

static void markdown_row(const struct table *t, size_t row, struct out *out)
{
    out_char(out, '|');
    for (size_t i = 0; i < t->column_count; i++) {
        struct value v = value_at(t, i, row);

        if (!t->columns[i].header)
            continue;
        out_char(out, ' ');
        if (v.type == VALUE_TEXT)
            out_markdown(out, v.text);
        else
            value_print(out, &v);
        out_str(out, " |");
    }
    out_char(out, '\n');
}

static void write_markdown(const struct table *t, struct out *out)
{
    out_char(out, '|');
    for (size_t i = 0; i < t->column_count; i++)
        if (t->columns[i].header)
            out_fmt(out, " %s |", markdown_header(t, i));
    out_str(out, "\n|");
    for (size_t i = 0; i < t->column_count; i++)
        if (t->columns[i].header)
            out_str(out, column_is_number(t, i) ? "---:|" : "---|");
    out_char(out, '\n');
    for (size_t row = 0; row < t->row_count; row++)
        markdown_row(t, row, out);
}

void table_write(const struct table *table, enum format format, size_t width,
                 struct out *out)
{
    switch (format) {
    case FORMAT_TEXT:
        table_write_text(table, width, out);
        break;
    case FORMAT_JSON:
        write_json(table, out);
        break;
    case FORMAT_CSV:
        write_csv(table, out);
        break;
    case FORMAT_MARKDOWN:
        write_markdown(table, out);
        break;
    }
}
