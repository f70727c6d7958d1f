#include "engine/diff/side.h"

#include <math.h>

enum { DF_DEFAULT = 4 /* degrees of freedom where nothing is known */ };

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

/*
 * What squares of a run's distance from its part of the sum add up to is less
 * than the sum's variance, by a factor that depends on where the variance
 * comes from. With p the runs' parts and S the sum of their squares: where
 * samples are drawn, a run varies by p, and what is seen is 1 - S of it; where
 * shares differ from start to start, by the square of p. The larger of the
 * two factors is taken; they are the same, R / (R - 1), for equal parts.
 */
static double scale_of_runs(const struct callchain *runs, size_t n)
{
    double squares = 0, drawn, started = 0;

    for (size_t r = 0; r < n; r++)
        squares += runs[r].part * runs[r].part;
    for (size_t r = 0; r < n; r++)
        started += runs[r].part * runs[r].part * (1 - 2 * runs[r].part);
    drawn = 1 - squares;
    started += squares * squares;
    /* All but one are empty: nothing can be seen. */
    if (!(drawn > 1e-9) || !(started > 1e-9))
        return 0;
    return fmax(1 / drawn, squares / started);
}

/* Around what each run would have, were all alike. */
static double distance_of_runs(const struct callchain *runs, size_t n,
                               size_t unit, double count)
{
    double sum = 0;

    for (size_t r = 0; r < n; r++) {
        double d = (double)runs[r].counts[unit] - count * runs[r].part;

        sum += d * d;
    }
    return sum;
}

/* There is nothing to draw it towards. */
static void disperse_whole(struct diff_side *s, size_t units, double variance)
{
    double v = s->weights.mean_grain * (double)s->total;

    s->dispersion[units] = fmax(v > 0 ? variance / v : 1, 1);
    s->df[units] = s->common_df > 0 ? s->common_df : DF_DEFAULT;
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

/* Counts of a run. */
static uint64_t *count_run(const struct diff_side_of *of, size_t input)
{
    const struct selection *sel = of->inputs[input].sel;
    const struct diff_places *places = &of->places[input];
    uint64_t *counts = mem_new(of->units + 1, sizeof(*counts));
    uint64_t *below =
        places->below ? selection_inclusive(places->p, sel) : NULL;
    const uint64_t *by_key =
        places->of_thread ? sel->thread_counts : sel->stack_counts;

    for (size_t i = diff_places_first(places); i < diff_places_keys(places);
         i++) {
        uint64_t samples = below ? below[i] : by_key[i];
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
    double *variance = mem_new(of->units + 1, sizeof(*variance)), scale;
    size_t n = 0;

    s->counts = mem_new(of->units + 1, sizeof(*s->counts));
    for (size_t i = 0; i < of->count; i++) {
        if (of->inputs[i].after != of->after)
            continue;
        runs[n].part = of->exposed[i].exposure / s->exposure;
        runs[n++].counts = count_run(of, i);
    }
    scale = scale_of_runs(runs, n);
    for (size_t i = 0; i <= of->units; i++) {
        for (size_t r = 0; r < n; r++)
            s->counts[i] += runs[r].counts[i];
        variance[i] =
            scale * distance_of_runs(runs, n, i, (double)s->counts[i]);
    }
    s->common_df = scale > 0 ? (double)n - 1 : 0;
    diff_weights_find(&s->weights, of, s->counts, s->total);
    disperse(s, of->units, variance);
    for (size_t r = 0; r < n; r++)
        free((void *)runs[r].counts);
    free(runs);
    free(variance);
}

/* Of a sum of independent exposures. */
static double unsure(const struct diff_side *s, const struct diff_side_of *of)
{
    double sum = 0;

    for (size_t i = 0; i < of->count; i++) {
        const struct diff_exposed *e = &of->exposed[i];

        if (of->inputs[i].after == of->after)
            sum += e->exposure * e->exposure * e->variance;
    }
    return s->exposure > 0 ? sum / (s->exposure * s->exposure) : 0;
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
        s->exposure += of->exposed[i].exposure;
        s->runs++;
        last = i;
    }
    s->unsure = unsure(s, of);
    if (s->runs == 1)
        one_run(s, of, last);
    else
        several_runs(s, of);
}

void diff_side_release(struct diff_side *s)
{
    free(s->counts);
    diff_weights_release(&s->weights);
    free(s->dispersion);
    free(s->df);
}
