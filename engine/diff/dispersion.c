#include "engine/diff/dispersion.h"

#include <math.h>

#include "engine/diff/gamma.h"

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

/* What the sides have seen of a unit. A rare unit has fewer degrees of
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

/* What units of a count have in common. Where shares themselves differ from
 * run to run the dispersion grows with the count, as that of negative
 * binomial counts does (a trend, as in edgeR: McCarthy et al. 2012). */
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

static struct prior prior_of(const struct pool *pool)
{
    struct prior p = {.scale = 1, .df = PRIOR_DEFAULT};

    for (size_t i = 0; i < pool->count; i++)
        p.base += fmax(pool->sides[i].common, 1) / (double)pool->count;
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
