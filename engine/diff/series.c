#include "engine/diff/series.h"

#include <math.h>
#include <string.h>

#include "engine/diff/change_points.h"
#include "engine/diff/size_factors.h"
#include "engine/diff/stats.h"

static const double significant = 0.05;

/* While points are found. */
struct finding {
    struct series *series;
    const struct diff_input *inputs;
    size_t count, units;
    double *values;        /* by unit, by input */
    struct segment *first; /* by unit: of the whole series */
    bool *is_chosen;       /* by unit: it is looked at */
    VEC(uint32_t) chosen;
    VEC(struct series_point) points;
    struct map calls; /* (caller, callee) of units that are chosen */
    struct rank_tables tables;
};

static double *values_of(const struct finding *f, uint32_t unit)
{
    return f->values + (size_t)unit * f->count;
}

/* Fewer samples make no step, and each function that is looked at makes the
 * others less significant. */
enum { SAMPLES_LEAST = 5 /* in so many recordings as a segment has */ };

/* `least`: of the unit, in a recording. */
static bool has_samples(const struct diff_counts *counts, uint32_t unit,
                        double least)
{
    size_t enough = 0;

    for (size_t i = 0; i < counts->count; i++)
        enough += (double)counts->of[i][unit] >= least;
    return enough >= SEGMENT_LEAST || enough == counts->count;
}

/* Code without names may belong to any number of functions. */
static void choose(struct finding *f, const struct diff_counts *counts,
                   double relevant)
{
    /* An amount may have been added up from any number of samples. */
    double least = f->series->normalize == DIFF_NONE
                       ? 1
                       : SAMPLES_LEAST * counts->mean_weight;

    f->chosen.len = 0;
    for (uint32_t u = 0; u < f->units; u++) {
        const double *values = values_of(f, u);
        double most = 0;

        for (size_t i = 0; i < f->count; i++)
            most = fmax(most, values[i]);
        f->is_chosen[u] = most >= relevant && has_samples(counts, u, least) &&
                          !f->series->pairs->names.data[u].unnamed;
        f->first[u] = (struct segment){.p = 1};
        if (!f->is_chosen[u])
            continue;
        *vec_add(&f->chosen) = u;
        f->first[u] = segment_find(&f->tables, values, f->count);
    }
    f->series->functions = f->chosen.len;
}

/* `relevant`: percent of the recording that has most. */
static void measure(struct finding *f, const struct diff_counts *counts,
                    const struct diff_factor *factors, double relevant)
{
    double whole = 0;

    for (size_t i = 0; i < f->count; i++) {
        double exposure =
            factors[i].value *
            diff_exposure(&f->inputs[i], f->series->normalize, 1);

        for (uint32_t u = 0; u < f->units && exposure > 0; u++)
            values_of(f, u)[i] = (double)counts->of[i][u] / exposure;
        if (exposure > 0)
            whole = fmax(whole, (double)f->inputs[i].sel->samples / exposure);
    }
    if (!diff_is_share(f->series->normalize))
        relevant *= whole / 100;
    choose(f, counts, relevant);
}

/* Bytes, objects and times are what they are; samples are as many as the
 * recording was long, so that only their shares can be compared. */
static bool has_amounts(const struct finding *f)
{
    for (size_t i = 0; i < f->count; i++)
        if (profile_counts_samples(f->inputs[i].p))
            return false;
    return true;
}

/* Shares are measured by the others, in rounds that leave out what may have
 * changed by the round before. By the total where too few functions are common.
 */
static void measure_in_rounds(struct finding *f, double relevant)
{
    struct diff_counts *counts =
        diff_counts_new(f->series->pairs, f->inputs, f->count);
    struct diff_factor *factors = mem_new(f->count, sizeof(*factors));
    bool *changed = mem_new(f->units, sizeof(*changed));
    size_t common;
    bool by_others = !has_amounts(f) &&
                     diff_others_find(factors, counts, NULL, &common);

    f->series->normalize = by_others        ? DIFF_OTHERS
                           : has_amounts(f) ? DIFF_NONE
                                            : DIFF_TOTAL;
    for (size_t i = 0; !by_others && i < f->count; i++)
        factors[i].value = 1;
    measure(f, counts, factors, relevant);
    for (int i = 0; by_others && i < OTHERS_ROUNDS; i++) {
        for (uint32_t u = 0; u < f->units; u++)
            changed[u] = f->first[u].p <= significant;
        by_others = diff_others_find(factors, counts, changed, &common);
        if (!by_others)
            diff_others_find(factors, counts, NULL, &common);
        measure(f, counts, factors, relevant);
    }
    free(changed);
    free(factors);
    diff_counts_free(counts);
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
static void split_parts(struct finding *f, struct parts *parts,
                        const double *values, double most)
{
    for (size_t part = 0; part < parts->ends.len;) {
        size_t from = part ? parts->ends.data[part - 1] : 0;
        size_t n = parts->ends.data[part] - from;
        struct segment s = {.p = 1};

        if (n >= SERIES_LEAST)
            s = segment_find(&f->tables, values + from, n);
        if (s.p > most) {
            part++;
            continue;
        }
        if (s.to < n)
            insert_split(parts, part, from + s.to, s.p);
        insert_split(parts, part, from + s.from, s.p);
    }
}

/* True if a line explains the values better than the parts do: by Schwarz's
 * criterion (BIC), where each part has a mean and each point a place. */
static bool is_drift(const struct trend *trend, const struct parts *parts,
                     const double *values, size_t n)
{
    double squares = 0, more = 2 * (double)parts->ends.len - 3;

    for (size_t i = 0, from = 0; i < parts->ends.len; i++) {
        squares +=
            squares_about_mean(values + from, parts->ends.data[i] - from);
        from = parts->ends.data[i];
    }
    return trend->significant && squares > 0 &&
           (double)n * log(trend->squares / squares) < more * log((double)n);
}

static void add_steps(struct finding *f, uint32_t unit,
                      const struct parts *parts)
{
    const double *values = values_of(f, unit);

    for (size_t i = 0; i + 1 < parts->ends.len; i++) {
        size_t from = i ? parts->ends.data[i - 1] : 0;
        size_t at = parts->ends.data[i], to = parts->ends.data[i + 1];
        struct step_range range =
            step_range(values + from, to - from, at - from);

        *vec_add(&f->points) = (struct series_point){
            .function = unit,
            .moved = NO_ID,
            .from = from,
            .at = at,
            .to = to,
            .range = {range.first + from, range.last + from},
            .value = {mean(values, from, at), mean(values, at, to)},
            .p = parts->p.data[i],
        };
    }
}

static void add_points(struct finding *f, uint32_t unit, double most)
{
    const double *values = values_of(f, unit);
    struct trend trend = trend_of(values, f->count);
    struct parts parts = {.ends = {0}};

    insert_split(&parts, 0, f->count, 1);
    split_parts(f, &parts, values, most);
    if (is_drift(&trend, &parts, values, f->count))
        *vec_add(&f->points) = (struct series_point){
            .function = unit,
            .moved = NO_ID,
            .drifts = true,
            .at = f->count - 1,
            .to = f->count,
            .range = {0, f->count - 1},
            .value = {trend.start,
                      trend.start + trend.slope * (double)(f->count - 1)},
            .p = f->first[unit].p,
        };
    else
        add_steps(f, unit, &parts);
    f->series->changed++;
    vec_release(&parts.ends);
    vec_release(&parts.p);
}

/* True if another function among `chosen` has the same segment. */
static bool changes_with_another(const struct finding *f, size_t i,
                                 const double *q)
{
    const struct segment *s = &f->first[f->chosen.data[i]];

    for (size_t k = 0; k < f->chosen.len; k++) {
        const struct segment *other = &f->first[f->chosen.data[k]];

        if (k != i && q[k] <= significant && other->from == s->from &&
            other->to == s->to)
            return true;
    }
    return false;
}

/* Somebody looks at each function that is named, so chance alone should name
 * one in few series. The rate of false discoveries does not bound that: where
 * three functions changed, it lets a fourth pass in 19 of 100 series. So a
 * function must be significant among all that did not change (Holm 1979), or
 * change in the same recordings as another. */
static void find_points(struct finding *f)
{
    size_t n = f->chosen.len, found = 0;
    double *p = mem_new(n, sizeof(*p)), *q = mem_new(n, sizeof(*q));
    double most = 0; /* the largest p that is significant among so many */

    for (size_t i = 0; i < n; i++)
        p[i] = f->first[f->chosen.data[i]].p;
    stats_false_discovery(p, q, n);
    for (size_t i = 0; i < n; i++)
        found += q[i] <= significant;
    if (found)
        most = significant / (double)(n - found + 1);
    for (size_t i = 0; i < n; i++)
        if (q[i] <= significant &&
            (p[i] <= most || changes_with_another(f, i, q)))
            add_points(f, f->chosen.data[i], fmax(most, p[i]));
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
static bool sum_is_steady(struct finding *f, uint32_t a, uint32_t b, size_t at)
{
    double *sum = mem_new(f->count, sizeof(*sum));
    struct segment s;

    for (size_t i = 0; i < f->count; i++)
        sum[i] = values_of(f, a)[i] + values_of(f, b)[i];
    s = segment_find(&f->tables, sum, f->count);
    free(sum);
    return s.p > significant || (s.from != at && s.to != at);
}

static double change_at(const struct finding *f, uint32_t unit,
                        const struct series_point *point)
{
    const double *values = values_of(f, unit);

    return mean(values, point->at, point->to) -
           mean(values, point->from, point->at);
}

static void mark_moved(struct finding *f, struct series_point *point)
{
    double change = change_at(f, point->function, point), best = 0;

    for (size_t i = 0; i < f->chosen.len && !point->drifts; i++) {
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

    for (size_t i = 0; i < count; i++)
        inputs[i].after = i >= count / 2;
    s->pairs = diff_pairs_new(inputs, count, NULL, 0, threads);
    f.units = s->pairs->names.len;
    f.values = mem_new(f.units * count, sizeof(*f.values));
    f.first = mem_new(f.units, sizeof(*f.first));
    f.is_chosen = mem_new(f.units, sizeof(*f.is_chosen));
    measure_in_rounds(&f, relevant);
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
    rank_tables_release(&f.tables);
    free(f.is_chosen);
    free(f.first);
    free(f.values);
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
