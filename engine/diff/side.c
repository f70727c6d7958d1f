#include "engine/diff/side.h"

#include <math.h>

#include "engine/diff/stats.h"

enum {
    KNOWN_LEAST = 20,   /* samples from which a unit's variance says much */
    UNITS_LEAST = 10,   /* such units that say how variances differ */
    PRIOR_DEFAULT = 4,  /* degrees of freedom when they are too few */
    PRIOR_MOST = 1000,
    FIT_STEPS = 6,
};

double diff_side_variance(const struct diff_side *s, double count,
                          double grain, double dispersion)
{
    double v = count;

    if (s->shares && s->total)
        v *= fmax(1 - count / (double)s->total, 0);
    return dispersion * grain * v;
}

struct callchain {
    const uint64_t *counts;
    double part; /* of the side's exposure */
};

/* Between runs: around what each run would have, were all alike. */
static double variance_of_runs(const struct callchain *runs, size_t n,
                               size_t unit, double count)
{
    double sum = 0, all = (double)n;

    for (size_t r = 0; r < n; r++) {
        double d = (double)runs[r].counts[unit] - count * runs[r].part;

        sum += d * d;
    }
    return sum * all / (all - 1);
}

/* There is nothing to draw it towards. */
static void disperse_whole(struct diff_side *s, size_t units, double variance)
{
    double v = s->weights.mean_grain * (double)s->total;

    s->dispersion[units] = fmax(v > 0 ? variance / v : 1, 1);
    s->df[units] = s->common_df > 0 ? s->common_df : PRIOR_DEFAULT;
}

static void disperse(struct diff_side *s, size_t units, const double *variance)
{
    double seen = 0, expected = 0;

    for (size_t i = 0; i < units; i++) {
        double v = diff_side_variance(s, (double)s->counts[i],
                                      s->weights.grain[i], 1);

        s->dispersion[i] = v > 0 ? variance[i] / v : 1;
        seen += v > 0 ? variance[i] : 0;
        expected += v;
    }
    s->common = expected > 0 && s->common_df > 0 ? seen / expected : 1;
    disperse_whole(s, units, variance[units]);
}

/* What units of a count have in common. Where shares themselves differ from
 * run to run the dispersion grows with the count, as that of negative
 * binomial counts does; it is drawn towards its own line, not towards one
 * number (a trend, as in edgeR: McCarthy et al. 2012). */
struct prior {
    double base, slope; /* base + slope * samples */
    double df;
};

static double prior_at(const struct prior *p, double worth)
{
    return p->base + p->slope * worth;
}

/* One step of least squares, weighted by the variance that the line has so
 * far; neither number may be below what independent samples have. */
static void fit_step(const struct diff_side *s, size_t units, struct prior *p)
{
    double w = 0, wx = 0, wxx = 0, wy = 0, wxy = 0, det;

    for (size_t i = 0; i < units; i++) {
        double x = s->weights.worth[i], y = s->dispersion[i], weight;

        if (x < KNOWN_LEAST)
            continue;
        weight = 1 / (prior_at(p, x) * prior_at(p, x));
        w += weight, wx += weight * x, wxx += weight * x * x;
        wy += weight * y, wxy += weight * x * y;
    }
    det = w * wxx - wx * wx;
    if (!(det > 0))
        return;
    p->slope = (w * wxy - wx * wy) / det;
    p->base = (wy - p->slope * wx) / w;
    if (p->base < 1)
        p->base = 1, p->slope = (wxy - wx) / wxx;
    if (p->slope < 0)
        p->slope = 0, p->base = fmax(wy / w, 1);
}

/* Degrees of freedom of the prior, by the moments of log variances. The
 * inverse of trigamma keeps its two leading terms. */
static double prior_df(const struct diff_side *s, size_t units,
                       const struct prior *p)
{
    double sum = 0, squares = 0, n = 0, df = s->common_df, rest;

    for (size_t i = 0; i < units; i++) {
        double e;

        if (s->weights.worth[i] < KNOWN_LEAST || s->dispersion[i] <= 0)
            continue;
        e = log(s->dispersion[i] / prior_at(p, s->weights.worth[i]));
        sum += e, squares += e * e, n++;
    }
    if (n < UNITS_LEAST)
        return PRIOR_DEFAULT;
    rest = (squares - sum * sum / n) / (n - 1) - trigamma(df / 2);
    if (rest <= 0)
        return PRIOR_MOST;
    return fmin((1 + sqrt(1 + 2 * rest)) / rest, PRIOR_MOST);
}

static struct prior prior_of(const struct diff_side *s, size_t units)
{
    struct prior p = {fmax(s->common, 1), 0, PRIOR_DEFAULT};

    for (int i = 0; s->runs > 1 && i < FIT_STEPS; i++)
        fit_step(s, units, &p);
    if (s->common_df > 0)
        p.df = prior_df(s, units, &p);
    return p;
}

/* A rare unit has fewer degrees of freedom than there are blocks. */
static void shrink(struct diff_side *s, size_t units)
{
    struct prior p = prior_of(s, units);

    for (size_t i = 0; i < units; i++) {
        double own = fmin(s->common_df, s->weights.worth[i]);
        double mixed = (p.df * prior_at(&p, s->weights.worth[i]) +
                        own * s->dispersion[i]) /
                       (p.df + own);

        s->dispersion[i] = fmax(mixed, 1);
        s->df[i] = p.df + s->common_df;
    }
    s->common = fmax(s->common, 1);
}

/* Counts of a run. */
static uint64_t *count_run(const struct diff_side_of *of, size_t input)
{
    const struct selection *sel = of->inputs[input].sel;
    const struct profile *p = of->inputs[input].p;
    const struct diff_places *places = &of->places[input];
    uint64_t *counts = mem_new(of->units + 1, sizeof(*counts));
    uint64_t *below = places->below ? selection_inclusive(p, sel) : NULL;

    for (size_t i = 1; i < p->stacks.len; i++) {
        uint64_t samples = below ? below[i] : sel->stack_counts[i];
        const uint32_t *units;
        size_t n;

        if (!samples)
            continue;
        units = diff_places_at(places, i, &n);
        for (size_t j = 0; j < n; j++)
            counts[units[j]] += samples;
    }
    counts[of->units] = sel->samples;
    free(below);
    return counts;
}

static void one_run(struct diff_side *s, const struct diff_side_of *of,
                    size_t input)
{
    struct diff_blocks_of blocks_of = {
        .input = &of->inputs[input],
        .places = &of->places[input],
        .units = of->units,
        .shares = of->shares,
    };
    struct diff_blocks b;

    s->counts = count_run(of, input);
    diff_weights_find(&s->weights, of, s->counts, s->total);
    blocks_of.counts = s->counts;
    blocks_of.grain = s->weights.grain;
    diff_blocks_count(&b, &blocks_of);
    s->common_df = b.blocks ? b.df : 0;
    s->blocks = b.blocks;
    disperse(s, of->units, b.variance);
    diff_blocks_release(&b);
}

static void several_runs(struct diff_side *s, const struct diff_side_of *of)
{
    struct callchain *runs = mem_new(s->runs, sizeof(*runs));
    double *variance = mem_new(of->units + 1, sizeof(*variance));
    size_t n = 0;

    s->counts = mem_new(of->units + 1, sizeof(*s->counts));
    for (size_t i = 0; i < of->count; i++) {
        if (of->inputs[i].after != of->after)
            continue;
        runs[n].part = of->exposures[i] / s->exposure;
        runs[n++].counts = count_run(of, i);
    }
    for (size_t i = 0; i <= of->units; i++) {
        for (size_t r = 0; r < n; r++)
            s->counts[i] += runs[r].counts[i];
        variance[i] = variance_of_runs(runs, n, i, (double)s->counts[i]);
    }
    s->common_df = (double)n - 1;
    diff_weights_find(&s->weights, of, s->counts, s->total);
    disperse(s, of->units, variance);
    for (size_t r = 0; r < n; r++)
        free((void *)runs[r].counts);
    free(runs);
    free(variance);
}

void diff_side_count(struct diff_side *s, const struct diff_side_of *of)
{
    size_t last = 0;

    *s = (struct diff_side){.shares = of->shares};
    s->dispersion = mem_new(of->units + 1, sizeof(*s->dispersion));
    s->df = mem_new(of->units + 1, sizeof(*s->df));
    for (size_t i = 0; i < of->count; i++) {
        if (of->inputs[i].after != of->after)
            continue;
        s->total += of->inputs[i].sel->samples;
        s->exposure += of->exposures[i];
        s->runs++;
        last = i;
    }
    if (s->runs == 1)
        one_run(s, of, last);
    else
        several_runs(s, of);
    shrink(s, of->units);
}

void diff_side_release(struct diff_side *s)
{
    free(s->counts);
    diff_weights_release(&s->weights);
    free(s->dispersion);
    free(s->df);
}
