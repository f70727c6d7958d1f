/*
 * bench-diff: whether diff keeps what it promises, measured.
 *
 *     bench-diff [TRACE...]
 *
 * Null test: 200 pairs without a change, of recordings of one program and of
 * random halves of a recording (of each TRACE, if named). With no change any
 * verdict "slower" or "faster" is false, so the share of pairs that have one
 * must be at most q, but for chance. Power test: pairs in which one function
 * in eight changes by 2, 5 or 20 %; recall and precision of the verdicts, and
 * how often the intervals hold the true change. All seeds are fixed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/diff.h"
#include "engine/trace.h"
#include "tests/support/drawn_profile.h"

enum { PAIRS = 200, POWER_PAIRS = 40, FUNCTIONS = 120, RUNS_MOST = 8 };
enum { HEAVIEST = 50000 /* microseconds of a sample with weights */ };

static struct diff *compare(const struct profile *a, const struct profile *b,
                            struct diff_input inputs[2], bool inclusive)
{
    struct diff_options options = DIFF_DEFAULTS;

    options.inclusive = inclusive;
    inputs[0] = (struct diff_input){a, selection_new(a, NULL), false};
    inputs[1] = (struct diff_input){b, selection_new(b, NULL), true};
    return diff_new(inputs, 2, &options);
}

static void release(struct diff *d, struct diff_input inputs[2])
{
    diff_free(d);
    selection_free((struct selection *)inputs[0].sel);
    selection_free((struct selection *)inputs[1].sel);
}

struct score {
    unsigned pairs, false_pairs; /* pairs with a false verdict */
    unsigned tested, false_rows;
    unsigned held, rows; /* intervals that hold the true change */
    unsigned found, changed, called;
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
    struct score s = {0};
    char name[80];

    program.heaviest = heaviest;
    for (uint32_t i = 0; i < PAIRS; i++) {
        struct profile *a = program_record(&program, samples, 2 * i);
        struct profile *b = program_record(&program, samples, 2 * i + 1);
        struct diff_input inputs[2];
        struct diff *d = compare(a, b, inputs, inclusive);

        add_null(&s, d);
        release(d, inputs);
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

static void null_runs(unsigned runs, double percent)
{
    struct diff_options options = DIFF_DEFAULTS;
    uint64_t state = drawn_state(99);
    struct score s = {0};
    char name[80];

    for (uint32_t i = 0; i < PAIRS; i++) {
        struct diff_input inputs[2 * RUNS_MOST];
        struct diff *d;

        for (uint32_t j = 0; j < 2 * runs; j++) {
            struct profile *p =
                one_start(percent, &state, i * 2 * RUNS_MOST + j);

            inputs[j] = (struct diff_input){p, selection_new(p, NULL),
                                            j >= runs};
        }
        d = diff_new(inputs, 2 * runs, &options);
        add_null(&s, d);
        diff_free(d);
        for (uint32_t j = 0; j < 2 * runs; j++) {
            selection_free((struct selection *)inputs[j].sel);
            profile_free((struct profile *)inputs[j].p);
        }
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
        struct diff_input inputs[2];
        struct diff *d = compare(a, b, inputs, false);

        add_null(&s, d);
        release(d, inputs);
        half_free(a);
        half_free(b);
    }
    print_null(name, &s);
}

/* Every eighth function from the third on changes; the largest makes up for
 * it, so that no other share does. */
static double inject(struct program *program, double percent,
                     double *truth)
{
    struct program before = *program;
    double moved = 0;

    for (unsigned i = 3; i < FUNCTIONS / 2; i += 8) {
        double more = program->weight[i] * percent / 100;

        program->weight[i] += more;
        moved += more;
    }
    program->weight[0] -= moved;
    for (unsigned i = 0; i < FUNCTIONS; i++)
        truth[i] = program_share(program, i) - program_share(&before, i);
    return moved;
}

static void add_power(struct score *s, const struct diff *d,
                      const double *truth)
{
    for (size_t i = 0; i < d->len; i++) {
        const struct diff_row *row = &d->rows[i];
        unsigned n = FUNCTIONS;
        double change;

        if (sscanf(row->name, "work%u", &n) != 1)
            continue;
        change = fabs(truth[n]) < 1e-9 ? 0 : truth[n];
        s->rows++;
        s->held += row->low <= change && row->high >= change;
        s->changed += change != 0;
        s->called += diff_is_real(row);
        s->found += diff_is_real(row) && row->change * change > 0;
    }
}

static void power(double percent, double burst, unsigned samples)
{
    struct score s = {0};

    for (uint32_t i = 0; i < POWER_PAIRS; i++) {
        struct program program = program_new(FUNCTIONS, burst);
        struct profile *a = program_record(&program, samples, 1000 + 2 * i);
        double truth[FUNCTIONS];
        struct diff_input inputs[2];
        struct profile *b;
        struct diff *d;

        inject(&program, percent, truth);
        b = program_record(&program, samples, 1001 + 2 * i);
        d = compare(a, b, inputs, false);
        add_power(&s, d, truth);
        release(d, inputs);
        profile_free(a);
        profile_free(b);
    }
    printf("%4g %%  %9u  %5g   %6.1f %%  %8.1f %%  %8.2f %%\n", percent,
           samples, burst, 100.0 * s.found / s.changed,
           s.called ? 100.0 * s.found / s.called : 100.0,
           100.0 * s.held / s.rows);
    fflush(stdout);
}

static void run_null(int count, char **paths)
{
    struct program program = program_new(FUNCTIONS, 10);
    struct profile *p = program_record(&program, 40000, 7);

    printf("%-44s %10s  %7s  %8s  %6s\n", "no change, 200 pairs",
           "false", "rows", "held", "disp.");
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
        struct trace_options options = {0};
        const char *path = paths[i], *slash = strrchr(path, '/');
        struct err err = {0};

        p = trace_open(&path, 1, &options, &err);
        if (!p) {
            printf("%s\n", err.message);
            continue;
        }
        profile_finish(p);
        null_halves(p, slash ? slash + 1 : path);
        profile_free(p);
    }
}

int main(int argc, char **argv)
{
    static const double changes[] = {2, 5, 20};

    run_null(argc - 1, argv + 1);
    printf("\nchange    samples  burst   recall  precision      held\n");
    for (size_t i = 0; i < 3; i++) {
        power(changes[i], 1, 20000);
        power(changes[i], 1, 200000);
        power(changes[i], 10, 200000);
    }
    return 0;
}
