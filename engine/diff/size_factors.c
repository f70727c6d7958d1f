#include "engine/diff/size_factors.h"

#include <math.h>

struct medians {
    const struct diff_pairs *pairs;
    const struct diff_input *inputs;
    size_t count, units;
    uint64_t **counts;       /* by input, by unit: exclusive samples */
    uint64_t *pooled;        /* by unit: of all inputs */
    uint64_t total;          /* samples of all inputs */
    VEC(uint32_t) functions; /* that all are measured by */
};

static void count_input(const struct medians *m, size_t at)
{
    const struct profile *p = m->inputs[at].p;
    const struct selection *sel = m->inputs[at].sel;
    uint64_t *counts = mem_new(m->units, sizeof(*counts));

    for (size_t i = 0; i < p->locations.len; i++) {
        uint32_t unit = m->pairs->unit_of[at][profile_innermost(p, i)];

        if (sel->location_counts[i] && unit != NO_ID)
            counts[unit] += sel->location_counts[i];
    }
    m->counts[at] = counts;
}

/* The mean weight of a sample, over all inputs. */
static double mean_weight(const struct medians *m)
{
    double weights = 0, samples = 0;

    for (size_t i = 0; i < m->count; i++) {
        const struct diff_input *input = &m->inputs[i];

        weights += (double)input->sel->samples;
        if (!input->p->samples.weight)
            samples += (double)input->sel->samples;
        else
            for (size_t j = 0; j < input->p->samples.len; j++)
                samples += selection_has(input->p, input->sel, j);
    }
    return samples > 0 ? weights / samples : 1;
}

/* Code without names may belong to any number of functions. */
static void choose_functions(struct medians *m)
{
    double least = OTHERS_LEAST * (double)m->count * mean_weight(m);

    for (uint32_t u = 0; u < m->units; u++) {
        bool seen[2] = {false, false};

        for (size_t i = 0; i < m->count; i++) {
            m->pooled[u] += m->counts[i][u];
            seen[m->inputs[i].after] |= m->counts[i][u] > 0;
        }
        if (seen[0] && seen[1] && (double)m->pooled[u] >= least &&
            !m->pairs->names.data[u].unnamed)
            *vec_add(&m->functions) = u;
    }
}

static int by_size(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;

    return (a > b) - (a < b);
}

/* The values at either end of the median's 95 % interval are two times 1.96
 * of its standard errors apart. */
static double median_variance(const double *sorted, size_t n)
{
    double reach = 1.96 * sqrt((double)n) / 2;
    size_t low = (size_t)fmax(floor(((double)n - 1) / 2 - reach), 0);
    double wide = sorted[n - 1 - low] - sorted[low];
    double middle = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    double error = wide / middle / (2 * 1.96);

    return error * error;
}

/* Compares the run's counts with those that it would have if all runs were
 * alike. */
static struct diff_factor factor_of(const struct medians *m, size_t input,
                                    double *ratios)
{
    double part = (double)m->inputs[input].sel->samples / (double)m->total;
    size_t n = m->functions.len;
    double middle;

    for (size_t i = 0; i < n; i++) {
        uint32_t u = m->functions.data[i];

        ratios[i] = (double)m->counts[input][u] / (double)m->pooled[u];
    }
    qsort(ratios, n, sizeof(*ratios), by_size);
    middle = (ratios[(n - 1) / 2] + ratios[n / 2]) / 2;
    if (!(middle > 0))
        return (struct diff_factor){0, 0};
    return (struct diff_factor){middle / part, median_variance(ratios, n)};
}

static bool find_factors(const struct medians *m, struct diff_factor *factors)
{
    double *ratios = mem_new(m->functions.len, sizeof(*ratios));
    bool found = m->functions.len >= OTHERS_LEAST;

    for (size_t i = 0; found && i < m->count; i++) {
        factors[i] = factor_of(m, i, ratios);
        found = factors[i].value > 0;
    }
    free(ratios);
    return found;
}

bool diff_others_find(struct diff_factor *factors,
                      const struct diff_pairs *pairs,
                      const struct diff_input *inputs, size_t n, size_t *common)
{
    struct medians m = {.pairs = pairs,
                        .inputs = inputs,
                        .count = n,
                        .units = pairs->names.len};
    bool found;

    m.counts = mem_new(n, sizeof(*m.counts));
    m.pooled = mem_new(m.units, sizeof(*m.pooled));
    for (size_t i = 0; i < n; i++) {
        count_input(&m, i);
        m.total += inputs[i].sel->samples;
    }
    choose_functions(&m);
    *common = m.functions.len;
    found = find_factors(&m, factors);
    for (size_t i = 0; i < n; i++)
        free(m.counts[i]);
    free(m.counts);
    free(m.pooled);
    vec_release(&m.functions);
    return found;
}
