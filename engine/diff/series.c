#include "engine/diff/series.h"

#include <math.h>
#include <string.h>

#include "engine/diff/size_factors.h"
#include "engine/diff/stats.h"

static const double significant = 0.05;
enum { SHUFFLES = 1999 };

/* While points are found. */
struct finding {
    struct series *series;
    const struct diff_input *inputs;
    size_t count, units;
    double *values;       /* by unit, by input */
    VEC(uint32_t) chosen; /* units that are looked at */
    VEC(struct series_point) points;
    struct map calls; /* (caller, callee) of units that are chosen */
    bool *is_chosen;
};

static double *values_of(const struct finding *f, uint32_t unit)
{
    return f->values + (size_t)unit * f->count;
}

static void set_exposures(struct finding *f, double *exposures)
{
    struct diff_factor *factors = mem_new(f->count, sizeof(*factors));
    struct diff_counts *counts =
        diff_counts_new(f->series->pairs, f->inputs, f->count);
    size_t common;
    bool found = diff_others_find(factors, counts, NULL, &common);

    f->series->normalize = found ? DIFF_OTHERS : DIFF_TOTAL;
    for (size_t i = 0; i < f->count; i++)
        exposures[i] = (found ? factors[i].value : 1) *
                       diff_exposure(&f->inputs[i], DIFF_TOTAL, 1);
    diff_counts_free(counts);
    free(factors);
}

static void count_input(const struct finding *f, size_t input, double exposure)
{
    const struct profile *p = f->inputs[input].p;
    const uint64_t *counts = f->inputs[input].sel->stack_counts;

    for (size_t i = 1; i < p->stacks.len; i++) {
        uint32_t function = profile_innermost(p, p->stacks.data[i].location);
        uint32_t unit = f->series->pairs->unit_of[input][function];

        if (counts[i] && unit != NO_ID)
            values_of(f, unit)[input] += (double)counts[i] / exposure;
    }
}

/* Code without names may belong to any number of functions. */
static void choose(struct finding *f, double relevant)
{
    f->is_chosen = mem_new(f->units, sizeof(*f->is_chosen));
    for (uint32_t u = 0; u < f->units; u++) {
        const double *values = values_of(f, u);
        double most = 0;

        for (size_t i = 0; i < f->count; i++)
            most = fmax(most, values[i]);
        f->is_chosen[u] =
            most >= relevant && !f->series->pairs->names.data[u].unnamed;
        if (f->is_chosen[u])
            *vec_add(&f->chosen) = u;
    }
    f->series->functions = f->chosen.len;
}

/* ---- points of one function ---- */

static double mean(const double *values, size_t from, size_t to)
{
    double sum = 0;

    for (size_t i = from; i < to; i++)
        sum += values[i];
    return to > from ? sum / (double)(to - from) : 0;
}

/* The parts of a series between its points. */
struct parts {
    VEC(size_t) ends; /* in order, the last is the count */
    VEC(double) p;    /* of the split at each end */
};

/* Splits part number `part` in two. */
static void insert_split(struct parts *parts, size_t part, size_t at, double p)
{
    *vec_add(&parts->ends) = 0;
    *vec_add(&parts->p) = 0;
    for (size_t i = parts->ends.len - 1; i > part; i--) {
        parts->ends.data[i] = parts->ends.data[i - 1];
        parts->p.data[i] = parts->p.data[i - 1];
    }
    parts->ends.data[part] = at;
    parts->p.data[part] = p;
}

/* Splits what is significant until nothing is. */
static void split_parts(struct parts *parts, const double *values, double most)
{
    for (size_t part = 0; part < parts->ends.len;) {
        size_t from = part ? parts->ends.data[part - 1] : 0;
        size_t n = parts->ends.data[part] - from;
        struct split split = {0, 0};
        double p = 1;

        if (n >= SERIES_LEAST) {
            split = split_best(values + from, n);
            p = split_significance(values + from, n, &split, SHUFFLES);
        }
        if (p <= most)
            insert_split(parts, part, from + split.at, p);
        else
            part++;
    }
}

static void add_points(struct finding *f, uint32_t unit,
                       const struct split *first, double p, double most)
{
    const double *values = values_of(f, unit);
    struct parts parts = {.ends = {0}};

    insert_split(&parts, 0, f->count, 1);
    insert_split(&parts, 0, first->at, p);
    split_parts(&parts, values, most);
    for (size_t i = 0; i + 1 < parts.ends.len; i++) {
        size_t from = i ? parts.ends.data[i - 1] : 0;
        size_t at = parts.ends.data[i];

        *vec_add(&f->points) = (struct series_point){
            .function = unit,
            .moved = NO_ID,
            .at = at,
            .value = {mean(values, from, at),
                      mean(values, at, parts.ends.data[i + 1])},
            .p = parts.p.data[i],
        };
    }
    f->series->changed++;
    vec_release(&parts.ends);
    vec_release(&parts.p);
}

static void find_points(struct finding *f)
{
    size_t n = f->chosen.len;
    struct split *first = mem_new(n, sizeof(*first));
    double *p = mem_new(n, sizeof(*p)), *q = mem_new(n, sizeof(*q));
    double most = 0; /* the largest p that is significant among so many */

    for (size_t i = 0; i < n; i++) {
        const double *values = values_of(f, f->chosen.data[i]);

        first[i] = split_best(values, f->count);
        p[i] = split_significance(values, f->count, &first[i], SHUFFLES);
    }
    stats_false_discovery(p, q, n);
    for (size_t i = 0; i < n; i++)
        if (q[i] <= significant)
            most = fmax(most, p[i]);
    for (size_t i = 0; i < n; i++)
        if (q[i] <= significant)
            add_points(f, f->chosen.data[i], &first[i], p[i], most);
    free(first);
    free(p);
    free(q);
}

/* ---- costs that moved ---- */

static void add_call(struct finding *f, uint32_t caller, uint32_t callee)
{
    if (caller != NO_ID && callee != NO_ID && caller != callee &&
        f->is_chosen[caller] && f->is_chosen[callee])
        map_add(&f->calls, (uint64_t)caller << 32 | callee, 0, 1);
}

static void add_calls(struct finding *f, size_t input)
{
    const struct profile *p = f->inputs[input].p;
    const uint32_t *unit_of = f->series->pairs->unit_of[input];

    for (size_t i = 1; i < p->stacks.len; i++) {
        const struct stack *s = &p->stacks.data[i];
        uint32_t from = p->frame_start.data[s->location];
        uint32_t to = p->frame_start.data[s->location + 1];

        for (uint32_t k = from; k + 1 < to; k++)
            add_call(f, unit_of[p->frames.data[k + 1].function],
                     unit_of[p->frames.data[k].function]);
        if (s->parent) {
            uint32_t above = p->stacks.data[s->parent].location;
            uint32_t frame = p->frame_start.data[above];

            add_call(f, unit_of[p->frames.data[frame].function],
                     unit_of[p->frames.data[to - 1].function]);
        }
    }
}

static bool calls_either_way(const struct finding *f, uint32_t a, uint32_t b)
{
    return map_get(&f->calls, (uint64_t)a << 32 | b, 0) != MAP_NONE ||
           map_get(&f->calls, (uint64_t)b << 32 | a, 0) != MAP_NONE;
}

/* True if the sum of both is as it was, from the recordings around `at`. */
static bool sum_is_steady(const struct finding *f, uint32_t a, uint32_t b,
                          size_t at)
{
    double *sum = mem_new(f->count, sizeof(*sum));
    struct split split;
    double p;

    for (size_t i = 0; i < f->count; i++)
        sum[i] = values_of(f, a)[i] + values_of(f, b)[i];
    split = split_best(sum, f->count);
    p = split_significance(sum, f->count, &split, SHUFFLES);
    free(sum);
    return p > significant || split.at != at;
}

static double change_at(const struct finding *f, uint32_t unit,
                        const struct series_point *around)
{
    const double *values = values_of(f, unit);

    return mean(values, around->at, f->count) - mean(values, 0, around->at);
}

static void mark_moved(const struct finding *f, struct series_point *point)
{
    double change = change_at(f, point->function, point), best = 0;

    for (size_t i = 0; i < f->chosen.len; i++) {
        uint32_t other = f->chosen.data[i];
        double its = change_at(f, other, point);

        if (its * change >= 0 || fabs(its + change) > fabs(change) / 4 ||
            fabs(its) <= best || !calls_either_way(f, point->function, other) ||
            !sum_is_steady(f, point->function, other, point->at))
            continue;
        best = fabs(its);
        point->moved = other;
    }
}

static int by_change(const void *x, const void *y)
{
    const struct series_point *a = x, *b = y;
    double s = fabs(a->value[1] - a->value[0]);
    double t = fabs(b->value[1] - b->value[0]);

    if (s != t)
        return s > t ? -1 : 1;
    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

struct series *series_new(struct diff_input *inputs, size_t count,
                          double relevant, unsigned threads)
{
    struct series *s = mem_new(1, sizeof(*s));
    struct finding f = {.series = s, .inputs = inputs, .count = count};
    double *exposures = mem_new(count, sizeof(*exposures));

    for (size_t i = 0; i < count; i++)
        inputs[i].after = i >= count / 2;
    s->pairs = diff_pairs_new(inputs, count, NULL, 0, threads);
    f.units = s->pairs->names.len;
    f.values = mem_new(f.units * count, sizeof(*f.values));
    set_exposures(&f, exposures);
    for (size_t i = 0; i < count; i++)
        if (inputs[i].sel->samples)
            count_input(&f, i, exposures[i]);
    choose(&f, relevant);
    find_points(&f);
    for (size_t i = 0; i < count && f.points.len; i++)
        add_calls(&f, i);
    for (size_t i = 0; i < f.points.len; i++)
        mark_moved(&f, &f.points.data[i]);
    s->points = f.points.data;
    s->len = f.points.len;
    if (s->len)
        qsort(s->points, s->len, sizeof(*s->points), by_change);
    map_release(&f.calls);
    vec_release(&f.chosen);
    free(f.is_chosen);
    free(f.values);
    free(exposures);
    return s;
}

void series_free(struct series *s)
{
    if (!s)
        return;
    diff_pairs_free(s->pairs);
    free(s->points);
    free(s);
}
