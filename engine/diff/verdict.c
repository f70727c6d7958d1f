#include "engine/diff/diff.h"

#include <math.h>

#include "engine/diff/stats.h"

/* Rows with fewer samples on both sides together are not tested: they could
 * show nothing, and each would weaken the others. Filtering by a number that
 * says nothing about the change keeps q-values true (Bourgon et al. 2010). */
enum { TESTED_LEAST = 10 };

static double grain(const struct diff_side *s, uint32_t unit)
{
    return s->weights.grain[unit];
}

/* The variance that an unsure exposure adds to a count `n`. Several runs
 * have exposures of their own: how unsure these are is a part of how the runs
 * differ. */
static double unsure_variance(const struct diff_side *s, uint32_t unit,
                              double n)
{
    double unsure = n * n * s->unsure;
    double known =
        diff_side_variance(s, n, grain(s, unit), s->dispersion[unit] - 1);

    return s->runs > 1 ? fmax(unsure - known, 0) : unsure;
}

/* The variance of a unit's value if its count were `n`. */
static double variance_of(const struct diff_side *s, uint32_t unit, double n)
{
    double v = diff_side_variance(s, n, grain(s, unit), s->dispersion[unit]);

    return (v + unsure_variance(s, unit, n)) / (s->exposure * s->exposure);
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
    double count = (double)s->counts[u];
    struct interval i =
        wilson_interval(count, s->shares ? (double)s->total : 0,
                        s->dispersion[u] * grain(s, u), quantile);

    double unsure = quantile * sqrt(unsure_variance(s, u, count) +
                                    count * count * s->spread);

    i.low = fmax(count - hypot(count - i.low, unsure), 0);
    i.high = count + hypot(i.high - count, unsure);
    return (struct interval){i.low / s->exposure, i.high / s->exposure};
}

static struct interval change_interval(const struct diff *d,
                                       const struct diff_row *row, double p,
                                       double df)
{
    double t = student_quantile(p, df);

    return newcombe_interval(
        row->value[0], value_interval(&d->sides[0], row->unit, t),
        row->value[1], value_interval(&d->sides[1], row->unit, t));
}

static void bound_row(const struct diff *d, struct diff_row *row)
{
    const struct diff_side *a = &d->sides[0], *b = &d->sides[1];
    uint32_t u = row->unit;
    double va = variance_of(a, u, (double)a->counts[u] + grain(a, u));
    double vb = variance_of(b, u, (double)b->counts[u] + grain(b, u));
    double df = joint_df(va, a->df[u], vb, b->df[u]);
    struct interval change = change_interval(d, row, 0.975, df);

    row->low = change.low;
    row->high = change.high;
    row->most = change_interval(d, row, 0.95, df).high;
    row->detectable = sqrt(va + vb);
}

void diff_row_fill(const struct diff *d, struct diff_row *row, uint32_t unit)
{
    row->unit = unit;
    for (int i = 0; i < 2; i++) {
        row->samples[i] = d->sides[i].counts[unit];
        row->value[i] = (double)row->samples[i] / d->sides[i].exposure;
    }
    row->change = row->value[1] - row->value[0];
    bound_row(d, row);
}

/* A function that lost its name is not known to be gone. */
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

double diff_relevant(const struct diff *d)
{
    return d->options.relevant / 100 * fmax(d->whole[0], d->whole[1]);
}

bool diff_is_likely(const struct diff_row *row)
{
    if (row->verdict == DIFF_CANNOT_TELL)
        return row->rule != DIFF_NAMELESS && (row->low > 0 || row->high < 0);
    return diff_is_real(row);
}

/* One recording a side tells how often its own samples fell on a function, and
 * nothing of how runs differ. A module, or the total, has many samples: the
 * ordinary difference between two runs would already look significant. */
static bool is_coarse(const struct diff *d)
{
    return d->options.by != RANK_FUNCTION && d->options.by != RANK_LINE;
}

static enum diff_verdict verdict_of(const struct diff *d,
                                    const struct diff_row *row, bool coarse)
{
    double relevant = diff_relevant(d);

    if (coarse && diff_is_single(d))
        return DIFF_CANNOT_TELL;
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
static double errors_to_show(const struct diff *d, double tested)
{
    return normal_quantile(1 - d->options.q / 2 / tested) +
           normal_quantile(0.8);
}

static double detectable_variance(const struct diff_side *s, double share)
{
    double n = share * (double)s->total;
    double v = diff_side_variance(s, n, s->weights.mean_grain, s->common);

    return (v + n * n * s->unsure) / (s->exposure * s->exposure);
}

static void set_detectable(struct diff *d)
{
    static const double shares[2] = {0.01, 0.1};
    double errors = errors_to_show(d, fmax((double)d->tested, 1));

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
    for (size_t i = 0; i < d->len; i++) {
        enum diff_verdict verdict = verdict_of(d, &d->rows[i],
                                               is_coarse(d));

        d->rows[i].verdict = (uint8_t)verdict;
        d->by_verdict[verdict]++;
    }
}

void diff_judge_total(const struct diff *d, uint32_t unit, struct diff_row *row)
{
    *row = (struct diff_row){.name = "[all samples]",
                             .label = "[all samples]",
                             .module = "",
                             .function = NO_ID,
                             .p = 1};
    diff_row_fill(d, row, unit);
    row->detectable *= errors_to_show(d, 1);
    if (is_tested(d, row))
        test_row(d, row);
    row->q = row->p;
    row->verdict = (uint8_t)verdict_of(d, row, true);
}

static void set_whole(struct diff *d)
{
    for (int i = 0; i < 2; i++)
        d->whole[i] = (double)d->sides[i].total / d->sides[i].exposure;
}

void diff_judge(struct diff *d)
{
    set_whole(d);
    test_rows(d);
    judge(d);
    set_detectable(d);
}
