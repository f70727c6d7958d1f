#include "engine/diff.h"

#include <math.h>
#include <string.h>

#include "engine/base/threads.h"
#include "engine/stats.h"

/* Rows with fewer samples on both sides together are not tested: they could
 * show nothing, and each would weaken the others. Filtering by a number that
 * says nothing about the change keeps q-values true (Bourgon et al. 2010). */
enum { TESTED_LEAST = 10 };

double diff_at_least(const struct diff_row *row)
{
    if (row->low <= 0 && row->high >= 0)
        return 0;
    return fmin(fabs(row->low), fabs(row->high));
}

static size_t place_units(struct diff *d, struct diff_places *places)
{
    size_t *order = diff_inputs_order(d->inputs, d->input_count);

    for (size_t i = 0; i < d->input_count; i++) {
        size_t at = order[i];
        const uint32_t *unit_of = d->pairs->unit_of[at];

        if (d->options.paths)
            diff_places_of_paths(&places[at], &d->inputs[at], unit_of,
                                 &d->paths, d->options.inclusive);
        else
            diff_places_of_functions(&places[at], &d->inputs[at], unit_of,
                                     d->options.inclusive);
    }
    free(order);
    return d->options.paths ? d->paths.list.len : d->pairs->names.len;
}

struct counting {
    struct diff *d;
    struct diff_side_of of;
};

static void count_side(void *context, size_t after, unsigned worker)
{
    const struct counting *c = context;
    struct diff_side_of of = c->of;
    struct diff_side *side = &c->d->sides[after];

    (void)worker;
    of.after = after != 0;
    diff_side_count(side, &of);
    if (!(side->exposure > 0))
        side->exposure = 1;
}

/* Side by side: neither knows of the other. */
static void count_both(struct diff *d, const struct diff_side_of *of)
{
    struct counting c = {d, *of};
    struct threads *pool = threads_new(2);

    threads_run(pool, 2, count_side, &c);
    threads_free(pool);
}

static size_t count_sides(struct diff *d)
{
    struct diff_places *places = mem_new(d->input_count, sizeof(*places));
    double *exposures = mem_new(d->input_count, sizeof(*exposures));
    double reference = diff_reference(d->inputs, d->input_count);
    struct diff_side_of of = {.inputs = d->inputs,
                              .places = places,
                              .exposures = exposures,
                              .count = d->input_count};

    of.units = place_units(d, places);
    of.shares = d->options.normalize == DIFF_TOTAL ||
                d->options.normalize == DIFF_SAMPLES;
    for (size_t i = 0; i < d->input_count; i++)
        exposures[i] =
            diff_exposure(&d->inputs[i], d->options.normalize, reference);
    count_both(d, &of);
    for (size_t i = 0; i < d->input_count; i++)
        diff_places_release(&places[i]);
    free(places);
    free(exposures);
    return of.units;
}

/* Runs show what one trace cannot: how a program differs from start to
 * start. A side of one run is then at least as uncertain as the other. */
static void borrow_dispersion(struct diff *d, size_t units)
{
    bool several = d->sides[1].runs > 1;
    struct diff_side *one = &d->sides[!several];
    const struct diff_side *many = &d->sides[several];

    if (one->runs > 1 || many->runs < 2)
        return;
    for (size_t i = 0; i < units; i++) {
        if (many->dispersion[i] <= one->dispersion[i])
            continue;
        one->dispersion[i] = many->dispersion[i];
        one->df[i] = many->df[i];
    }
    one->common = fmax(one->common, many->common);
}

/* A unit that a side has no sample of would have samples like the other's. */
static void borrow_grain(struct diff *d, size_t units)
{
    double *a = d->sides[0].weights.grain, *b = d->sides[1].weights.grain;

    for (size_t i = 0; i < units; i++) {
        bool before = d->sides[0].counts[i], after = d->sides[1].counts[i];

        if (after && !before)
            a[i] = b[i];
        if (before && !after)
            b[i] = a[i];
    }
}

static double grain(const struct diff_side *s, uint32_t unit)
{
    return s->weights.grain[unit];
}

/* Of a unit's value, were its count `n`. */
static double variance_of(const struct diff_side *s, uint32_t unit, double n)
{
    return diff_side_variance(s, n, grain(s, unit), s->dispersion[unit]) /
           (s->exposure * s->exposure);
}

/* Welch and Satterthwaite: degrees of freedom of a sum of two variances. */
static double joint_df(double v, double df, double w, double dfw)
{
    return v + w > 0 ? (v + w) * (v + w) / (v * v / df + w * w / dfw)
                     : fmin(df, dfw);
}

/* Score test: the variance is that of two sides with one common value, so
 * that a count of zero has one too. Half a sample of either side is taken
 * off the change for continuity (Yates 1934). */
static void test_row(const struct diff *d, struct diff_row *row)
{
    const struct diff_side *a = &d->sides[0], *b = &d->sides[1];
    uint32_t u = row->unit;
    double rate = (double)(a->counts[u] + b->counts[u]) /
                  (a->exposure + b->exposure);
    double va = variance_of(a, u, rate * a->exposure);
    double vb = variance_of(b, u, rate * b->exposure);
    double half =
        grain(a, u) / 2 / a->exposure + grain(b, u) / 2 / b->exposure;
    double change = fmax(fabs(row->change) - half, 0);
    double df = joint_df(va, a->df[u], vb, b->df[u]);
    double se = sqrt(va + vb);

    row->p = se > 0 ? fmin(2 * student_tail(change / se, df), 1) : 1;
}

static struct interval value_interval(const struct diff_side *s, uint32_t u,
                                      double quantile)
{
    struct interval i = wilson_interval(
        (double)s->counts[u], s->shares ? (double)s->total : 0,
        s->dispersion[u] * grain(s, u), quantile);

    return (struct interval){i.low / s->exposure, i.high / s->exposure};
}

static void bound_row(const struct diff *d, struct diff_row *row)
{
    const struct diff_side *a = &d->sides[0], *b = &d->sides[1];
    uint32_t u = row->unit;
    double va = variance_of(a, u, (double)a->counts[u] + grain(a, u));
    double vb = variance_of(b, u, (double)b->counts[u] + grain(b, u));
    double t = student_quantile(0.975, joint_df(va, a->df[u], vb, b->df[u]));
    struct interval change =
        newcombe_interval(row->value[0], value_interval(a, u, t),
                          row->value[1], value_interval(b, u, t));

    row->low = change.low;
    row->high = change.high;
    row->detectable = sqrt(va + vb);
}

static void name_row(const struct diff *d, struct diff_row *row)
{
    const struct diff_name *n;

    row->function = d->options.paths ? d->paths.list.data[row->unit].function
                                     : row->unit;
    n = &d->pairs->names.data[row->function];
    row->name = n->name;
    row->module = n->module;
    row->rule = n->rule;
    if (n->half_named && (!row->samples[0] || !row->samples[1]))
        row->rule = DIFF_NAMELESS;
}

static void add_rows(struct diff *d, size_t units)
{
    d->rows = mem_new(units, sizeof(*d->rows));
    for (uint32_t u = 0; u < units; u++) {
        struct diff_row *row = &d->rows[d->len];

        if (!d->sides[0].counts[u] && !d->sides[1].counts[u])
            continue;
        row->unit = u;
        for (int i = 0; i < 2; i++) {
            row->samples[i] = d->sides[i].counts[u];
            row->value[i] =
                (double)row->samples[i] / d->sides[i].exposure;
        }
        row->change = row->value[1] - row->value[0];
        name_row(d, row);
        bound_row(d, row);
        d->len++;
    }
}

/* What has lost its name is not known to be gone. */
static bool is_tested(const struct diff *d, const struct diff_row *row)
{
    const double *before = d->sides[0].weights.worth;
    const double *after = d->sides[1].weights.worth;

    return row->rule != DIFF_NAMELESS &&
           before[row->unit] + after[row->unit] >= TESTED_LEAST;
}

/* q-values of the rows with enough samples; of the others 1. */
static void test_rows(struct diff *d)
{
    double *p = mem_new(d->len, sizeof(*p)), *q = mem_new(d->len, sizeof(*q));
    size_t n = 0;

    for (size_t i = 0; i < d->len; i++) {
        struct diff_row *row = &d->rows[i];

        row->p = row->q = 1;
        if (!is_tested(d, row))
            continue;
        test_row(d, row);
        p[n++] = row->p;
    }
    stats_false_discovery(p, q, n);
    d->tested = n;
    n = 0;
    for (size_t i = 0; i < d->len; i++)
        if (is_tested(d, &d->rows[i]))
            d->rows[i].q = q[n++];
    free(p);
    free(q);
}

static enum diff_verdict verdict_of(const struct diff *d,
                                    const struct diff_row *row)
{
    double relevant =
        d->options.relevant / 100 * fmax(d->whole[0], d->whole[1]);

    if (row->q <= d->options.q && row->change != 0) {
        if (!row->samples[0] || !row->samples[1])
            return row->samples[0] ? DIFF_GONE : DIFF_NEW;
        return row->change > 0 ? DIFF_SLOWER : DIFF_FASTER;
    }
    if (row->low >= -relevant && row->high <= relevant)
        return DIFF_UNCHANGED;
    return DIFF_CANNOT_TELL;
}

/* A lone change among all rows tested is found with 80 % probability when it
 * is this many standard errors large. */
static double errors_to_show(const struct diff *d)
{
    double tested = fmax((double)d->tested, 1);

    return normal_quantile(1 - d->options.q / 2 / tested) +
           normal_quantile(0.8);
}

static double detectable_variance(const struct diff_side *s, double share)
{
    return diff_side_variance(s, share * (double)s->total,
                              s->weights.mean_grain, s->common) /
           (s->exposure * s->exposure);
}

static void set_detectable(struct diff *d)
{
    static const double shares[2] = {0.01, 0.1};
    double errors = errors_to_show(d);

    for (int i = 0; i < 2; i++) {
        double v = 0;

        for (int s = 0; s < 2; s++)
            v += detectable_variance(&d->sides[s], shares[i]);
        d->detectable[i] = errors * sqrt(v);
    }
    for (size_t i = 0; i < d->len; i++)
        d->rows[i].detectable *= errors;
}

static void judge(struct diff *d)
{
    for (int i = 0; i < 2; i++)
        d->whole[i] = (double)d->sides[i].total / d->sides[i].exposure;
    for (size_t i = 0; i < d->len; i++) {
        enum diff_verdict verdict = verdict_of(d, &d->rows[i]);

        d->rows[i].verdict = (uint8_t)verdict;
        d->by_verdict[verdict]++;
    }
}

/* To six decimals, as JSON has them: the last bits of a sum are not the same
 * with every compiler, and must not decide the order. */
static double rounded(double x)
{
    return round(fabs(x) * 1e6);
}

/* What is real and large first: real changes by what they are at least, the
 * others by their verdict and estimate. */
static int by_weight(const void *x, const void *y)
{
    const struct diff_row *a = x, *b = y;
    bool real = diff_is_real(a);
    double s = rounded(real ? diff_at_least(a) : a->change);
    double t = rounded(real ? diff_at_least(b) : b->change);
    int order;

    if (real != diff_is_real(b))
        return real ? -1 : 1;
    if (!real && a->verdict != b->verdict)
        return a->verdict < b->verdict ? -1 : 1;
    if (s != t)
        return s > t ? -1 : 1;
    if (rounded(a->change) != rounded(b->change))
        return fabs(a->change) > fabs(b->change) ? -1 : 1;
    order = strcmp(a->name, b->name);
    if (!order)
        order = strcmp(a->module, b->module);
    return order ? order : (a->unit > b->unit) - (a->unit < b->unit);
}

struct diff *diff_new(const struct diff_input *inputs, size_t count,
                      const struct diff_options *options)
{
    struct diff *d = mem_new(1, sizeof(*d));
    size_t units;

    d->options = *options;
    d->inputs = inputs;
    d->input_count = count;
    d->pairs = diff_pairs_new(inputs, count, options->renames,
                              options->rename_count);
    units = count_sides(d);
    borrow_dispersion(d, units);
    borrow_grain(d, units);
    add_rows(d, units);
    test_rows(d);
    judge(d);
    set_detectable(d);
    if (d->len)
        qsort(d->rows, d->len, sizeof(*d->rows), by_weight);
    return d;
}

void diff_free(struct diff *d)
{
    if (!d)
        return;
    diff_side_release(&d->sides[0]);
    diff_side_release(&d->sides[1]);
    diff_pairs_free(d->pairs);
    diff_paths_release(&d->paths);
    free(d->rows);
    free(d);
}
