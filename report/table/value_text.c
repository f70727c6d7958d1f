#include "report/table/value_text.h"

#include <math.h>
#include <string.h>

#include "engine/model/profile.h"
#include "report/header/header.h"

enum { BAR_WIDTH = 10 };

/* Of products with a count. */
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
    static const struct scale units[] = {{1000000000, "s"},
                                         {1000000, "ms"},
                                         {1000, "us"},
                                         {1, "ns"}};

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
    double size = fabs(v->real) * (v->scale == SCALE_TIME ? (double)v->whole : 1);

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

    return v->whole ? (uint64_t)(((wide)v->number * most + v->whole / 2) /
                                 v->whole)
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

/* What is in the buckets from one on that share its character. */
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
        n = v->whole ? (size_t)(((wide)v->number * 2000 + v->whole) /
                                v->whole / 20)
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
