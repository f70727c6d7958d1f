#include "engine/diff/change_points.h"

#include <math.h>
#include <stdint.h>

/* Ranks count double, and from the middle of the series: whole numbers, even
 * where ties share one. */

struct ranked_value {
    double value;
    size_t index;
};

static int by_value(const void *x, const void *y)
{
    const struct ranked_value *a = x, *b = y;

    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static void set_ranks(int64_t *ranks, const double *values, size_t n)
{
    struct ranked_value *order = mem_new(n, sizeof(*order));

    for (size_t i = 0; i < n; i++)
        order[i] = (struct ranked_value){values[i], i};
    qsort(order, n, sizeof(*order), by_value);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && order[end].value <= order[i].value;)
            end++;
        for (size_t k = i; k < end; k++)
            ranks[order[k].index] = (int64_t)(i + end) - (int64_t)n;
    }
    free(order);
}

/* The part of the variance of all ranks that a rank sum of `m` values
 * explains. */
static double explained_by(int64_t sum, size_t m, size_t n)
{
    double rest = (double)(n - m), size = (double)n;

    return 3 * (double)sum * (double)sum /
           ((double)m * rest * (size * size - 1));
}

/* The likelihood ratio. */
static double score_of(double explained, size_t n)
{
    return -((double)n - 1) * log(1 - explained);
}

/* There are about n * n / 2 bumps and n steps. With a handicap of 2 log(n / 2)
 * chance has bumps and steps of any score equally often. */
static double bump_handicap(size_t n)
{
    return 2 * log((double)n / 2);
}

/* The start of the bump of `m` values with the largest rank sum. */
static size_t find_bump(const int64_t *sums, size_t m, size_t n, int64_t *most)
{
    size_t found = 0;

    *most = 0;
    for (size_t i = SEGMENT_LEAST; i + m + SEGMENT_LEAST <= n; i++) {
        int64_t sum = llabs(sums[i + m] - sums[i]);

        if (sum > *most) {
            *most = sum;
            found = i;
        }
    }
    return found;
}

/* `sums` is room for n + 1 numbers. */
static struct segment best_segment(const int64_t *ranks, int64_t *sums,
                                   size_t n)
{
    struct segment step = {.to = n, .p = 1}, bump = {.p = 1};
    double by_step = 0, by_bump = 0;

    sums[0] = 0;
    for (size_t i = 0; i < n; i++)
        sums[i + 1] = sums[i] + ranks[i];
    for (size_t m = SEGMENT_LEAST; m + SEGMENT_LEAST <= n; m++) {
        int64_t most;
        size_t at = find_bump(sums, m, n, &most);

        if (explained_by(most, m, n) > by_bump) {
            by_bump = explained_by(most, m, n);
            bump.from = at;
            bump.to = at + m;
        }
        if (explained_by(sums[m], m, n) > by_step) {
            by_step = explained_by(sums[m], m, n);
            step.from = m;
        }
    }
    step.score = score_of(by_step, n);
    bump.score = score_of(by_bump, n) - bump_handicap(n);
    return bump.score > step.score ? bump : step;
}

/* xorshift64* */
static uint64_t draw(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545F4914F6CDD1D);
}

static void shuffle(int64_t *ranks, size_t n, uint64_t *state)
{
    for (size_t i = n; i > 1; i--) {
        size_t at = (size_t)((draw(state) >> 32) * i >> 32);
        int64_t other = ranks[at];

        ranks[at] = ranks[i - 1];
        ranks[i - 1] = other;
    }
}

static int downwards(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;

    return (a < b) - (a > b);
}

/* A permutation costs n * n / 2: the table of 300 values takes 0.2 s. */
static size_t permutations_for(size_t n)
{
    double many = 4e8 / ((double)n * (double)n);

    return (size_t)fmin(fmax(many, 500), 40000);
}

static struct rank_table make_table(size_t n)
{
    struct rank_table t = {.n = n, .len = permutations_for(n)};
    int64_t *ranks = mem_new(n, sizeof(*ranks));
    int64_t *sums = mem_new(n + 1, sizeof(*sums));
    uint64_t state = UINT64_C(0x9E3779B97F4A7C15);

    t.scores = mem_new(t.len, sizeof(*t.scores));
    for (size_t i = 0; i < n; i++)
        ranks[i] = (int64_t)(2 * i + 1) - (int64_t)n;
    for (size_t i = 0; i < t.len; i++) {
        shuffle(ranks, n, &state);
        t.scores[i] = best_segment(ranks, sums, n).score;
    }
    qsort(t.scores, t.len, sizeof(*t.scores), downwards);
    free(ranks);
    free(sums);
    return t;
}

/* Long series share tables: a longer one has more segments, so that p is
 * larger. */
static const struct rank_table *table_for(struct rank_tables *tables, size_t n)
{
    size_t length = n <= 64 ? n : (n + 15) / 16 * 16;

    for (size_t i = 0; i < tables->all.len; i++)
        if (tables->all.data[i].n == length)
            return &tables->all.data[i];
    *vec_add(&tables->all) = make_table(length);
    return &tables->all.data[tables->all.len - 1];
}

void rank_tables_release(struct rank_tables *tables)
{
    for (size_t i = 0; i < tables->all.len; i++)
        free(tables->all.data[i].scores);
    vec_release(&tables->all);
}

double rank_tables_tail(struct rank_tables *tables, size_t n, double score)
{
    const struct rank_table *t = table_for(tables, n);
    size_t tail = t->len / 50, reached = 0;
    double excess = 0, all = (double)t->len + 1;

    while (reached < t->len && t->scores[reached] >= score - 1e-9)
        reached++;
    for (size_t i = 0; i < tail; i++)
        excess += (t->scores[i] - t->scores[tail]) / (double)tail;
    if (reached >= tail || !(excess > 0))
        return ((double)reached + 1) / all;
    /* Scores fall off exponentially. Two standard errors are added to their
     * mean: p is rather too large than too small. */
    excess *= 1 + 2 / sqrt((double)tail);
    return (double)(tail + 1) / all * exp((t->scores[tail] - score) / excess);
}

struct segment segment_find(struct rank_tables *tables, const double *values,
                            size_t n)
{
    int64_t *ranks = mem_new(n, sizeof(*ranks));
    int64_t *sums = mem_new(n + 1, sizeof(*sums));
    struct segment best;

    set_ranks(ranks, values, n);
    best = best_segment(ranks, sums, n);
    if (best.score > 0)
        best.p = rank_tables_tail(tables, n, best.score);
    free(ranks);
    free(sums);
    return best;
}

double squares_about_mean(const double *values, size_t n)
{
    double mean = 0, squares = 0;

    for (size_t i = 0; i < n; i++)
        mean += values[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    return squares;
}

static double squares_about_step(const double *values, size_t n, size_t at)
{
    return squares_about_mean(values, at) +
           squares_about_mean(values + at, n - at);
}

/* A place changes by leaps: the drop of 1.92 of a smooth parameter's 95 %
 * interval holds the place of a step of 1.5 standard deviations in 85 of 100
 * series, 3 holds it in 94. */
static const double likelihood_drop = 3;

struct step_range step_range(const double *values, size_t n, size_t at)
{
    struct step_range range = {at, at};
    double least = squares_about_step(values, n, at), most;

    for (size_t i = 1; i < n; i++)
        least = fmin(least, squares_about_step(values, n, i));
    most = least * exp(2 * likelihood_drop / (double)n);
    for (size_t i = 1; i < n; i++) {
        if (squares_about_step(values, n, i) > most)
            continue;
        range.first = i < range.first ? i : range.first;
        range.last = i > range.last ? i : range.last;
    }
    return range;
}

/* Spearman's rank correlation with the place, in standard errors. */
static double rank_correlation(const double *values, size_t n)
{
    int64_t *ranks = mem_new(n, sizeof(*ranks));
    double size = (double)n, sum = 0;

    set_ranks(ranks, values, n);
    for (size_t i = 0; i < n; i++)
        sum += (double)ranks[i] * (double)(2 * (int64_t)i + 1 - (int64_t)n);
    free(ranks);
    return sum / (size * (size * size - 1) / 3) * sqrt(size - 1);
}

struct trend trend_of(const double *values, size_t n)
{
    double middle = ((double)n - 1) / 2, mean = 0, product = 0, places = 0;
    struct trend t = {0, 0, 0, fabs(rank_correlation(values, n)) > 1.96};

    for (size_t i = 0; i < n; i++)
        mean += values[i] / (double)n;
    for (size_t i = 0; i < n; i++) {
        product += ((double)i - middle) * values[i];
        places += ((double)i - middle) * ((double)i - middle);
    }
    t.slope = product / places;
    t.start = mean - t.slope * middle;
    for (size_t i = 0; i < n; i++) {
        double off = values[i] - t.start - t.slope * (double)i;

        t.squares += off * off;
    }
    return t;
}
