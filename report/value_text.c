#include "report/value_text.h"

#include <string.h>

enum { BAR_WIDTH = 10 };

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

        out_str(out, n ? blocks[(n - 1) * 8 / most] : "·");
    }
}

void value_print(struct out *out, const struct value *v, size_t width)
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

static size_t real_columns(const struct value *v)
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
        n = digits(v->number, 10);
        return n + (n - 1) / 3;
    case VALUE_ID:
        return digits(v->number, 10);
    case VALUE_SERIES:
        n = buckets_each(v, width);
        return ((size_t)v->number + n - 1) / n;
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
