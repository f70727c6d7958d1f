/*
 * bench-diff: how often diff sees a change where there is none.
 *
 *     bench-diff [TRACE...]
 *     bench-diff --pairs TRACE...
 *
 * 200 pairs without a change: recordings of one program, and random halves of
 * a recording (of each TRACE, if named). Any verdict "slower" or "faster" is
 * false, so the share of pairs that have one must be at most q, but for
 * chance. All seeds are fixed.
 *
 * --pairs takes recordings of one program, at most 16: every pair of them,
 * then, of an even number, every way to make them the runs of two sides.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/recording.h"
#include "tests/support/compare_two.h"
#include "tests/support/drawn_profile.h"

enum { PAIRS = 200, FUNCTIONS = 120 };
enum { HEAVIEST = 50000 /* microseconds of a sample with weights */ };

struct score {
    unsigned pairs, false_pairs; /* pairs with a false verdict */
    unsigned tested, false_rows;
    unsigned held, rows; /* intervals that hold 0 */
    double common;
};

static void add_null(struct score *s, const struct diff *d)
{
    unsigned wrong = 0;

    for (size_t i = 0; i < d->len; i++) {
        const struct diff_row *row = &d->rows[i];

        wrong += diff_is_real(row);
        if (d->sides[0].weights.worth[row->unit] +
                d->sides[1].weights.worth[row->unit] <
            10)
            continue;
        s->rows++;
        s->held += row->low <= 0 && row->high >= 0;
    }
    s->pairs++;
    s->false_pairs += wrong > 0;
    s->false_rows += wrong;
    s->tested += (unsigned)d->tested;
    s->common += d->sides[0].common;
}

static void print_null(const char *name, const struct score *s)
{
    printf("%-44s %3u of %u  %5.3f %%  %6.2f %%  %6.2f\n", name,
           s->false_pairs, s->pairs, 100.0 * s->false_rows / s->tested,
           100.0 * s->held / s->rows, s->common / s->pairs);
    fflush(stdout);
}

static void null_recordings(double burst, unsigned samples, bool inclusive,
                            uint32_t heaviest)
{
    struct program program = program_new(FUNCTIONS, burst);
    struct diff_options options = DIFF_DEFAULTS;
    struct score s = {0};
    char name[80];

    options.inclusive = inclusive;
    program.heaviest = heaviest;
    for (uint32_t i = 0; i < PAIRS; i++) {
        struct profile *a = program_record(&program, samples, 2 * i);
        struct profile *b = program_record(&program, samples, 2 * i + 1);
        struct comparison *c = compare_two(a, b, &options);

        add_null(&s, c->diff);
        comparison_free(c);
        profile_free(a);
        profile_free(b);
    }
    snprintf(name, sizeof(name), "recordings, %u samples, bursts of %g%s%s",
             samples, burst, inclusive ? ", incl." : "",
             heaviest ? ", weights" : "");
    print_null(name, &s);
}

/* From start to start every function's share differs by some percent. */
static struct profile *one_start(double percent, uint64_t *state,
                                 uint32_t seed)
{
    struct program program = program_new(FUNCTIONS, 1);

    for (unsigned i = 0; i < FUNCTIONS; i++) {
        double sum = -6;

        for (int j = 0; j < 12; j++)
            sum += drawn_uniform(state);
        program.weight[i] *= exp(sum * percent / 100);
    }
    return program_record(&program, 10000, seed);
}

static void null_runs(uint32_t runs, double percent)
{
    uint64_t state = drawn_state(99);
    struct score s = {0};
    char name[80];

    for (uint32_t i = 0; i < PAIRS; i++) {
        struct profile *p[COMPARED_MOST];
        const struct profile *const *sides = (const struct profile *const *)p;
        struct comparison *c;

        for (uint32_t j = 0; j < 2 * runs; j++)
            p[j] = one_start(percent, &state, i * COMPARED_MOST + j);
        c = compare_runs(sides, runs, sides + runs, runs, NULL);
        add_null(&s, c->diff);
        comparison_free(c);
        for (uint32_t j = 0; j < 2 * runs; j++)
            profile_free(p[j]);
    }
    snprintf(name, sizeof(name), "%u runs a side, shares vary by %g %%", runs,
             percent);
    print_null(name, &s);
}

static void null_halves(const struct profile *p, const char *name)
{
    struct score s = {0};

    for (uint32_t i = 0; i < PAIRS; i++) {
        struct profile *a = half_new(p, i, false), *b = half_new(p, i, true);
        struct comparison *c = compare_two(a, b, NULL);

        add_null(&s, c->diff);
        comparison_free(c);
        half_free(a);
        half_free(b);
    }
    print_null(name, &s);
}

static struct profile *open_trace(const char *path)
{
    struct read_options options = {0};
    struct err err = {0};
    struct profile *p =
        recording_take(recording_open(&path, 1, &options, &err));

    if (!p) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    profile_finish(p);
    return p;
}

static void print_head(const char *what)
{
    printf("%-44s %10s  %7s  %8s  %6s\n", what, "false", "rows", "held",
           "disp.");
}

static void run_null(int count, char **paths)
{
    struct program program = program_new(FUNCTIONS, 10);
    struct profile *p = program_record(&program, 40000, 7);

    print_head("no change, 200 pairs");
    null_recordings(1, 20000, false, 0);
    null_recordings(10, 20000, false, 0);
    null_recordings(10, 5000, false, 0);
    null_recordings(50, 20000, false, 0);
    null_recordings(10, 20000, true, 0);
    null_recordings(1, 20000, false, HEAVIEST);
    null_recordings(10, 20000, false, HEAVIEST);
    null_recordings(1, 20000, true, HEAVIEST);
    null_runs(2, 10);
    null_runs(3, 10);
    null_runs(5, 20);
    null_runs(3, 0);
    null_halves(p, "random halves of a recording");
    profile_free(p);
    for (int i = 0; i < count; i++) {
        const char *slash = strrchr(paths[i], '/');

        p = open_trace(paths[i]);
        null_halves(p, slash ? slash + 1 : paths[i]);
        profile_free(p);
    }
}

static void single_pairs(const struct profile *const *p, size_t n)
{
    struct score s = {0};

    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++) {
            struct comparison *c = compare_two(p[i], p[j], NULL);

            add_null(&s, c->diff);
            comparison_free(c);
        }
    }
    print_null("one recording a side", &s);
}

/* Bit i of `after`: recording i is a run of AFTER. The last always is: the
 * other half of the ways are mirrors of these. */
static void split_runs(const struct profile *const *p, size_t n)
{
    struct score s = {0};
    char name[80];

    for (uint32_t after = 1u << (n - 1); after < 1u << n; after++) {
        const struct profile *sides[2][COMPARED_MOST];
        size_t runs[2] = {0, 0};
        struct comparison *c;

        if ((size_t)__builtin_popcount(after) != n / 2)
            continue;
        for (size_t i = 0; i < n; i++)
            sides[after >> i & 1][runs[after >> i & 1]++] = p[i];
        c = compare_runs(sides[0], n / 2, sides[1], n / 2, NULL);
        add_null(&s, c->diff);
        comparison_free(c);
    }
    snprintf(name, sizeof(name), "%zu recordings a side", n / 2);
    print_null(name, &s);
}

static int run_pairs(size_t n, char **paths)
{
    struct profile *p[COMPARED_MOST];

    if (n < 2 || n > COMPARED_MOST) {
        fprintf(stderr, "--pairs takes 2 to %d recordings\n", COMPARED_MOST);
        return 1;
    }
    for (size_t i = 0; i < n; i++)
        p[i] = open_trace(paths[i]);
    print_head("no change, recordings of one program");
    single_pairs((const struct profile *const *)p, n);
    if (n > 2 && n % 2 == 0)
        split_runs((const struct profile *const *)p, n);
    for (size_t i = 0; i < n; i++)
        profile_free(p[i]);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--pairs"))
        return run_pairs((size_t)argc - 2, argv + 2);
    run_null(argc - 1, argv + 1);
    return 0;
}
