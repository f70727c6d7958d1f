#include "engine/diff/odd_runs.h"

#include <math.h>

#include "engine/diff/stats.h"

enum {
    RUNS_LEAST = 4,
    FUNCTIONS_LEAST = 8,
    SAMPLES_LEAST = 20 /* of a function, in a run of average length */
};

static const double chance = 0.001;

/* The runs of one side that are not left out. */
struct side_runs {
    const struct diff_counts *counts;
    VEC(size_t) inputs;
    VEC(uint32_t) functions;
    double *totals;    /* by run: samples in these functions */
    double *distances; /* by run: mean squared distance from the medians */
    double *sorted;
};

static int by_number(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;

    return (a > b) - (a < b);
}

static double median(double *values, size_t n)
{
    qsort(values, n, sizeof(*values), by_number);
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

static double count_at(const struct side_runs *s, size_t run, uint32_t unit)
{
    return (double)s->counts->of[s->inputs.data[run]][unit];
}

static void choose_functions(struct side_runs *s)
{
    double runs = (double)s->inputs.len;

    for (uint32_t u = 0; u < s->counts->units; u++) {
        double count = 0;

        for (size_t r = 0; r < s->inputs.len; r++)
            count += count_at(s, r, u);
        if (count < SAMPLES_LEAST * runs * s->counts->mean_weight ||
            s->counts->pairs->names.data[u].unnamed)
            continue;
        *vec_add(&s->functions) = u;
        for (size_t r = 0; r < s->inputs.len; r++)
            s->totals[r] += count_at(s, r, u);
    }
}

/* In units of what independent samples of the run would differ. */
static void measure_distances(struct side_runs *s)
{
    size_t runs = s->inputs.len;

    for (size_t r = 0; r < runs; r++)
        s->distances[r] = 0;
    for (size_t i = 0; i < s->functions.len; i++) {
        uint32_t u = s->functions.data[i];
        double middle;

        for (size_t r = 0; r < runs; r++)
            s->sorted[r] = count_at(s, r, u) / s->totals[r];
        middle = median(s->sorted, runs);
        for (size_t r = 0; r < runs && middle > 0; r++) {
            double apart = count_at(s, r, u) / s->totals[r] - middle;

            s->distances[r] += apart * apart * s->totals[r] / middle /
                               (double)s->functions.len;
        }
    }
}

/* The farthest run, or the number of runs if it is not odd. */
static size_t farthest_run(const struct side_runs *s, double *times)
{
    size_t runs = s->inputs.len, far = 0;
    double df = (double)s->functions.len / 2;

    for (size_t r = 0; r < runs; r++) {
        s->sorted[r] = s->distances[r];
        if (s->distances[r] > s->distances[far])
            far = r;
    }
    /* The farthest is not one of those it is held against. */
    qsort(s->sorted, runs, sizeof(*s->sorted), by_number);
    *times = s->distances[far] / fmax(median(s->sorted, runs - 1), 0.5);
    return fisher_tail(*times, df, df) < chance ? far : runs;
}

static bool can_measure(const struct side_runs *s)
{
    for (size_t r = 0; r < s->inputs.len; r++)
        if (!(s->totals[r] > 0))
            return false;
    return s->functions.len >= FUNCTIONS_LEAST;
}

static bool find_side(const struct diff_counts *counts, bool after, bool *odd,
                      double *distance)
{
    struct side_runs s = {.counts = counts};
    size_t left, far;
    bool found = false;

    for (size_t i = 0; i < counts->count; i++)
        if (counts->inputs[i].after == after)
            *vec_add(&s.inputs) = i;
    left = s.inputs.len ? (s.inputs.len - 1) / 3 : 0;
    s.totals = mem_new(s.inputs.len, sizeof(*s.totals));
    s.distances = mem_new(s.inputs.len, sizeof(*s.distances));
    s.sorted = mem_new(s.inputs.len, sizeof(*s.sorted));
    choose_functions(&s);
    while (left-- && s.inputs.len >= RUNS_LEAST && can_measure(&s)) {
        double times;

        measure_distances(&s);
        far = farthest_run(&s, &times);
        if (far == s.inputs.len)
            break;
        found = odd[s.inputs.data[far]] = true;
        distance[s.inputs.data[far]] = times;
        s.inputs.len--;
        s.inputs.data[far] = s.inputs.data[s.inputs.len];
        s.totals[far] = s.totals[s.inputs.len];
    }
    free(s.totals);
    free(s.distances);
    free(s.sorted);
    vec_release(&s.inputs);
    vec_release(&s.functions);
    return found;
}

bool *diff_odd_runs(const struct diff_counts *counts, double *distance)
{
    bool *odd = mem_new(counts->count, sizeof(*odd));
    bool before = find_side(counts, false, odd, distance);
    bool after = find_side(counts, true, odd, distance);

    if (before || after)
        return odd;
    free(odd);
    return NULL;
}
