#include "engine/diff/side.h"

#include <math.h>

#include "engine/diff/stats.h"

/* Samples from which a unit's own weights say as much as all others'. */
enum { KNOWN = 20 };

struct weighing {
    const struct diff_side_of *of;
    const uint64_t *counts;
    double total;    /* of them, over samples */
    double *squares; /* by unit: Q */
    double *samples; /* by unit: their number, whatever they weigh */
    double all_squares;
    double common; /* inequality */
};

/* Adds to the units what their stacks have; where samples below a stack
 * count for its units, that is passed on to its caller. */
static void add_stacks(const struct diff_places *places, double *by_stack,
                       double *sums)
{
    const struct profile *p = places->p;

    for (size_t i = diff_places_keys(places);
         i-- > diff_places_first(places);) {
        const uint32_t *units;
        size_t n;

        if (!(by_stack[i] > 0))
            continue;
        units = diff_places_at(places, i, &n);
        for (size_t j = 0; j < n; j++)
            sums[units[j]] += by_stack[i];
        if (places->below)
            by_stack[p->stacks.data[i].parent] += by_stack[i];
    }
}

static void weigh_input(struct weighing *w, size_t i)
{
    const struct diff_input *input = &w->of->inputs[i];
    const struct profile *p = input->p;
    size_t keys = diff_places_keys(&w->of->places[i]);
    double *squares = mem_new(keys, sizeof(*squares));
    double *samples = mem_new(keys, sizeof(*samples));

    for (size_t row = 0; row < p->samples.len; row++) {
        double weight = (double)sample_weight(p, row);
        double times = p->trace.adds_up ? weight : 1, each = weight / times;
        uint32_t key = diff_places_key(&w->of->places[i], row);

        if (!selection_has(p, input->sel, row))
            continue;
        samples[key] += times;
        squares[key] += times * each * each;
        w->all_squares += times * each * each;
    }
    add_stacks(&w->of->places[i], squares, w->squares);
    add_stacks(&w->of->places[i], samples, w->samples);
    free(squares);
    free(samples);
}

/* The inequality of weights within a unit: n Q / W^2, 1 when all are equal. */
static double inequality(const struct weighing *w, size_t unit)
{
    double count = (double)w->counts[unit];

    return w->samples[unit] * w->squares[unit] / (count * count);
}

static double common_inequality(const struct weighing *w)
{
    double sum = 0, samples = 0;

    for (size_t i = 0; i < w->of->units; i++) {
        if (w->samples[i] < KNOWN)
            continue;
        sum += w->samples[i] * inequality(w, i);
        samples += w->samples[i];
    }
    return samples > 0 ? sum / samples : 1;
}

/* Q / W of a unit with samples, made from the mixed inequality. */
static double own_grain(const struct weighing *w, size_t unit)
{
    double n = w->samples[unit];
    double mixed =
        (n * inequality(w, unit) + KNOWN * w->common) / (n + KNOWN);

    return mixed * (double)w->counts[unit] / n;
}

/* A share varies by its own samples and by all others: Q of a unit and R of
 * the rest make a variance of Q (1 - s)^2 + R s^2, for counts. */
static void weigh_unit(const struct weighing *w, struct diff_weights *to,
                       size_t unit)
{
    double count = (double)w->counts[unit], rest = w->total - count;
    double own = count > 0 ? own_grain(w, unit) : to->mean_grain;
    double other =
        rest > 0 ? (w->all_squares - w->squares[unit]) / rest : own;
    double share = w->of->shares && w->total > 0 ? count / w->total : 0;

    to->worth[unit] = count / own;
    to->grain[unit] = own + share * (other - own);
}

static bool has_weights(const struct diff_side_of *of)
{
    for (size_t i = 0; i < of->count; i++) {
        const struct diff_input *input = &of->inputs[i];

        if (input->after == of->after && input->p->samples.weight)
            return true;
    }
    return false;
}

static void weigh_all(struct weighing *w, struct diff_weights *to)
{
    w->squares = mem_new(w->of->units, sizeof(*w->squares));
    w->samples = mem_new(w->of->units, sizeof(*w->samples));
    for (size_t i = 0; i < w->of->count; i++)
        if (w->of->inputs[i].after == w->of->after)
            weigh_input(w, i);
    if (w->total > 0)
        to->mean_grain = w->all_squares / w->total;
    w->common = common_inequality(w);
    for (size_t i = 0; i < w->of->units; i++)
        weigh_unit(w, to, i);
    free(w->squares);
    free(w->samples);
}

static void weigh_alike(const struct weighing *w, struct diff_weights *to)
{
    for (size_t i = 0; i < w->of->units; i++) {
        to->worth[i] = (double)w->counts[i];
        to->grain[i] = 1;
    }
}

static void diff_weights_find(struct diff_weights *to,
                              const struct diff_side_of *of,
                              const uint64_t *counts, uint64_t total)
{
    struct weighing w = {.of = of, .counts = counts, .total = (double)total};

    to->worth = mem_new(of->units + 1, sizeof(*to->worth));
    to->grain = mem_new(of->units + 1, sizeof(*to->grain));
    to->mean_grain = 1;
    if (has_weights(of))
        weigh_all(&w, to);
    else
        weigh_alike(&w, to);
    to->worth[of->units] = (double)total / to->mean_grain;
    to->grain[of->units] = to->mean_grain;
}

static void diff_weights_release(struct diff_weights *w)
{
    free(w->worth);
    free(w->grain);
}

enum { DF_DEFAULT = 4 /* degrees of freedom where nothing is known */ };

double diff_side_variance(const struct diff_side *s, double count,
                          double grain, double dispersion)
{
    double v = count;

    if (s->shares && s->total)
        v *= fmax(1 - count / (double)s->total, 0);
    return dispersion * grain * v + count * count * s->spread;
}

struct callchain {
    const uint64_t *counts;
    double part; /* of the side's exposure */
};

/*
 * The squares of the runs' distances from their parts of the sum add up to less
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
        places->below ? stacks_inclusive(places->p, sel->stack_counts) : NULL;
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
    struct diff_blocks own = {0}, *b = of->blocks ? of->blocks : &own;

    s->counts = count_run(of, input);
    diff_weights_find(&s->weights, of, s->counts, s->total);
    blocks_of.counts = s->counts;
    blocks_of.grain = s->weights.grain;
    if (!b->variance)
        diff_blocks_count(b, &blocks_of);
    s->common_df = b->blocks ? b->df : 0;
    s->blocks = b->blocks;
    disperse(s, of->units, b->variance);
    if (b == &own)
        diff_blocks_release(b);
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

/* The variance of a sum of independent exposures. */
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

enum {
    KNOWN_LEAST = 20,  /* samples from which a unit's variance says much */
    UNITS_LEAST = 10,  /* such units that say how variances differ */
    PRIOR_DEFAULT = 4, /* degrees of freedom when they are too few */
    PRIOR_LEAST = 1,
    PRIOR_MOST = 20,
    FIT_STEPS = 6,
};

/* One or two sides that are estimated together. */
struct pool {
    struct diff_side *sides;
    size_t count, units;
};

/* A unit as the sides have seen it. A rare unit has fewer degrees of
 * freedom than there are blocks. */
struct seen {
    double x;   /* samples, of a side */
    double own; /* degrees of freedom */
    double raw; /* dispersion; 0 without any freedom */
    bool known; /* well enough to say what units have in common */
};

static struct seen seen_of(const struct pool *pool, size_t unit)
{
    struct seen s = {0};
    double samples = 0, sum = 0;

    for (size_t i = 0; i < pool->count; i++) {
        const struct diff_side *side = &pool->sides[i];
        double worth = side->weights.worth[unit];
        double own = fmin(side->common_df, worth);

        samples += worth;
        s.own += own;
        sum += own * side->dispersion[unit];
    }
    s.x = samples / (double)pool->count;
    s.raw = s.own > 0 ? sum / s.own : 0;
    s.known = samples >= KNOWN_LEAST && s.own > 0;
    return s;
}

/* The dispersion that units of a count have in common. When shares themselves
 * differ from run to run, the dispersion grows with the count, as that of
 * negative binomial counts does (a trend, as in edgeR: McCarthy et al. 2012).
 */
struct prior {
    double base, slope; /* base + slope * samples */
    double scale;       /* of that */
    double df;
};

static double line_at(const struct prior *p, double x)
{
    return p->base + p->slope * x;
}

/* One step of least squares, weighted by the variance that the line has so
 * far; neither number may be below what independent samples have. */
static void fit_step(const struct pool *pool, struct prior *p)
{
    double w = 0, wx = 0, wxx = 0, wy = 0, wxy = 0, det;

    for (size_t i = 0; i < pool->units; i++) {
        struct seen s = seen_of(pool, i);
        double weight;

        if (!s.known)
            continue;
        weight = 1 / (line_at(p, s.x) * line_at(p, s.x));
        w += weight, wx += weight * s.x, wxx += weight * s.x * s.x;
        wy += weight * s.raw, wxy += weight * s.x * s.raw;
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

/* By how much variances of units differ from the line beyond what their own
 * degrees of freedom explain: moments of their logarithms. */
static void fit_moments(const struct pool *pool, struct prior *p)
{
    double sum = 0, squares = 0, expected = 0, n = 0, mean, rest;

    for (size_t i = 0; i < pool->units; i++) {
        struct seen s = seen_of(pool, i);
        double half = s.own / 2, e;

        if (!s.known || !(s.raw > 0))
            continue;
        e = log(s.raw / line_at(p, s.x)) - digamma(half) + log(half);
        sum += e, squares += e * e, expected += trigamma(half), n++;
    }
    if (n < UNITS_LEAST)
        return;
    mean = sum / n;
    rest = (squares - sum * mean) / (n - 1) - expected / n;
    p->df = PRIOR_MOST;
    if (rest > 0) {
        p->df = fmax(fmin(2 * trigamma_inverse(rest), PRIOR_MOST), PRIOR_LEAST);
        mean += digamma(p->df / 2) - log(p->df / 2);
    }
    p->scale = exp(mean);
}

/* True if blocks or runs tell something; else samples are taken to be
 * independent. */
static bool any_known(const struct pool *pool)
{
    for (size_t i = 0; i < pool->count; i++)
        if (pool->sides[i].common_df > 0)
            return true;
    return false;
}

static struct prior prior_of(const struct pool *pool)
{
    struct prior p = {.scale = 1, .df = PRIOR_DEFAULT};

    for (size_t i = 0; i < pool->count; i++)
        p.base += fmax(pool->sides[i].common, 1) / (double)pool->count;
    if (!any_known(pool))
        p.df = PRIOR_MOST;
    for (int i = 0; i < FIT_STEPS; i++)
        fit_step(pool, &p);
    fit_moments(pool, &p);
    return p;
}

static void settle(struct diff_side *sides, size_t count, size_t units)
{
    struct pool pool = {sides, count, units};
    struct prior p = prior_of(&pool);

    for (size_t i = 0; i < units; i++) {
        struct seen s = seen_of(&pool, i);
        double at = fmax(p.scale * line_at(&p, s.x), 1);
        double mixed = (p.df * at + s.own * s.raw) / (p.df + s.own);

        for (size_t k = 0; k < count; k++) {
            sides[k].dispersion[i] = fmax(mixed, 1);
            sides[k].df[i] = (p.df + s.own) / (double)count;
        }
    }
    for (size_t k = 0; k < count; k++)
        sides[k].common = fmax(sides[k].common, 1);
}

static void borrow(struct diff_side *one, const struct diff_side *many,
                   size_t units)
{
    for (size_t i = 0; i <= units; i++) {
        if (many->dispersion[i] <= one->dispersion[i])
            continue;
        one->dispersion[i] = many->dispersion[i];
        one->df[i] = many->df[i];
    }
    one->common = fmax(one->common, many->common);
}

void diff_dispersion_settle(struct diff_side sides[2], size_t units)
{
    bool several[2] = {sides[0].runs > 1, sides[1].runs > 1};

    if (several[0] == several[1]) {
        settle(sides, 2, units);
        return;
    }
    settle(&sides[0], 1, units);
    settle(&sides[1], 1, units);
    borrow(&sides[several[0]], &sides[several[1]], units);
}
