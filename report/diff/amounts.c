#include <math.h>

#include "engine/model/profile.h"
#include "report/diff/diff.h"
#include "report/table/table.h"

/* Changes in percent of before, and how much a run has of what is measured. */

struct diff_growth diff_growth_of(const struct diff_row *row)
{
    double part = row->value[0] > 0 ? 100 / row->value[0] : 0;
    struct diff_growth g = {.known = row->value[0] > 0,
                            .change = row->change * part,
                            .low = fmax(row->low * part, -100),
                            .high = row->high * part};

    g.decimals = fmax(fabs(g.change), g.high - g.low) < 10 ? 1 : 0;
    return g;
}

void diff_print_interval(const struct diff_growth *g, struct out *out)
{
    out_real(out, g->low, g->decimals, true);
    out_str(out, " to ");
    out_real(out, g->high, g->decimals, true);
    out_str(out, " %");
}

static double nanoseconds_of_unit(const struct diff *d)
{
    return (double)unit_nanoseconds(profile_unit(d->inputs[0].p));
}

static struct diff_amounts amounts_of_total(const struct diff *d)
{
    const double *value = d->total.value;
    struct diff_amounts a = {
        .value = {value[0], value[1]},
        .is_ms = d->total_in == DIFF_WALL || d->total_in == DIFF_CPU};

    if (!a.is_ms && profile_counts_time(d->inputs[0].p)) {
        a.is_ms = true;
        for (int i = 0; i < 2; i++)
            a.value[i] *= nanoseconds_of_unit(d) / 1e6;
    }
    return a;
}

struct diff_amounts diff_amounts_of(const struct diff *d,
                                    const struct diff_row *row)
{
    struct diff_amounts a = {.is_ms = d->knows_time};

    for (int i = 0; i < 2; i++)
        if (d->sides[i].runs)
            a.value[i] = (double)row->samples[i] * d->count_means[i] /
                         (double)d->sides[i].runs;
    return a;
}

double diff_amounts_most(const struct diff_amounts *a)
{
    return fmax(a->value[0], a->value[1]);
}

struct amount_unit {
    double size; /* in milliseconds, bytes or what is counted */
    const char *name;
};

static struct amount_unit unit_for(const struct diff *d, bool is_ms,
                                   double most)
{
    static const struct amount_unit bytes[] = {
        {1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}};
    size_t i = 0;

    if (is_ms)
        return most < 10000 ? (struct amount_unit){1, "ms"}
                            : (struct amount_unit){1000, "s"};
    if (!profile_counts_bytes(d->inputs[0].p))
        return (struct amount_unit){1, diff_counted(d)};
    while (bytes[i].size > 1 && most < bytes[i].size)
        i++;
    return bytes[i];
}

/* Three digits; counts and milliseconds have no more than one decimal. */
static unsigned decimals_of(const double value[2], double size)
{
    double most = fmax(value[0], value[1]) / size;
    bool is_scaled = size > 1;

    if (most >= 100 || (!is_scaled && floor(value[0]) == value[0] &&
                        floor(value[1]) == value[1]))
        return 0;
    if (most >= 10)
        return is_scaled ? 1 : 0;
    return is_scaled ? 2 : 1;
}

static void print_number(double x, unsigned decimals, struct out *out)
{
    if (x >= 1000)
        out_grouped(out, (uint64_t)(x + 0.5));
    else
        out_real(out, x, decimals, false);
}

static void print_bytes(double bytes, struct out *out)
{
    struct value v = value_real(bytes, 0, false);

    v.scale = SCALE_BYTES;
    value_print(out, &v, 0);
}

void diff_print_total_amounts(const struct diff *d, struct out *out)
{
    struct diff_amounts a = amounts_of_total(d);

    if (a.is_ms || !profile_counts_bytes(d->inputs[0].p)) {
        diff_print_amounts(d, &a, diff_amounts_most(&a), 0, out);
        return;
    }
    print_bytes(a.value[0], out);
    out_str(out, " → ");
    print_bytes(a.value[1], out);
}

void diff_print_amounts(const struct diff *d, const struct diff_amounts *a,
                        double most, size_t width, struct out *out)
{
    struct amount_unit unit = unit_for(d, a->is_ms, most);
    unsigned decimals = decimals_of(a->value, unit.size);
    struct out *before = out_memory();
    size_t n;

    print_number(a->value[0] / unit.size, decimals, before);
    out_text(before, &n);
    out_repeat(out, ' ', n < width ? width - n : 0);
    out_str(out, out_text(before, NULL));
    out_close(before, NULL);
    out_str(out, " → ");
    print_number(a->value[1] / unit.size, decimals, out);
    out_fmt(out, " %s", unit.name);
}
