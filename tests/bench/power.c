/*
 * bench-power: what changes diff finds, and whether it names them right.
 *
 * First one function takes twice the time, of which no other is guilty; and a
 * gate that has nothing to complain about. Then:
 *
 * Pairs of recordings in which one function in eight changes: becomes slower
 * by 2, 5 or 20 % of itself; or by 20 % and has another name, module or place
 * besides; or is new or gone. Recall: of the changed functions those that the
 * verdict says so of; precision: of the functions with a verdict those that
 * changed. Paired: of those that are on both sides, in one row. All seeds are
 * fixed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/diff/gate.h"
#include "tests/support/compare_two.h"
#include "tests/support/drawn_starts.h"

enum { PAIRS = 40, NULL_PAIRS = 200, FUNCTIONS = 120, NAME_SIZE = 96 };

static const char plain[] = "app.exe!main;app.exe!group%u;app.exe!work%u";

/* The change of a function, by the stack it is on; three spellings take
 * turns. */
struct change {
    const char *name;
    double percent; /* of itself; HUGE_VAL: it is new, -100: gone */
    const char *before[3], *after[3];
};

static const struct change changes[] = {
    {"2 %", 2, {0}, {0}},
    {"5 %", 5, {0}, {0}},
    {"20 %", 20, {0}, {0}},
    {"20 %, renamed",
     20,
     {plain, "app.exe!main;app.exe!group%u;app.exe!work%u`1[int].add",
      "app.exe!main;app.exe!group%u;app.exe!work%u.func1"},
     {"app.exe!main;app.exe!group%u;app.exe!work%u.isra.0",
      "app.exe!main;app.exe!group%u;app.exe!work%u`1[long].add",
      "app.exe!main;app.exe!group%u;app.exe!work%u.func2"}},
    {"20 %, moved",
     20,
     {plain, plain, plain},
     {"app.exe!main;app.exe!group%u;lib.dll!work%u",
      "app.exe!main;app.exe!group%u;lib.dll!work%u",
      "app.exe!main;lib.dll!facade%u;lib.dll!work%u"}},
    {"20 %, inlined", 20, {plain, plain, plain}, {0}},
    {"new", HUGE_VAL, {0}, {0}},
    {"gone", -100, {0}, {0}},
};

struct stacks {
    char text[FUNCTIONS][NAME_SIZE];
};

struct score {
    unsigned rows, held; /* intervals that hold the true change */
    unsigned changed, called, found, paired;
};

static bool is_changed(unsigned i)
{
    return i < FUNCTIONS / 2 && i % 8 == 3;
}

static void name_stack(char *text, const struct change *change, bool after,
                       unsigned i)
{
    const char *const *forms = after ? change->after : change->before;
    const char *form = is_changed(i) ? forms[i / 8 % 3] : NULL;
    bool inlined = after && !form && change->before[0] && is_changed(i);

    if (inlined)
        snprintf(text, NAME_SIZE, "app.exe!main;app.exe!work%u<"
                 "app.exe!group%u", i, i % 7);
    else
        snprintf(text, NAME_SIZE, form ? form : plain, i % 7, i);
}

static void name_stacks(struct program *program, struct stacks *stacks,
                        const struct change *change, bool after)
{
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        name_stack(stacks->text[i], change, after, i);
        program->names[i] = stacks->text[i];
    }
}

/* The largest makes up for what the changed ones take or leave, so that no
 * other share changes. */
static void change_weights(struct program *before, struct program *after,
                           double percent)
{
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        double more;

        if (!is_changed(i))
            continue;
        if (percent > 100) {
            before->weight[0] += before->weight[i];
            before->weight[i] = 0;
            continue;
        }
        more = after->weight[i] * percent / 100;
        after->weight[i] += more;
        after->weight[0] -= more;
    }
}

/* The function that makes up for the others becomes slower or faster. */
static bool says_so(const struct diff_row *row, unsigned function,
                    double truth, double percent)
{
    if (!is_changed(function))
        percent = 0;
    if (percent > 100)
        return row->verdict == DIFF_NEW;
    if (percent <= -100)
        return row->verdict == DIFF_GONE;
    return diff_is_real(row) && row->change * truth > 0;
}

static void add_rows(struct score *s, const struct diff *d,
                     const double *truth, double percent)
{
    for (size_t i = 0; i < d->len; i++) {
        const struct diff_row *row = &d->rows[i];
        unsigned n = FUNCTIONS;

        if (sscanf(row->name, "work%u", &n) != 1)
            continue;
        s->rows++;
        s->held += row->low <= truth[n] && row->high >= truth[n];
        s->called += diff_is_real(row);
        s->found += truth[n] != 0 && says_so(row, n, truth[n], percent);
        s->paired += is_changed(n) && row->samples[0] && row->samples[1];
    }
}

static void add_pair(struct score *s, const struct change *change,
                     double burst, unsigned samples, uint32_t seed)
{
    struct program before = program_new(FUNCTIONS, burst), after = before;
    struct stacks *stacks = calloc(2, sizeof(*stacks));
    double truth[FUNCTIONS];
    struct profile *a, *b;
    struct comparison *c;

    if (!stacks)
        abort();
    change_weights(&before, &after, change->percent);
    name_stacks(&before, &stacks[0], change, false);
    name_stacks(&after, &stacks[1], change, true);
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        truth[i] = program_share(&after, i) - program_share(&before, i);
        if (fabs(truth[i]) < 1e-9)
            truth[i] = 0;
        s->changed += truth[i] != 0;
    }
    a = program_record(&before, samples, seed);
    b = program_record(&after, samples, seed + 1);
    c = compare_two(a, b, NULL);
    add_rows(s, c->diff, truth, change->percent);
    comparison_free(c);
    profile_free(a);
    profile_free(b);
    free(stacks);
}

static void print_share(unsigned n, unsigned of)
{
    if (of)
        printf("  %8.1f %%", 100.0 * n / of);
    else
        printf("  %10s", "-");
}

static void power(const struct change *change, double burst, unsigned samples)
{
    struct score s = {0};
    unsigned both = 0;

    for (uint32_t i = 0; i < PAIRS; i++)
        add_pair(&s, change, burst, samples, 1000 + 2 * i);
    if (fabs(change->percent) < 100)
        for (unsigned i = 0; i < FUNCTIONS; i++)
            both += PAIRS * is_changed(i);
    printf("%-14s %8u  %5g", change->name, samples, burst);
    print_share(s.paired, both);
    print_share(s.found, s.changed);
    print_share(s.found, s.called);
    print_share(s.held, s.rows);
    putchar('\n');
    fflush(stdout);
}

/* One function takes twice the time. Innocent rows have a verdict that is
 * not about it. */
static void doubled(const char *what, struct program before, unsigned which)
{
    struct program after = before;
    unsigned found = 0, innocent = 0;
    double ratio = 0;
    char name[80];

    snprintf(name, sizeof(name), "work%u", which);
    after.weight[which] *= 2;
    for (uint32_t i = 0; i < NULL_PAIRS; i++) {
        struct profile *a = program_record(&before, 20000, 2 * i);
        struct profile *b = program_record(&after, 20000, 2 * i + 1);
        struct comparison *c = compare_two(a, b, NULL);
        const struct diff_row *row = comparison_row(c, name);
        bool is_found = diff_is_real(row) && row->change > 0;

        found += is_found;
        ratio += row->value[1] / row->value[0] / NULL_PAIRS;
        for (size_t j = 0; j < c->diff->len; j++)
            innocent += diff_is_real(&c->diff->rows[j]);
        innocent -= is_found;
        comparison_free(c);
        profile_free(a);
        profile_free(b);
    }
    printf("%-44s %5.1f %%  %5.3f    %6.2f\n", what, 100.0 * found / NULL_PAIRS,
           ratio, (double)innocent / NULL_PAIRS);
    fflush(stdout);
}

/* Nothing changed, no function may become slower by 10 %: how often a gate
 * can say so. */
static void gate_passes(double percent, uint32_t samples)
{
    struct starts starts = starts_new(30, percent, 17);
    struct gate_rules rules = {.has_max = true, .max = 10};
    struct diff_options options = DIFF_DEFAULTS;
    unsigned counts[3] = {0};
    uint32_t seed = 0;

    options.relevant = 0.5;
    for (int i = 0; i < NULL_PAIRS; i++) {
        struct profile *p[10];
        const struct profile *const *all = (const struct profile *const *)p;
        struct comparison *c;
        struct gate *gate;

        for (int j = 0; j < 10; j++)
            p[j] = starts_record(&starts, samples, seed++);
        c = compare_runs(all, 5, all + 5, 5, &options);
        gate = gate_new(c->diff, &rules);
        counts[gate->outcome]++;
        gate_free(gate);
        comparison_free(c);
        for (int j = 0; j < 10; j++)
            profile_free(p[j]);
    }
    printf("%u samples a run, shares vary by %g %%%*s %5.1f %% %6.1f %% %8.1f "
           "%%\n",
           samples, percent, 6, "", 100.0 * counts[GATE_PASS] / NULL_PAIRS,
           100.0 * counts[GATE_INCONCLUSIVE] / NULL_PAIRS,
           100.0 * counts[GATE_FAIL] / NULL_PAIRS);
    fflush(stdout);
}

static void run_gate(void)
{
    printf("\n%-44s %7s  %7s  %8s\n", "no change, 5 runs a side, gate at 10 %",
           "passes", "unknown", "fails");
    gate_passes(2, 10000);
    gate_passes(3, 20000);
    gate_passes(5, 20000);
}

static void run_doubled(void)
{
    struct program uneven = program_new(FUNCTIONS, 100);

    uneven.steady = true;
    printf("%-44s %7s  %7s  %8s\n", "a function takes twice the time", "found",
           "ratio", "innocent");
    doubled("the first of 30", program_new(30, 1), 0);
    doubled("the first of 120", program_new(FUNCTIONS, 1), 0);
    doubled("the first of 30, all in bursts of 100", program_new(30, 100), 0);
    doubled("one of 0.8 %, every other in bursts of 100", uneven, 21);
}

int main(void)
{
    run_doubled();
    run_gate();
    putchar('\n');
    printf("%-14s %8s  %5s  %10s  %10s  %10s  %10s\n", "change", "samples",
           "burst", "paired", "recall", "precision", "held");
    for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
        if (!changes[i].before[0])
            power(&changes[i], 1, 20000);
        power(&changes[i], 1, 200000);
        if (!changes[i].before[0])
            power(&changes[i], 10, 200000);
    }
    return 0;
}
