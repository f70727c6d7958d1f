#include "engine/diff/change_points.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"

/* Sums of distances: within the first part, within the second, between. */
struct distances {
    double first, second, between;
};

static double distance_to(const double *values, size_t n, double from)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += fabs(values[i] - from);
    return sum;
}

static double mean_within(double sum, double n)
{
    return n > 1 ? sum / (n * (n - 1) / 2) : 0;
}

static double energy(const struct distances *d, size_t first, size_t second)
{
    double m = (double)first, n = (double)second;
    double apart = 2 * d->between / (m * n) - mean_within(d->first, m) -
                   mean_within(d->second, n);

    return m * n / (m + n) * apart;
}

/* Values move from the second part to the first one by one. */
struct split split_best(const double *values, size_t n)
{
    struct distances d = {0, 0, 0};
    struct split best = {0, 0};

    for (size_t i = 0; i < n; i++)
        d.second += distance_to(values, i, values[i]);
    for (size_t at = 1; at + SPLIT_LEAST <= n; at++) {
        double moved = values[at - 1];
        double first = distance_to(values, at - 1, moved);
        double second = distance_to(values + at, n - at, moved);
        double e;

        d.first += first;
        d.second -= second;
        d.between += second - first;
        if (at < SPLIT_LEAST)
            continue;
        e = energy(&d, at, n - at);
        if (!best.at || e > best.energy)
            best = (struct split){at, e};
    }
    return best;
}

/* xorshift64* */
static uint64_t draw(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545F4914F6CDD1D);
}

static void shuffle(double *values, size_t n, uint64_t *state)
{
    for (size_t i = n; i > 1; i--) {
        size_t at = (size_t)((draw(state) >> 32) * i >> 32);
        double other = values[at];

        values[at] = values[i - 1];
        values[i - 1] = other;
    }
}

double split_significance(const double *values, size_t n,
                          const struct split *split, unsigned shuffles)
{
    uint64_t state = UINT64_C(0x9E3779B97F4A7C15);
    double *shuffled;
    unsigned as_good = 0, tried = 0;

    if (!split->at || !(split->energy > 0))
        return 1;
    shuffled = mem_new(n, sizeof(*shuffled));
    memcpy(shuffled, values, n * sizeof(*shuffled));
    while (tried < shuffles && as_good <= shuffles / 10) {
        shuffle(shuffled, n, &state);
        tried++;
        as_good +=
            split_best(shuffled, n).energy >= split->energy * (1 - 1e-12);
    }
    free(shuffled);
    return (as_good + 1.0) / (tried + 1.0);
}
