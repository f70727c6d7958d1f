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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/compare_two.h"
#include "tests/support/drawn_starts.h"
#include "tests/support/opened.h"

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

/* Of one program, twice. */
static void null_of(const char *name, const struct program *program,
                    unsigned samples, const struct diff_options *options)
{
    struct score s = {0};

    for (uint32_t i = 0; i < PAIRS; i++) {
        struct profile *a = program_record(program, samples, 2 * i);
        struct profile *b = program_record(program, samples, 2 * i + 1);
        struct comparison *c = compare_two(a, b, options);

        add_null(&s, c->diff);
        comparison_free(c);
        profile_free(a);
        profile_free(b);
    }
    print_null(name, &s);
}

static void null_recordings(double burst, unsigned samples, bool inclusive,
                            uint32_t heaviest)
{
    struct program program = program_new(FUNCTIONS, burst);
    struct diff_options options = DIFF_DEFAULTS;
    char name[80];

    options.inclusive = inclusive;
    program.heaviest = heaviest;
    snprintf(name, sizeof(name), "recordings, %u samples, bursts of %g%s%s",
             samples, burst, inclusive ? ", incl." : "",
             heaviest ? ", weights" : "");
    null_of(name, &program, samples, &options);
}

/* Recordings of both sides, by their samples; 0 ends them. */
struct sides {
    unsigned before[COMPARED_MOST], after[COMPARED_MOST];
};

static size_t record_side(struct starts *starts, const unsigned *samples,
                          uint32_t *seed, struct profile **runs)
{
    size_t n = 0;

    for (; samples[n]; n++)
        runs[n] = starts_record(starts, samples[n], (*seed)++);
    return n;
}

static void add_runs(struct score *s, struct starts *starts,
                     const struct sides *sides, uint32_t seed)
{
    struct profile *p[COMPARED_MOST];
    const struct profile *const *runs = (const struct profile *const *)p;
    size_t before = record_side(starts, sides->before, &seed, p);
    size_t after = record_side(starts, sides->after, &seed, p + before);
    struct comparison *c =
        compare_runs(runs, before, runs + before, after, NULL);

    add_null(s, c->diff);
    comparison_free(c);
    for (size_t i = 0; i < before + after; i++)
        profile_free(p[i]);
}

static void null_sides(const char *name, const struct sides *sides,
                       double percent, unsigned every)
{
    struct starts starts = starts_new(FUNCTIONS, percent, 99);
    struct score s = {0};

    starts.every = every;
    for (uint32_t i = 0; i < PAIRS; i++)
        add_runs(&s, &starts, sides, i * COMPARED_MOST);
    print_null(name, &s);
}

static void null_runs(uint32_t runs, double percent)
{
    struct sides sides = {{0}, {0}};
    char name[80];

    for (uint32_t i = 0; i < runs; i++)
        sides.before[i] = sides.after[i] = 10000;
    snprintf(name, sizeof(name), "%u runs a side, shares vary by %g %%", runs,
             percent);
    null_sides(name, &sides, percent, 1);
}

/* What is rare comes once, in one burst, on either side. */
static void null_once(unsigned functions, unsigned samples)
{
    struct program program = program_new(FUNCTIONS + functions, 1);
    uint64_t state = drawn_state(5);
    struct score s = {0};
    char name[80];

    for (uint32_t i = 0; i < PAIRS; i++) {
        struct program sides[2];
        struct profile *p[2];
        struct comparison *c;

        for (unsigned j = 0; j < functions; j++)
            program.weight[FUNCTIONS + j] = 0;
        sides[0] = sides[1] = program;
        for (unsigned j = 0; j < functions; j++)
            sides[drawn_uniform(&state) < 0.5].once[FUNCTIONS + j] = samples;
        for (uint32_t j = 0; j < 2; j++)
            p[j] = program_record(&sides[j], 20000, 2 * i + j);
        c = compare_two(p[0], p[1], NULL);
        add_null(&s, c->diff);
        comparison_free(c);
        profile_free(p[0]);
        profile_free(p[1]);
    }
    snprintf(name, sizeof(name), "%u functions with one burst of %u samples",
             functions, samples);
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

static const struct read_options all;

static void print_head(const char *what)
{
    printf("%-44s %10s  %7s  %8s  %6s\n", what, "false", "rows", "held",
           "disp.");
}

/* Real recordings are not of equal length, and not all noise is even. */
static void null_real(void)
{
    static const struct sides two = {{18000, 2000}, {18000, 2000}};
    static const struct sides three = {{22000, 6000, 2000},
                                       {22000, 6000, 2000}};
    static const struct sides even = {{10000, 10000, 10000},
                                      {10000, 10000, 10000}};
    static const struct sides history = {
        {10000, 10000, 10000, 10000, 10000, 10000, 10000, 10000, 10000, 10000},
        {10000}};
    struct program uneven = program_new(FUNCTIONS, 100);

    null_sides("18,000 and 2,000 samples, shares vary by 20 %", &two, 20, 1);
    null_sides("22,000, 6,000 and 2,000, by 20 %", &three, 20, 1);
    null_sides("3 runs a side, one function in ten by 50 %", &even, 50, 10);
    null_sides("10 runs against 1, shares vary by 10 %", &history, 10, 1);
    null_once(20, 15);
    null_recordings(100, 20000, false, 0);
    uneven.steady = true;
    null_of("every other function in bursts of 100", &uneven, 20000, NULL);
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
    null_real();
    null_halves(p, "random halves of a recording");
    profile_free(p);
    for (int i = 0; i < count; i++) {
        const char *slash = strrchr(paths[i], '/');

        p = opened_profile(paths[i], &all);
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
        p[i] = opened_profile(paths[i], &all);
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
