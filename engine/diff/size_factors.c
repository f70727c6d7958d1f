#include "engine/diff/size_factors.h"

#include <math.h>

static void count_input(struct diff_counts *c, size_t at)
{
    const struct profile *p = c->inputs[at].p;
    const struct selection *sel = c->inputs[at].sel;
    uint64_t *counts = mem_new(c->units, sizeof(*counts));

    for (size_t i = 0; i < p->locations.len; i++) {
        uint32_t unit = c->pairs->unit_of[at][profile_innermost(p, i)];

        if (!sel->location_counts[i] || unit == NO_ID)
            continue;
        counts[unit] += sel->location_counts[i];
        c->pooled[unit] += sel->location_counts[i];
    }
    c->of[at] = counts;
    c->total += sel->samples;
}

static double mean_weight(const struct diff_counts *c)
{
    double samples = 0;

    for (size_t i = 0; i < c->count; i++) {
        const struct diff_input *input = &c->inputs[i];

        if (!input->p->samples.weight || input->p->trace.adds_up)
            samples += (double)input->sel->samples;
        else
            for (size_t j = 0; j < input->p->samples.len; j++)
                samples += selection_has(input->p, input->sel, j);
    }
    return samples > 0 ? (double)c->total / samples : 1;
}

struct diff_counts *diff_counts_new(const struct diff_pairs *pairs,
                                    const struct diff_input *inputs, size_t n)
{
    struct diff_counts *c = mem_new(1, sizeof(*c));

    *c = (struct diff_counts){.pairs = pairs,
                              .inputs = inputs,
                              .count = n,
                              .units = pairs->names.len};
    c->of = mem_new(n, sizeof(*c->of));
    c->pooled = mem_new(c->units, sizeof(*c->pooled));
    for (size_t i = 0; i < n; i++)
        count_input(c, i);
    c->mean_weight = mean_weight(c);
    return c;
}

void diff_counts_free(struct diff_counts *c)
{
    for (size_t i = 0; i < c->count; i++)
        free(c->of[i]);
    free(c->of);
    free(c->pooled);
    free(c);
}

struct others {
    const struct diff_counts *counts;
    VEC(uint32_t) functions; /* that all are measured by */
};

static bool is_common(const struct diff_counts *c, uint32_t unit)
{
    bool seen[2] = {false, false};

    for (size_t i = 0; i < c->count; i++)
        seen[c->inputs[i].after] |= c->of[i][unit] > 0;
    return seen[0] && seen[1];
}

/* Code without names may be of any number of functions. */
static void choose_functions(struct others *m, const bool *changed)
{
    const struct diff_counts *c = m->counts;
    double least = OTHERS_SAMPLES * (double)c->count * c->mean_weight;

    for (uint32_t u = 0; u < c->units; u++)
        if ((double)c->pooled[u] >= least && is_common(c, u) &&
            !c->pairs->names.data[u].unnamed && !(changed && changed[u]))
            *vec_add(&m->functions) = u;
}

/* A function's share in a run, divided by its share in all runs. */
struct ratio {
    double value, weight;
};

static int by_value(const void *x, const void *y)
{
    double a = ((const struct ratio *)x)->value;
    double b = ((const struct ratio *)y)->value;

    return (a > b) - (a < b);
}

static double weighted_median(struct ratio *ratios, size_t n)
{
    double all = 0, below = 0;
    size_t i = 0;

    qsort(ratios, n, sizeof(*ratios), by_value);
    for (size_t k = 0; k < n; k++)
        all += ratios[k].weight;
    while (i + 1 < n && below + ratios[i].weight < all / 2)
        below += ratios[i++].weight;
    return ratios[i].value;
}

/* The factor by which the functions' counts in a run vary more than independent
 * ones. */
static double excess(const struct ratio *ratios, size_t n, double value,
                     double part)
{
    double squares = 0;

    for (size_t i = 0; i < n; i++) {
        double expected = ratios[i].weight * part * value;
        double apart = ratios[i].weight * part * ratios[i].value - expected;

        squares += apart * apart / expected;
    }
    return squares / ((double)n - 1);
}

/* Compares the run's counts with those that it would have if all runs were
 * alike. */
static struct diff_factor factor_of(const struct others *m, size_t input,
                                    struct ratio *ratios, bool first)
{
    const struct diff_counts *c = m->counts;
    double part = (double)c->inputs[input].sel->samples / (double)c->total;
    double samples = (double)c->inputs[input].sel->samples;
    double here = 0, everywhere = 0, value, unsure;
    size_t n = m->functions.len;

    for (size_t i = 0; i < n; i++) {
        uint32_t u = m->functions.data[i];
        double count = (double)c->of[input][u];
        double pooled = (double)c->pooled[u];

        here += count;
        everywhere += pooled;
        ratios[i] = (struct ratio){count / pooled / part, pooled};
    }
    value = first ? weighted_median(ratios, n) : here / everywhere / part;
    if (!(value > 0))
        return (struct diff_factor){0, 0};
    unsure = fmax(excess(ratios, n, value, part), 1) / here;
    /* A median is less sure than a mean, by pi / 2 were the ratios normal. A
     * sum misses only the samples of other functions. One function in twenty is
     * left out by chance, two standard errors off its expectation. */
    unsure *= first ? M_PI_2 : fmax(1 - here / samples, 0) + 0.1;
    return (struct diff_factor){value, unsure};
}

static bool find_factors(const struct others *m, struct diff_factor *factors,
                         bool first)
{
    struct ratio *ratios = mem_new(m->functions.len, sizeof(*ratios));
    bool found = m->functions.len >= OTHERS_LEAST;

    for (size_t i = 0; found && i < m->counts->count; i++) {
        factors[i] = factor_of(m, i, ratios, first);
        found = factors[i].value > 0;
    }
    free(ratios);
    return found;
}

/* A function's share after, by that before, of the common functions. */
struct side_ratio {
    double value, weight;
    uint32_t unit;
};

static int by_side_ratio(const void *x, const void *y)
{
    const struct side_ratio *a = x, *b = y;

    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return (a->unit > b->unit) - (a->unit < b->unit);
}

/* Ratios in ascending order; returns the sum of their weights. */
static double side_ratios(const struct others *m, struct side_ratio *ratios)
{
    const struct diff_counts *c = m->counts;
    double all = 0;

    for (size_t i = 0; i < m->functions.len; i++) {
        uint32_t u = m->functions.data[i];
        double sum[2] = {0, 0};

        for (size_t k = 0; k < c->count; k++)
            sum[c->inputs[k].after] += (double)c->of[k][u];
        ratios[i] = (struct side_ratio){sum[1] / sum[0], (double)c->pooled[u],
                                        u};
        all += (double)c->pooled[u];
    }
    if (m->functions.len)
        qsort(ratios, m->functions.len, sizeof(*ratios), by_side_ratio);
    return all;
}

void diff_others_outside(const struct diff_counts *counts, bool *outside)
{
    struct others m = {.counts = counts};
    struct side_ratio *ratios;
    double all, within = 0, best = INFINITY;
    size_t first = 0, best_first = 0, best_end = 0;

    choose_functions(&m, NULL);
    ratios = mem_new(m.functions.len, sizeof(*ratios));
    all = side_ratios(&m, ratios);
    for (size_t end = 0; end < m.functions.len; end++) {
        within += ratios[end].weight;
        while (within - ratios[first].weight >= all / 2)
            within -= ratios[first++].weight;
        if (within >= all / 2 &&
            ratios[end].value / ratios[first].value < best) {
            best = ratios[end].value / ratios[first].value;
            best_first = first;
            best_end = end;
        }
    }
    for (size_t i = 0; i < m.functions.len; i++)
        outside[ratios[i].unit] = i < best_first || i > best_end;
    free(ratios);
    vec_release(&m.functions);
}

bool diff_others_find(struct diff_factor *factors,
                      const struct diff_counts *counts, const bool *changed,
                      size_t *common)
{
    struct others m = {.counts = counts};
    bool found;

    choose_functions(&m, changed);
    *common = m.functions.len;
    found = find_factors(&m, factors, !changed);
    vec_release(&m.functions);
    return found;
}
