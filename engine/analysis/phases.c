#include "engine/analysis/phases.h"

#include <math.h>
#include <stdlib.h>

#include "engine/analysis/over_time.h"

enum { BUCKETS = 128, LEAST_BUCKETS = BUCKETS / 32, LEAST_SAMPLES = 30 };
enum { FUNCTIONS = 24 }; /* by samples; the rest is one more */

static const double LEAST_DIFFERENCE = 0.1;

/* Samples before each moment, by function: those of [a, b) are one
 * difference. */
struct mix {
    uint64_t before[BUCKETS + 1][FUNCTIONS + 1];
    size_t functions;
    double scatter; /* by what factor neighbours differ more than chance */
};

struct part {
    size_t from, to;
};

static uint64_t count_of(const struct mix *m, size_t f, size_t from, size_t to)
{
    return m->before[to][f] - m->before[from][f];
}

static uint64_t total_of(const struct mix *m, size_t from, size_t to)
{
    uint64_t sum = 0;

    for (size_t f = 0; f < m->functions; f++)
        sum += count_of(m, f, from, to);
    return sum;
}

static double entropy(double n, double total)
{
    return n > 0 ? n * log(n / total) : 0;
}

/* Twice the logarithm of how much likelier two mixes are than one. */
static double ratio(const struct mix *m, size_t from, size_t at, size_t to)
{
    double a = (double)total_of(m, from, at), b = (double)total_of(m, at, to);
    double sum = 0;

    if (a <= 0 || b <= 0)
        return 0;
    for (size_t f = 0; f < m->functions; f++) {
        double x = (double)count_of(m, f, from, at);
        double y = (double)count_of(m, f, at, to);

        sum += entropy(x, a) + entropy(y, b) - entropy(x + y, a + b);
    }
    return 2 * sum;
}

/* Part of the samples that would have to be another function's. */
static double difference(const struct mix *m, size_t from, size_t at, size_t to)
{
    double a = (double)total_of(m, from, at), b = (double)total_of(m, at, to);
    double sum = 0;

    for (size_t f = 0; f < m->functions; f++)
        sum += fabs((double)count_of(m, f, from, at) / a -
                    (double)count_of(m, f, at, to) / b);
    return sum / 2;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* By how much two neighbours of this width differ, in the middle of all: of
 * independent samples about 1. A few changes for good do not move it. */
static double scatter_of(const struct mix *m, size_t width)
{
    double all[BUCKETS];
    size_t n = 0;

    for (size_t at = width; at + width <= BUCKETS; at += width) {
        size_t there = 0;

        for (size_t f = 0; f < m->functions; f++)
            there += count_of(m, f, at - width, at + width) > 0;
        if (there > 1)
            all[n++] =
                ratio(m, at - width, at, at + width) / (double)(there - 1);
    }
    if (!n)
        return 1;
    qsort(all, n, sizeof(*all), ascending);
    return all[n / 2];
}

/* Of short moments and of longer ones: functions run in bursts. */
static double find_scatter(const struct mix *m)
{
    double most = 1;

    for (size_t width = 1; width <= BUCKETS / 16; width *= 2) {
        double scatter = scatter_of(m, width);

        if (scatter > most)
            most = scatter;
    }
    return most;
}

/* ---- cuts ---- */

/* What chance rarely reaches anywhere in a trace: the mean of such a ratio,
 * and four and a half times how it varies. */
static bool is_cut(const struct mix *m, size_t from, size_t at, size_t to)
{
    double freedom = (double)m->functions;
    double chance = freedom + 4.5 * sqrt(2 * freedom) + 8;

    return total_of(m, from, at) >= LEAST_SAMPLES &&
           total_of(m, at, to) >= LEAST_SAMPLES &&
           ratio(m, from, at, to) > chance * m->scatter &&
           difference(m, from, at, to) >= LEAST_DIFFERENCE;
}

/* Where a part is best cut; 0: nowhere. */
static size_t best_cut(const struct mix *m, const struct part *part,
                       double *gain)
{
    size_t best = 0;

    *gain = 0;
    for (size_t at = part->from + LEAST_BUCKETS; at + LEAST_BUCKETS <= part->to;
         at++) {
        double g = ratio(m, part->from, at, part->to);

        if (g > *gain) {
            *gain = g;
            best = at;
        }
    }
    return best && is_cut(m, part->from, best, part->to) ? best : 0;
}

/* Cuts the part where that gains most. False: there is none. */
static bool cut_once(const struct mix *m, struct part *parts, size_t *n)
{
    size_t which = 0, where = 0;
    double most = 0;

    for (size_t i = 0; i < *n; i++) {
        double gain;
        size_t at = best_cut(m, &parts[i], &gain);

        if (at && gain > most) {
            most = gain;
            which = i;
            where = at;
        }
    }
    if (!where)
        return false;
    for (size_t i = (*n)++; i > which; i--)
        parts[i] = parts[i - 1];
    parts[which].to = where;
    parts[which + 1].from = where;
    return true;
}

/* ---- both ends ---- */

static void fill(struct mix *m, const struct over_time *t, size_t rows)
{
    m->functions = rows + 1;
    for (size_t i = 0; i < BUCKETS; i++) {
        uint64_t rest = t->all[i];

        for (size_t f = 0; f < rows; f++) {
            uint64_t n = t->exclusive[f * BUCKETS + i];

            m->before[i + 1][f] = m->before[i][f] + n;
            rest -= n;
        }
        m->before[i + 1][rows] = m->before[i][rows] + rest;
    }
    m->scatter = find_scatter(m);
}

static struct phase describe(const struct mix *m, const struct over_time *t,
                             const struct part *part, const struct ranking *r)
{
    struct phase phase = {.function = NO_ID};

    phase.from = part->from ? over_time_start(t, part->from) : TIME_MIN;
    phase.to = part->to < BUCKETS ? over_time_start(t, part->to) : TIME_MAX;
    phase.samples = total_of(m, part->from, part->to);
    for (size_t f = 0; f + 1 < m->functions; f++) {
        uint64_t n = count_of(m, f, part->from, part->to);

        if (n <= phase.taken)
            continue;
        phase.taken = n;
        phase.function = r->rows[f].id;
    }
    return phase;
}

void phases_find(struct phases *phases, const struct profile *p,
                 const struct selection *sel)
{
    struct ranking *r =
        ranking_top(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE, FUNCTIONS);
    size_t rows = r->len < FUNCTIONS ? r->len : FUNCTIONS, n = 1;
    struct part parts[PHASES_MOST] = {{0, BUCKETS}};
    struct over_time t = {.buckets = BUCKETS, .exclusive_only = true};
    struct mix *m = mem_new(1, sizeof(*m));

    over_time_count(&t, p, sel, r, RANK_FUNCTION, rows);
    fill(m, &t, rows);
    while (n < PHASES_MOST && cut_once(m, parts, &n))
        ;
    for (size_t i = 0; i < n; i++)
        *vec_add(&phases->parts) = describe(m, &t, &parts[i], r);
    over_time_release(&t);
    ranking_free(r);
    free(m);
}

void phases_release(struct phases *phases)
{
    vec_release(&phases->parts);
}
